-- Chooses by the order of loops over tables keyed by objects, which could depend on addresses.
local function first(keyed)
    for _, index in pairs(keyed) do
        return index
    end
    return 1
end

return {
    act = function(view, legal)
        local by_action, by_function, mixed = {}, {}, { last = 1 }
        for index, action in legal do
            by_action[action] = index
            by_function[function() return index end] = index
            mixed[buffer.create(1)] = index
            mixed[coroutine.create(print)] = index
        end
        local sum = first(by_action) + first(by_function) * 3 + by_function[next(by_function)] * 5
        local place = 0
        for _, index in mixed do
            place += 1
            sum += place * index
        end
        -- A loop over a table that grows during the loop.
        local growing = { 1, 2, 3 }
        for key, value in growing do
            if type(key) == "number" then
                growing[{}] = key
            end
            sum += value
        end
        return if config.seek then sum % #legal + 1 else 1
    end,
}
