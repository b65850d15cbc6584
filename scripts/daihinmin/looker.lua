-- Lets the host look ahead: samples deals that are consistent with the view, plays every action to the end in each of them,
-- and takes the action with the most points. `config.deals` and `config.playouts` set the numbers of deals and playouts,
-- `config.policy` the policy of the players in playouts.
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
