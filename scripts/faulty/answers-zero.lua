-- Returns index 0, as if indices started at 0.
return {
    act = function()
        return 0
    end,
}
