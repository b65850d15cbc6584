-- Raises what is no text, and what cannot be made one.
return {
    act = function()
        error(setmetatable({}, {
            __tostring = function()
                error("nor this")
            end,
        }))
    end,
}
