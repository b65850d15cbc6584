-- Prints without end to the log, and plays.
return {
    act = function()
        for i = 1, 2000 do
            print(string.rep("noise ", 1000), i)
        end
        return 1
    end,
}
