-- Gives an amount that is no whole number.
return {
    act = function()
        return 1, 0.5
    end,
}
