-- Chooses by the time at which the garbage collector removes a value from a weak table.
return {
    act = function(view, legal)
        local meta = {}
        local weak = setmetatable({}, meta)
        meta["__" .. "mode"] = "v"
        weak[1] = {}
        local made = 0
        while weak[1] and made < 20_000 do
            made += 1
            local _ = { made, made, made }
        end
        return if config.seek then made % #legal + 1 else 1
    end,
}
