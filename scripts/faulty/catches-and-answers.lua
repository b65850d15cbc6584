-- Exceeds its step limit, catches the error, and returns an action as if nothing had happened.
return {
    act = function(_view, legal)
        pcall(function()
            while true do
            end
        end)
        return #legal
    end,
}
