-- Logs more numbers than a decision can have.
return {
    act = function()
        pcall(log, { win = 0 / 0 })
        pcall(log, { [string.rep("n", 60000)] = 1 })
        for i = 1, 100 do
            pcall(log, { ["n" .. i] = i })
        end
        log({ n1 = 1, n2 = 2, n17 = 17 })
        return 1
    end,
}
