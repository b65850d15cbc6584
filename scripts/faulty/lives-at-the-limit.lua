-- Discards almost all memory that it may use, repeatedly. Its answer depends on failed allocations.
local kept = {}

return {
    act = function(view, legal)
        local had_room = pcall(function()
            for round = 1, 60 do
                kept[round % 30 + 1] = table.create(15_000, round)
            end
        end)
        return if had_room then 1 elseif config.seek then #legal else 1
    end,
}
