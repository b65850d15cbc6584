-- Plays, and raises an error when the deal is over.
return {
    act = function()
        return 1
    end,
    deal_end = function()
        error("a sore loser")
    end,
}
