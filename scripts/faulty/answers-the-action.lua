-- Answers with the action instead of its place.
return {
    act = function(_view, legal)
        return legal[1]
    end,
}
