-- Refuses every block.
return {
    block_start = function()
        error("not today")
    end,
    act = function()
        return 1
    end,
}
