-- Counts from zero.
return {
    act = function()
        return 0
    end,
}
