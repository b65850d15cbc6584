-- Tries to leave its sandbox and to change shared objects. Raises an error with ESCAPED on success.
local function escaped(what)
    error(`ESCAPED: {what}`, 0)
end

local function look()
    for _, name in {
        "os", "io", "debug", "package", "ffi", "jit", "require", "load", "loadstring", "loadfile", "dofile", "getfenv", "setfenv",
        "newproxy", "collectgarbage", "gcinfo", "module",
    } do
        if _G[name] ~= nil then
            escaped(name)
        end
    end
    if string.dump or math.randomseed then
        escaped("string.dump or math.randomseed")
    end
    for library, key in { [math] = "floor", [string] = "format", [table] = "insert", [buffer] = "create", [cards] = "rank" } do
        if pcall(function() library[key] = print end) or pcall(rawset, library, key, print) then
            escaped(`{key} was changed`)
        end
    end
    if pcall(function() getmetatable("").__index = {} end) or pcall(setmetatable, _G, {}) or pcall(rawset, _G, "print", 1) then
        escaped("what all texts share, or the globals, were changed")
    end
end

-- Finds a global variable of an earlier block or of another script.
if mark ~= nil then
    escaped("a global of another block")
end
mark = true

return {
    act = function(view, legal)
        look()
        if pcall(rawset, legal[1], "mark", 1) or pcall(setmetatable, view, nil) or rawget(legal[1], "mark") then
            escaped("an action or the view was changed")
        end
        return 1
    end,
}
