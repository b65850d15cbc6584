-- Raises an error that is not a string and cannot be converted to one.
return {
    act = function()
        error(setmetatable({}, {
            __tostring = function()
                error("nor this")
            end,
        }))
    end,
}
