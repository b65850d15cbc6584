-- Never returns, and catches every error that should stop it.
local function think()
    while true do
    end
end

return {
    act = function()
        while true do
            pcall(think)
            xpcall(think, think)
            coroutine.resume(coroutine.create(think))
        end
    end,
}
