-- Returns the index as a string.
return {
    act = function()
        return "1"
    end,
}
