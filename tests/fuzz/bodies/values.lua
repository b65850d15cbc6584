-- Returns and raises what the bytes in the options say. Without bytes it plays the first action.
local bytes, at = {}, 1

local function byte()
    at += 1
    return bytes[at - 1] or 0
end

local function number()
    local kind = byte() % 8
    if kind == 0 then
        return byte()
    elseif kind == 1 then
        return -byte()
    elseif kind == 2 then
        return byte() + byte() / 256
    elseif kind == 3 then
        return 0 / 0
    elseif kind == 4 then
        return (if byte() % 2 == 0 then 1 else -1) / 0
    elseif kind == 5 then
        return 2 ^ byte() * (byte() + 1)
    elseif kind == 6 then
        return 2 ^ 53 + byte() - 128
    end
    local bits = buffer.create(8)
    for i = 0, 7 do
        buffer.writeu8(bits, i, byte())
    end
    return buffer.readf64(bits, 0)
end

local value

-- A metatable whose every entry is some value, or a function that returns or raises one.
local function meta(depth)
    local events = { "__index", "__newindex", "__call", "__len", "__iter", "__tostring", "__eq", "__lt", "__le", "__add",
        "__unm", "__concat", "__metatable", "__mode", "__type", "__name", "__gc", "__close" }
    local table = {}
    for _ = 1, byte() % 5 do
        local event = events[byte() % #events + 1]
        local kind = byte() % 3
        if kind == 0 then
            table[event] = value(depth + 1)
        elseif kind == 1 then
            table[event] = function() return value(depth + 1) end
        else
            table[event] = function() error(value(depth + 1), byte() % 3) end
        end
    end
    return table
end

function value(depth)
    local kind = byte() % 16
    if depth > 6 then
        return kind
    elseif kind <= 3 then
        return byte() % 5 + 1
    elseif kind <= 5 then
        return number()
    elseif kind == 6 then
        return nil
    elseif kind == 7 then
        return byte() % 2 == 0
    elseif kind == 8 then
        local letters = {}
        for i = 1, byte() % 16 do
            letters[i] = string.char(byte())
        end
        return string.rep(table.concat(letters), byte() * byte() % 4096)
    elseif kind == 9 then
        return buffer.create(byte())
    elseif kind == 10 then
        return vector and vector.create(byte(), byte(), byte()) or math.huge
    elseif kind == 11 then
        return coroutine.create(function() return value(depth + 1) end)
    elseif kind == 12 then
        return function() return value(depth + 1) end
    elseif kind == 13 then
        local list = {}
        for i = 1, byte() % 6 do
            list[if byte() % 2 == 0 then i else tostring(value(depth + 1))] = value(depth + 1)
        end
        return list
    end
    local ok, made = pcall(setmetatable, {}, meta(depth))
    return made
end

local function behave(view, legal)
    local kind = byte() % 24
    if kind == 1 then
        error(value(0), byte() % 4)
    elseif kind == 2 then
        coroutine.yield(value(0))
    elseif kind == 3 then
        while true do end
    elseif kind == 4 then
        local kept = {}
        while true do
            kept[#kept + 1] = table.create(1000, 0)
        end
    elseif kind == 5 then
        local function deeper() return 1 + deeper() end
        deeper()
    elseif kind == 6 then
        pcall(error, value(0))
    elseif kind == 7 and legal then
        legal[byte() % 8] = value(0)
    elseif kind == 8 and legal then
        table.clear(legal)
    elseif kind == 9 then
        pcall(function() view[value(0)] = value(0) end)
    elseif kind == 10 then
        print(value(0), value(0))
    elseif kind == 11 then
        pcall(rawset, view, tostring(value(0)), value(0))
    elseif kind == 12 then
        return table.unpack(table.create(byte() * 20, 1))
    elseif kind == 13 then
        return coroutine.wrap(function() return coroutine.yield(value(0)) end)()
    end
    if kind >= 16 then
        return byte() % 5 + 1, value(0), value(0)
    elseif kind == 0 then
        return 1
    end
    return value(0), value(0)
end

return {
    block_start = function(info)
        bytes, at = info.options.bytes or {}, 2
        if #bytes > 0 and byte() > 200 then
            behave()
        end
    end,
    deal_start = function(view)
        if #bytes > 0 and byte() > 128 then
            behave(view)
        end
    end,
    act = behave,
    deal_end = function(view, payoffs)
        if #bytes > 0 and byte() > 128 then
            behave(view, payoffs)
        end
    end,
}
