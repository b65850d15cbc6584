-- Calls itself without end.
local function deeper()
    return 1 + deeper()
end

return { act = deeper }
