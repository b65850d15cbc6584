-- Plans its hand by moves and counts the unseen cards: sheds weak cards early, keeps what surely takes a trick for the end.
--
-- How it thinks:
--
-- 1. *Moves.* A hand is split into moves: sequences where they pay, the rest by rank. Who needs fewer moves goes out first.
-- 2. *Control.* From the unseen cards the bot works out which plays nobody can answer. Such a play keeps the lead.
-- 3. *Sure win.* If all moves but one keep the lead, it plays those first and the other one last: nobody can come between.
-- 4. *Otherwise* it tries every legal play, looks at the hand that would be left, and takes the best: few moves, few of
--    them weak, and as many that keep the lead. A pass is one of the candidates: strong cards are not spent on small tricks.

if next(config) ~= nil then
    error("the tactician has no settings", 0)
end

local RANK, SUIT = cards.rank, cards.suit
local band, bor, lshift = bit32.band, bit32.bor, bit32.lshift

local SUIT_BIT = { S = 1, H = 2, D = 4, C = 8 }
local SUITS = { "S", "H", "D", "C" }
-- Numbers of bits of the 16 sets of suits.
local SIZE = { [0] = 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 }

-- A set of cards: for each rank from 3 to 15 the suits held, as a mask; and whether the joker is among them.
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

-- What is known at this decision; filled in by `look`.
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

-- How strong a rank is, 1 to 13, in the order in force.
local function strength(rank)
    return if reversed then 16 - rank else rank - 2
end

-- In how many ways (ranks, and the lone joker) the others could answer `count` cards of a rank. `suits` limits the answers
-- where suits are locked.
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

-- Whether anybody could hold a sequence of that length that lies wholly above the strongest card of this one.
local function sequence_answered(low, length, suits)
    if most_cards < length then
        return false
    end
    for _, letter in SUITS do
        local bit, run = SUIT_BIT[letter], 0
        -- With the joker any gap may be closed; counting all held ranks then errs on the safe side.
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

-- Whether a play keeps or takes the lead for sure, with the order of ranks and the lock that it brings about itself.
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

-- The moves, rank by rank, that shed `set` (but its joker): how many, how many of them may lose the lead, and a number for
-- how weak those are.
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

-- A hand as one number, less is better. A losing move costs the lead, and to get it back costs another one, so losing moves
-- count most; each sure move pays for one of them. Weak cards wait for a lead that may not come.
local function cost(set)
    local best = math.huge
    local function weigh(rest, extra, extra_losing)
        local moves, losing, weakness = by_rank(rest)
        local sure = moves - losing
        moves, losing = moves + extra, losing + extra_losing
        if rest.joker then
            -- Alone it takes a trick, with others it goes along.
            sure += 1
        end
        best = math.min(best, 6 * moves + 5 * math.max(0, losing - sure - 1) + 0.5 * weakness - 2 * sure)
    end
    -- Without sequences, and with any one or two of them taken out first.
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

-- Whether the hand wins from the lead without giving anybody a chance: at most one of its moves can be answered, and that
-- one goes last.
local function wins_from_lead(set)
    -- The joker is a sure move of its own once nobody else can hold ♠3. Four of a kind would turn the order of ranks round
    -- on the way, so what is sure now need not be sure then.
    if table.find(set, 15) or (set.joker and band(unseen[3], 1) ~= 0) then
        return false
    end
    local _, losing = by_rank(set)
    return losing <= 1
end

---------------------------------------------------------------- Decisions

-- Whether the own play lies on top and all others have passed: then a pass takes the trick.
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

-- How dear a pass is while the hand stays as it is: the trick goes to somebody else.
local PASS_COST = 3
local LEAD_WORTH = 6 -- What it is worth to have the lead surely.

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
            -- What is left is played in the order of ranks that the play leaves behind; a jack's turn ends with the trick.
            local order = reversed
            reversed = view.revolution ~= play.effects.revolution
            -- A sure win goes before everything else.
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

-- Gives away what leaves the best hand.
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
