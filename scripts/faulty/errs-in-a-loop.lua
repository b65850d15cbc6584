-- Raises and catches errors in an endless loop, because an error is expensive.
local deep = setmetatable({}, {
    __index = function(t, key)
        return t[key + 1]
    end,
})

return {
    act = function()
        while true do
            pcall(function()
                return deep[1]
            end)
        end
    end,
}
