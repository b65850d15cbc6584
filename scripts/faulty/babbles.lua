-- Prints without end to the log, and plays.
return {
    act = function()
        for i = 1, 2000 do
            print("noise", i)
        end
        return 1
    end,
}
