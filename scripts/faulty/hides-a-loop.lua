-- Hides a loop from the host, which rewrites loops in the text of scripts: the expression in the type of `key` misleads it. The loop
-- then goes by where the keys, which are tables, lie in memory.
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
