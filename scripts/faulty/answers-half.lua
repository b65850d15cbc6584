-- Returns an index that is not an integer.
return {
    act = function()
        return 1.5
    end,
}
