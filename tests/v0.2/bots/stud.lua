-- Bets when it has at least a pair, drops when it would have to pay much for less: the least that a stud bot can do, and a
-- place to start from. It plays ordinary stud and the game of seven turns.
--
-- Copy this file to scripts/stud/mine.lua, change it, and look at it play:
--
--     hattari check scripts/stud/mine.lua

-- How many cards of the same rank there are: 1 nothing, 2 a pair, 3 three of a kind …
local function most_alike(hand)
    local counts, most = {}, 1
    for _, card in hand do
        local rank = cards.rank[card]
        counts[rank] = (counts[rank] or 0) + 1
        most = math.max(most, counts[rank])
    end
    return most
end

-- The place of the first action of that kind in the list, nil if it is not there.
local function find(legal, kind)
    for i, action in legal do
        if action.kind == kind then
            return i
        end
    end
    return nil
end

-- Called when you are to bet. `view` is all that you may know now: view.hand holds your cards ("Td" is the ten of diamonds),
-- view.up[seat] what lies open, view.pot the chips in the middle. `legal` lists what you may do. The answer is an index of
-- that list, from 1, and for a raise the amount: what you will have put in on this street in all.
local function act(view, legal)
    local alike = most_alike(view.hand)
    local raise, stay = find(legal, "raise"), find(legal, "check") or find(legal, "call") or find(legal, "bring_in")
    if raise and (alike > 1 or not stay) then
        -- The more the better the hand; the least where a bet is all that is left.
        local action = legal[raise]
        local share = math.min((alike - 1) / 3, 1)
        return raise, action.lowest + math.floor(share * (action.highest - action.lowest))
    elseif alike == 1 and view.to_call * 3 > view.pot then
        return find(legal, "fold") or stay
    end
    return stay
end

-- Called where the rules have you turn up a hidden card: the lowest tells least. Cards come lowest first.
local function open(view, legal)
    return 1
end

-- What the script returns is the bot.
return { act = act, open = open }
