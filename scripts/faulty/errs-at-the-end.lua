-- Plays, and raises an error at the end of a deal.
return {
    act = function()
        return 1
    end,
    deal_end = function()
        error("a sore loser")
    end,
}
