-- Lets the library do a little more work in every decision, in many small calls.
local text = string.rep("a", 3900)
local rounds = 0

return {
    act = function(view, legal)
        rounds += 1
        for _ = 1, 1000 + 1500 * rounds do
            local _ = string.lower(string.upper(string.reverse(text)))
        end
        return if config.seek then #legal else 1
    end,
}
