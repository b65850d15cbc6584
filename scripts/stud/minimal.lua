-- Bets with at least a pair, folds to large bets with less: a minimal stud bot, as a starting point. It plays ordinary stud
-- and the game with seven turns.
--
-- Copy this file to scripts/stud/mine.lua, change it, and watch it play:
--
--     hattari check scripts/stud/mine.lua

-- Returns the largest number of cards of the same rank: 1 nothing, 2 a pair, 3 three of a kind …
local function most_alike(hand)
    local counts, most = {}, 1
    for _, card in hand do
        local rank = cards.rank[card]
        counts[rank] = (counts[rank] or 0) + 1
        most = math.max(most, counts[rank])
    end
    return most
end

-- Returns the index of the first action of this kind in the list, or nil if there is none.
local function find(legal, kind)
    for i, action in legal do
        if action.kind == kind then
            return i
        end
    end
    return nil
end

-- The host calls this function when it is your turn to bet. `view` contains all information of your seat: view.hand is the list
-- of your cards ("Td" is the ten of diamonds), view.up[seat] the open cards of a seat, view.pot the chips in the pot. `legal`
-- is the list of legal actions. Return an index of this list, from 1, and for a raise the amount: your total on this street.
local function act(view, legal)
    local alike = most_alike(view.hand)
    local raise, stay = find(legal, "raise"), find(legal, "check") or find(legal, "call") or find(legal, "bring_in")
    if raise and (alike > 1 or not stay) then
        -- The better the hand, the larger the bet. With nothing, it makes the smallest bet, and only if it has to bet.
        local action = legal[raise]
        local share = math.min((alike - 1) / 3, 1)
        return raise, action.lowest + math.floor(share * (action.highest - action.lowest))
    elseif alike == 1 and view.to_call * 3 > view.pot then
        return find(legal, "fold") or stay
    end
    return stay
end

-- The host calls this function if you have to turn up a hidden card. The lowest card, which is the first, reveals least.
local function open(view, legal)
    return 1
end

-- The script returns the bot.
return { act = act, open = open }
