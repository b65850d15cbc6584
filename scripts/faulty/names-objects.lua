-- Chooses by the text of tables and functions, which would contain their addresses in standard Lua.
local function sum(text, start)
    local n = start
    for at = 1, #text do
        n = (n * 131 + string.byte(text, at)) % 1_000_003
    end
    return n
end

return {
    act = function(view, legal)
        local table_made = {}
        local n = sum(tostring(table_made), 7)
        n = sum(string.format("%s %*", print, coroutine.create(print)), n)
        n = sum(`{table_made} {buffer.create(4)} {function() end}`, n)
        return if config.seek then n % #legal + 1 else 1
    end,
}
