-- Raises an error at the start of a deal, and plays.
return {
    deal_start = function()
        error("these cards again")
    end,
    act = function()
        return 1
    end,
}
