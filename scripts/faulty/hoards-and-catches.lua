-- Takes all memory, catches the error, and answers as if nothing were.
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
