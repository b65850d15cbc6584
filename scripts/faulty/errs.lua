-- Raises an error at every decision.
return {
    act = function()
        error("at a loss")
    end,
}
