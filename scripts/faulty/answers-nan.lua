-- Answers with what is no number.
return {
    act = function()
        return 0 / 0
    end,
}
