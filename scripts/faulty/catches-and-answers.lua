-- Thinks too long, catches the error that stops it, and answers as if nothing were.
return {
    act = function(_view, legal)
        pcall(function()
            while true do
            end
        end)
        return #legal
    end,
}
