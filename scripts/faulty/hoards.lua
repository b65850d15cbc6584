-- Allocates memory without end.
return {
    act = function()
        local kept = {}
        while true do
            kept[#kept + 1] = table.create(1000, 0)
        end
    end,
}
