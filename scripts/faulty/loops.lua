-- Never answers.
return {
    act = function()
        while true do
        end
    end,
}
