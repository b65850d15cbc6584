-- Plans how to play its hand in few moves and counts the unseen cards. It plays weak cards early and keeps certain winners for
-- the end.
--
-- The algorithm:
--
-- 1. *Moves.* A hand is divided into moves: sequences that save moves, then all cards of each rank. A player who needs fewer
--    moves is likely to finish earlier.
-- 2. *Control.* From the unseen cards, the bot infers which plays no player can answer. Such a play keeps the lead.
-- 3. *Sure win.* If all moves except one keep the lead, it plays these first and the other one last.
-- 4. *Otherwise* it evaluates the hand that each legal play would leave, and chooses the best: few moves, few weak ones, and
--    many that keep the lead. A pass is evaluated as well, so that strong cards are not wasted.

if next(config) ~= nil then
    error("this bot has no settings", 0)
end

local RANK, SUIT = cards.rank, cards.suit
local band, bor, lshift = bit32.band, bit32.bor, bit32.lshift

local SUIT_BIT = { S = 1, H = 2, D = 4, C = 8 }
local SUITS = { "S", "H", "D", "C" }
-- Numbers of bits of the 16 sets of suits.
local SIZE = { [0] = 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 }

-- Returns a set of cards: for each rank from 3 to 15 a mask of suits, and in `joker` true if the joker is included.
local function to_set(list)
    local set = table.create(16, 0)
    set.joker = false
    for _, card in list do
        if card == "JK" then
            set.joker = true
        else
            local rank = RANK[card]
            set[rank] = bor(set[rank], SUIT_BIT[SUIT[card]])
        end
    end
    return set
end

local function without(set, list)
    local left = table.clone(set)
    for _, card in list do
        if card == "JK" then
            left.joker = false
        else
            local rank = RANK[card]
            left[rank] = band(left[rank], 15 - SUIT_BIT[SUIT[card]])
        end
    end
    return left
end

local PACK = to_set(cards.all)

---------------------------------------------------------------- What others may hold

-- The information at the current decision, set by `look`.
local unseen = PACK
local reversed, most_cards, eight_cut, sequences_on = false, 13, true, true

local function look(view)
    unseen = without(without(PACK, view.gone), view.hand)
    reversed = view.revolution ~= view.eleven_back
    eight_cut, sequences_on = view.rules.eight_cut, view.rules.sequences
    most_cards = 0
    for seat, left in view.cards_left do
        if seat ~= view.seat then
            most_cards = math.max(most_cards, left)
        end
    end
end

-- Returns the strength of a rank, 1 to 13, in the current order of ranks.
local function strength(rank)
    return if reversed then 16 - rank else rank - 2
end

-- Returns the number of ranks with which the other players could answer `count` cards of a rank, plus one for a lone joker.
-- `suits` is the mask of suits that a lock allows.
local function answers(rank, count, suits)
    if most_cards < count then
        return 0
    end
    local found = 0
    local from, to, step = rank + 1, 15, 1
    if reversed then
        from, to, step = rank - 1, 3, -1
    end
    for other = from, to, step do
        local held = SIZE[band(unseen[other], suits)]
        if held >= count or (unseen.joker and count > 1 and held == count - 1) then
            found += 1
        end
    end
    if count == 1 and unseen.joker then
        found += 1
    end
    return found
end

-- Returns true if another player could hold a sequence of this length that is completely above this one.
local function sequence_answered(low, length, suits)
    if most_cards < length then
        return false
    end
    for _, letter in SUITS do
        local bit, run = SUIT_BIT[letter], 0
        -- The joker can close any gap. Counting all ranks then gives true too often, which is the safe error.
        local spare = unseen.joker
        if band(bit, suits) ~= 0 then
            local from, to, step = low + length, 15, 1
            if reversed then
                from, to, step = low - 1, 3, -1
            end
            for rank = from, to, step do
                if band(unseen[rank], bit) ~= 0 then
                    run += 1
                    if run + (if spare then 1 else 0) >= length then
                        return true
                    end
                elseif not spare then
                    run = 0
                end
            end
        end
    end
    return false
end

-- Returns true if a play certainly wins the trick. Considers the order of ranks and the lock that the play itself causes.
local function is_sure(play, locked)
    local effects = play.effects
    if effects.cut then
        return true
    elseif play.kind == "single" and play.joker then
        return band(unseen[3], 1) == 0
    end
    local before = reversed
    if effects.revolution ~= effects.eleven_back then
        reversed = not reversed
    end
    local suits = 15
    if locked or effects.lock then
        suits = 0
        for letter, bit in SUIT_BIT do
            if string.find(play.suits, letter, 1, true) then
                suits += bit
            end
        end
    end
    local sure
    if play.kind == "sequence" then
        sure = not sequence_answered(play.rank, play.count, suits)
    else
        sure = answers(play.rank, play.count, suits) == 0
    end
    reversed = before
    return sure
