-- Changes the list of legal actions so that its answer means another one.
return {
    act = function(_view, legal)
        table.sort(legal, function(a, b)
            return a.text < b.text
        end)
        return 1
    end,
}
