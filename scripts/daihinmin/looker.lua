-- Lets the host look ahead: draws deals that fit what it knows, plays every action out in each of them, and takes the action
-- that brings the most points. `config.deals` and `config.playouts` say how often, `config.policy` who plays on.
local DEALS = config.deals or 30
local PLAYOUTS = config.playouts or 5
local POLICY = config.policy or "uniform"

local function act(view, legal)
    local sums = table.create(#legal, 0)
    for _, row in search.points(search.deals(DEALS), PLAYOUTS, POLICY) do
        for action, points in row do
            sums[action] += points
        end
    end
    local best = 1
    for action, sum in sums do
        if sum > sums[best] then
            best = action
        end
    end
    return best
end

return { bot = { version = "1.0.0", description = "Plays the action with the most points in playouts by the host" }, act = act }
