-- Plays its weakest legal play and passes only if it has none: a minimal bot, as a starting point.
--
-- Copy this file to scripts/daihinmin/mine.lua, change it, and watch it play:
--
--     hattari check scripts/daihinmin/mine.lua

-- Returns the cost of a play; the bot makes the play with the lowest cost. If `reversed`, low ranks beat high ones.
local function cost(play, reversed)
    if play.kind == "pass" then
        return 1000 -- A pass is chosen only if nothing else is legal.
    elseif play.joker then
        return 500 -- Plays with the joker come after all others.
    end
    -- Ranks are 3 to 15; 15 is the two. Among equally weak plays, the one with more cards is better.
    local strength = if reversed then 18 - play.rank else play.rank
    return strength * 20 - play.count
end

-- The host calls this function when it is your turn. `view` contains all information of your seat: view.hand is the list of
-- your cards ("S3" is the three of spades, "JK" the joker), view.table the play to beat, or nil if you lead. `legal` is the
-- list of legal actions with their fields kind, cards, rank, count, effects and so on. Return an index of this list, from 1.
local function act(view, legal)
    local reversed = view.revolution ~= view.eleven_back
    local best = 1
    for i, play in legal do
        if cost(play, reversed) < cost(legal[best], reversed) then
            best = i
        end
    end
    return best
end

-- The script returns the bot. Without a function `exchange`, the bot gives away its weakest cards.
return { act = act }
