-- Sorts the list of legal actions, so that its answer would mean another action.
return {
    act = function(_view, legal)
        table.sort(legal, function(a, b)
            return a.text < b.text
        end)
        return 1
    end,
}
