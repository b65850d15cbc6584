-- Compares strings of half a megabyte. Each step takes long, so only the clock can detect it.
local parts = {}
for i = 1, 8 do
    parts[i] = string.rep("x", 65_536)
end
local one = table.concat(parts) .. "a"
local other = table.concat(parts) .. "b"

return {
    act = function()
        local less = 0
        for _ = 1, 1e9 do
            less += if one < other then 1 else 0
        end
        return 1
    end,
}
