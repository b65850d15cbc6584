-- Returns an amount that is not an integer.
return {
    act = function()
        return 1, 0.5
    end,
}
