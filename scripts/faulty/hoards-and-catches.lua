-- Allocates all memory, catches the error, and returns an action as if nothing had happened.
return {
    act = function()
        local kept = {}
        pcall(function()
            while true do
                kept[#kept + 1] = buffer.create(100_000)
            end
        end)
        return 1
    end,
}
