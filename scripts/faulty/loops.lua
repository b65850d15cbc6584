-- Never returns.
return {
    act = function()
        while true do
        end
    end,
}
