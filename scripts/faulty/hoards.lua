-- Takes memory until none is left.
return {
    act = function()
        local kept = {}
        while true do
            kept[#kept + 1] = table.create(1000, 0)
        end
    end,
}
