-- Plays its weakest card whenever it can: the least that a bot can do, and a place to start from.
--
-- Copy this file to scripts/daihinmin/mine.lua, change it, and look at it play:
--
--     hattari check scripts/daihinmin/mine.lua

-- A play as a number; the bot makes the play with the least. `reversed` says that low ranks beat high ones.
local function cost(play, reversed)
    if play.kind == "pass" then
        return 1000 -- Only where nothing else is legal.
    elseif play.joker then
        return 500 -- Plays with the joker come after all others.
    end
    -- Ranks go from 3 to 15, which is the two. Of plays that are equally weak the one with more cards is better.
    local strength = if reversed then 18 - play.rank else play.rank
    return strength * 20 - play.count
end

-- Called when it is your turn. `view` is all that you may know now: view.hand holds your cards ("S3" is the three of
-- spades, "JK" the joker), view.table the play to beat, or nil if you lead. `legal` lists what you may do, and each entry
-- tells what it is: kind, cards, rank, count, effects … The answer is an index of that list, from 1.
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

-- What the script returns is the bot. Where it has no function `exchange`, its weakest cards are given away.
return { act = act }
