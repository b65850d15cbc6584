-- Returns NaN.
return {
    act = function()
        return 0 / 0
    end,
}
