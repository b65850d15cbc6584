-- Answers with the text of a number.
return {
    act = function()
        return "1"
    end,
}