end

---------------------------------------------------------------- Moves of a hand

-- Returns the number of moves that play `set` without its joker rank by rank, the number of them that can lose the lead, and
-- the total weakness of the latter.
local function by_rank(set)
    local moves, losing, weakness = 0, 0, 0
    for rank = 3, 15 do
        local count = SIZE[set[rank]]
        if count > 0 then
            moves += 1
            if not (eight_cut and rank == 8) and answers(rank, count, 15) > 0 then
                losing += 1
                weakness += 13 - strength(rank)
            end
        end
    end
    return moves, losing, weakness
end

-- Returns the cost of a hand; lower is better. A losing move costs the lead, and regaining the lead costs another move, so
-- losing moves count most. Each sure move compensates one of them. Weak cards need a lead that may not come.
local function cost(set)
    local best = math.huge
    local function weigh(rest, extra, extra_losing)
        local moves, losing, weakness = by_rank(rest)
        local sure = moves - losing
        moves, losing = moves + extra, losing + extra_losing
        if rest.joker then
            -- The joker wins a trick alone, or joins another move.
            sure += 1
        end
        best = math.min(best, 6 * moves + 5 * math.max(0, losing - sure - 1) + 0.5 * weakness - 2 * sure)
    end
    -- Evaluates the hand without sequences, and after removing any one or two sequences.
    local function take(rest, depth, first, extra, extra_losing)
        weigh(rest, extra, extra_losing)
        if depth == 0 or not sequences_on then
            return
        end
        for index = first, 43 do
            local low, bit = 3 + index // 4, lshift(1, index % 4)
            local high = low
            while high <= 15 and band(rest[high], bit) ~= 0 do
                high += 1
            end
            if high - low >= 3 then
                local left = table.clone(rest)
                for rank = low, high - 1 do
                    left[rank] -= bit
                end
                local loses = if sequence_answered(low, high - low, 15) then 1 else 0
                take(left, depth - 1, index + 1, extra + 1, extra_losing + loses)
            end
        end
    end
    take(set, 2, 0, 0, 0)
    return best
end

-- Returns true if the hand certainly wins with the lead: at most one of its moves can be answered, and this one is played last.
local function wins_from_lead(set)
    -- The joker is a sure move only if no other player can hold ♠3. Four of a kind would reverse the order of ranks, and moves
    -- that are sure now would not be sure later.
    if table.find(set, 15) or (set.joker and band(unseen[3], 1) ~= 0) then
        return false
    end
    local _, losing = by_rank(set)
    return losing <= 1
end

---------------------------------------------------------------- Decisions

-- Returns true if this seat made the play on the table and all others have passed: a pass then wins the trick.
local function own_trick(view)
    if view.table_seat ~= view.seat then
        return false
    end
    for seat, passed in view.passed do
        if seat ~= view.seat and not passed and not view.out[seat] then
            return false
        end
    end
    return true
end

-- Cost of a pass, which leaves the trick to another player.
local PASS_COST = 3
local LEAD_WORTH = 6 -- Value of certainly having the lead.

local function act(view, legal)
    look(view)
    if own_trick(view) then
        return 1
    end
    local hand = to_set(view.hand)
    local best, least = 1, math.huge
    for i, play in legal do
        local value
        if play.kind == "pass" then
            value = if view.table then cost(hand) + PASS_COST else math.huge
        else
            if play.count == #view.hand then
                return i -- The last cards.
            end
            local left = without(hand, play.cards)
            local sure = is_sure(play, view.lock)
            -- The rest is played in the order of ranks after this play. The effect of a jack ends with the trick.
            local order = reversed
            reversed = view.revolution ~= play.effects.revolution
            -- A sure win has priority.
            local bonus = if sure and wins_from_lead(left) then 1000 elseif sure then LEAD_WORTH else 0
            value = cost(left) - bonus
            reversed = order
        end
        if value < least then
            best, least = i, value
        end
    end
    return best
end

-- Gives away the cards that leave the best hand.
local function exchange(view, legal)
    look(view)
    local hand = to_set(view.hand)
    local best, least = 1, math.huge
    for i, gift in legal do
        local value = cost(without(hand, gift.cards))
        if value < least then
            best, least = i, value
        end
    end
    return best
end

return {
    bot = { version = "1.0", description = "Plans how to play its hand in few moves, counts cards, plays sure wins" },
    act = act,
    exchange = exchange,
}
