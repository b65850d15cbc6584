-- Chooses by the order of a loop over a table keyed by tables, which could depend on addresses.
-- The type of `key` makes the loop hard to find in the text.
local numbers = {}
for number = 1, 13 do
    numbers[{}] = number
end

return {
    act = function(view, legal)
        local pick = 1
        for key: typeof(1 > if true then 1 else 2), number in numbers do
            pick = number
            break
        end
        return if config.seek then pick % #legal + 1 else 1
    end,
}
