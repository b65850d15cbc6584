-- Prints 2,000 lines to the log at every decision, then plays.
return {
    act = function()
        for i = 1, 2000 do
            print("noise", i)
        end
        return 1
    end,
}
