-- The play styles of Satō and Itō in Lua. Without settings, it plays the best of them, all-k.
--
-- Source: 大貧民におけるプレイスタイルの相性に関する研究, section 4.1. All styles are one algorithm with switches. A league
-- sets the switches in the entrant's config; the defaults are those of all-k:
--
--     {name: base, bot: scripts/daihinmin/styles.lua,
--      config: {history: true, lock_single: none, lock_group: none, stairs: false}}
--
-- With `groups: any`, a group is answered with any legal group, even a part of a larger one. With `whole`, as in all-k, it is
-- answered only with all held cards of a rank.
--
-- The bot makes the same moves as the compiled bot with the same switches, so the difference in speed is the cost of Lua.
--
-- Two caches make it fast. The host uses the same table for equal plays in all decisions, so properties of a play are
-- computed once and stored with the play as key. A plan is kept until the hand changes.

local LOCKS = { "none", "weakest", "prefer" }
local CHOICES = { lock_single = LOCKS, lock_group = LOCKS, groups = { "any", "whole" } }
local switches = { history = true, lock_single = "weakest", lock_group = "weakest", stairs = true, groups = "whole" }

-- `config` contains the settings of the entrant in the league; it is empty if there are none.
for key, value in config do
    local default = switches[key]
    if default == nil then
        error(`unknown switch '{key}'; the switches are history, lock_single, lock_group, stairs and groups`, 0)
    elseif type(default) == "boolean" and type(value) ~= "boolean" then
        error(`{key} must be true or false (got {value})`, 0)
    elseif type(default) == "string" and not table.find(CHOICES[key], value) then
        error(`{key} must be one of {table.concat(CHOICES[key], ", ")} (got {value})`, 0)
    end
    switches[key] = value
end
local HISTORY, STAIRS, WHOLE = switches.history, switches.stairs, switches.groups == "whole"
local LOCK_OF = { single = switches.lock_single, group = switches.lock_group, sequence = "none" }

local band, bor, bnot, btest = bit32.band, bit32.bor, bit32.bnot, bit32.btest
local lshift, rshift, countrz, countlz = bit32.lshift, bit32.rshift, bit32.countrz, bit32.countlz
local RANK, SUIT = cards.rank, cards.suit

local JOKER_RANK = 16
-- For each card, its rank as a bit of a mask: bit 3 is the three, bit 15 the two, bit 16 the joker.
local RANK_BIT = {}
for card, rank in RANK do
    RANK_BIT[card] = lshift(1, rank)
end
local SUITED = 0xfff8
-- Suits by number, in card order.
local SUIT_NUMBER = { S = 1, H = 2, D = 3, C = 4 }

local ONES = {}
for mask = 1, 255 do
    ONES[mask] = (ONES[rshift(mask, 1)] or 0) + band(mask, 1)
end
ONES[0] = 0

-- Returns the number of ranks in a mask, which is the number of moves needed to play them without sequences.
local function count_ranks(mask)
    return ONES[band(mask, 0xff)] + ONES[band(rshift(mask, 8), 0xff)]
end

---------------------------------------------------------------- Keys of plays

-- Every choice is made by a key: the bot makes the play with the smallest key, the first of equal ones. A pass comes last.
local PASS, NEVER = 2 ^ 31, 2 ^ 32

-- Returns the strength of a play, 0 to 15, by its lowest column. The lone joker (15) is strongest in both orders.
local function strength(play, reversed)
    local column = play.column
    return if reversed and column <= 14 then 14 - column else column
end

-- Returns the position of a play's suits in card order (♠ ♥ ♦ ♣); smaller is earlier.
local function place(play)
    local sum = 0
    for letter in string.gmatch(play.suits, ".") do
        sum += 2 ^ (4 - SUIT_NUMBER[letter])
    end
    return 15 - sum
end

local function one_if(condition)
    return if condition then 1 else 0
end

-- Returns the key for following: by strength, then without the joker, then by card order. With "weakest", plays that lock come
-- before others of the same strength and use of the joker; with "prefer", they come before all others.
local function follow_key(play, reversed, lock)
    if play.kind == "pass" then
        return PASS
    end
    local unlocking = not play.effects.lock
    return one_if(unlocking and lock == "prefer") * 65536
        + strength(play, reversed) * 256
        + one_if(play.joker) * 32
        + one_if(unlocking and lock == "weakest") * 16
        + place(play)
end

-- Key for leading: a sequence, then a group, then a single; then more cards, then without the joker, then the weakest.
local LEAD_KIND = { sequence = 0, group = 1, single = 2 }
local function lead_key(play, reversed)
    if play.kind == "pass" then
        return PASS
    end
    return LEAD_KIND[play.kind] * 65536
        + (15 - play.count) * 4096
        + one_if(play.joker) * 256
        + strength(play, reversed) * 16
        + place(play)
end

-- Returns a table that computes and stores the key of a play at its first access.
local function memo(key, ...)
    local more = table.pack(...)
    return setmetatable({}, {
        __index = function(known, play)
            local value = key(play, table.unpack(more, 1, more.n))
            known[play] = value
            return value
        end,
    })
end

local FOLLOW, LEAD = {}, {}
for _, reversed in { false, true } do
    FOLLOW[reversed] = {}
    for kind, lock in LOCK_OF do
        FOLLOW[reversed][kind] = memo(follow_key, reversed, lock)
    end
    LEAD[reversed] = memo(lead_key, reversed)
end

-- The ranks of the cards that leave the hand with a play. The joker counts as the joker, not as the card that it replaces.
local USED = memo(function(play)
    local mask = 0
    for _, card in play.cards do
        mask = bor(mask, RANK_BIT[card])
    end
    return mask
end)

-- Returns a number for a sequence of cards in the hand, from its suit, lowest column and length.
local function sequence_id(suit, low, length)
    return suit * 256 + low * 16 + length
end

-- The number of a play that is a sequence without the joker; 0 for other plays.
local SEQUENCE = memo(function(play)
    if play.kind ~= "sequence" or play.joker then
        return 0
    end
    return sequence_id(SUIT_NUMBER[play.suits], play.column, play.count)
end)

---------------------------------------------------------------- The plan (階段)

-- The plan is the set of sequences below Q with which the hand needs the fewest moves. Without sequences, a hand needs as many
-- moves as it has ranks; a sequence costs one move and saves one for every rank that it removes. Among equal sets, the plan is
-- the one with the most sequences that overlap in rank, then with the most cards that are not reserved, then with the weakest
-- cards. A sequence that saves no move is kept only if it overlaps another one (figure 1 of the paper).
--
-- Cards are stored as one mask of columns for each suit, columns 1 (the three) to 13 (the two). In a revolution, columns are
-- reversed before and after, because 6 and below then take the place of Q and above.
local BELOW_Q = 0x3fe
local plan = { reserved = nil, sequences = {}, possible = false }
local best_worth, best_count = 0, 0
local best_suit, best_low, best_length = {}, {}, {}
local suits, lows, lengths = {}, {}, {}

local function judge(count, all, rest, free)
    local saved = all - count_ranks(rest) - count
    if saved < 0 then
        return
    end
    local overlapping = 0
    for i = 1, count do
        for j = 1, count do
            if i ~= j and lows[i] < lows[j] + lengths[j] and lows[j] < lows[i] + lengths[i] then
                overlapping += 1
                break
            end
        end
    end
    local worth = saved * 10000 + overlapping * 100 + free
    if worth > best_worth then
        best_worth, best_count = worth, count
        for i = 1, count do
            best_suit[i], best_low[i], best_length[i] = suits[i], lows[i], lengths[i]
        end
    end
end

-- Tries every way to add sequences to the `count` chosen ones. `usable` contains the cards below Q that can still be used,
-- `rest` all cards that are not chosen, both by suit. `free` is the number of cards in `rest`, `all` the number of ranks in
-- the hand.
local function extend(usable, rest, count, all, free)
    local any = 0
    for suit = 1, 4 do
        local mask = usable[suit]
        any = bor(any, band(mask, rshift(mask, 1), rshift(mask, 2)))
    end
    count += 1
    while any ~= 0 do
        local low = countrz(any)
        any = band(any, any - 1)
        for suit = 1, 4 do
            local mask = rshift(usable[suit], low)
            -- A sequence needs at least three columns from `low` on; `run` is the length of the run.
            local run = countrz(bnot(mask))
            if run >= 3 then
                suits[count], lows[count] = suit, low
                for length = 3, run do
                    lengths[count] = length
                    local sequence = lshift(lshift(1, length) - 1, low)
                    local left = table.clone(rest)
                    left[suit] = band(left[suit], bnot(sequence))
                    judge(count, all, bor(left[1], left[2], left[3], left[4]), free - length)
                    if count < 4 then
                        -- Sets with sequences that start at an earlier card were already tried.
                        local later = table.create(4, 0)
                        for other = 1, 4 do
                            local from = if other < suit then low + 1 else low
                            later[other] = lshift(rshift(usable[other], from), from)
                        end
                        later[suit] = band(later[suit], bnot(sequence))
                        extend(later, left, count, all, free - length)
                        suits[count], lows[count] = suit, low
                    end
                end
            end
        end
    end
end

local FACES = "3456789TJQKA2"
local LETTERS = { "S", "H", "D", "C" }

local function make_plan(hand, revolution)
    local rest, n_suited = { 0, 0, 0, 0 }, 0
    for _, card in hand do
        local suit = SUIT_NUMBER[SUIT[card]]
        if suit then
            local column = RANK[card] - 2
            rest[suit] = bor(rest[suit], lshift(1, if revolution then 14 - column else column))
            n_suited += 1
        end
    end
    local usable, any = table.create(4, 0), false
    for suit = 1, 4 do
        local mask = band(rest[suit], BELOW_Q)
        usable[suit] = mask
        any = any or btest(mask, band(rshift(mask, 1), rshift(mask, 2)))
    end
    plan.reserved, plan.possible = nil, any
    if not any then
        return
    end
    -- A plan that saves no move and has no overlap is not better than no plan.
    best_worth, best_count = 99, 0
    extend(usable, rest, 0, count_ranks(bor(rest[1], rest[2], rest[3], rest[4])), n_suited)
    if best_count == 0 then
        return
    end
    local reserved = {}
    table.clear(plan.sequences)
    for i = 1, best_count do
        local suit, low, length = best_suit[i], best_low[i], best_length[i]
        if revolution then
            low = 14 - (low + length - 1)
        end
        plan.sequences[sequence_id(suit, low, length)] = true
        for column = low, low + length - 1 do
            reserved[LETTERS[suit] .. string.sub(FACES, column, column)] = true
        end
    end
    plan.reserved = reserved
end

-- The state for which the plan was made. After the exchange, a hand only loses cards during a deal.
local planned_deal, planned_count, planned_revolution = -1, 0, false

local function keep_plan(view, n_cards)
    local deal, revolution = view.deal, view.revolution
    if deal ~= planned_deal or n_cards ~= planned_count or revolution ~= planned_revolution then
        -- A hand without sequences cannot get one by losing cards.
        local hopeless = deal == planned_deal and revolution == planned_revolution and not plan.possible
        planned_deal, planned_count, planned_revolution = deal, n_cards, revolution
        if hopeless then
            return
        elseif view.rules.sequences then
            make_plan(view.hand, revolution)
        else
            plan.reserved = nil
        end
    end
end

local function is_free(play)
    for _, card in play.cards do
        if plan.reserved[card] then
            return false
        end
    end
    return true
end

---------------------------------------------------------------- Two cards left

-- Returns true if no unseen card could legally be played on this single (evaluation 0 in the paper). The lock, the order of
-- ranks, the joker and ♠3 are considered, including a lock or reversed order that the single itself causes.
local function is_sure(view, single, reversed)
    if single.effects.cut then
        return true
    end
    local unseen = {}
    for _, card in cards.all do
        unseen[card] = true
    end
    for _, card in view.hand do
        unseen[card] = nil
    end
    for _, card in view.gone do
        unseen[card] = nil
    end
    if single.joker then
        return not unseen.S3
    end
    if single.effects.eleven_back then
        reversed = not reversed
    end
    local locked = view.lock or single.effects.lock
    for card in unseen do
        local rank = RANK[card]
        local beats = rank == JOKER_RANK or if reversed then rank < single.rank else rank > single.rank
        if beats and (rank == JOKER_RANK or not locked or SUIT[card] == single.suits) then
            return false
        end
    end
    return true
end

-- Returns the index of the weaker single that certainly wins the trick, so that the other card can be led next. Returns nil if
-- there is none, or if both cards can be played at once.
local function first_of_two(view, legal, reversed)
    local best, least = nil, NEVER
    for i, play in legal do
        if play.count == 2 then
            return nil
        end
        if play.kind == "single" then
            local key = strength(play, reversed) * 16 + place(play)
            if key < least and is_sure(view, play, reversed) then
                best, least = i, key
            end
        end
    end
    return best
end

---------------------------------------------------------------- Decisions

-- Returns the index of the weakest sequence of the plan. Few players can answer it, and a lost lead may not come back.
local function lead_planned(legal, reversed)
    local best, least = 1, NEVER
    for i, play in legal do
        if plan.sequences[SEQUENCE[play]] then
            local key = strength(play, reversed) * 16 + place(play)
            if key < least then
                best, least = i, key
            end
        end
    end
    return best
end

-- Returns the number of ranks in a hand without the cards of a play, if one is given.
local function ranks_without(hand, play)
    local left = 0
    for _, card in hand do
        if not (play and table.find(play.cards, card)) then
            left = bor(left, RANK_BIT[card])
        end
    end
    return count_ranks(band(left, SUITED))
end

-- Returns true if the play can be led. With `stairs`, a sequence that is not in the plan must save a move or contain one of the
-- strongest ranks.
local function may_lead(view, play)
    if not STAIRS or play.kind ~= "sequence" then
        return true
    end
    local is_strong
    if view.revolution then
        is_strong = play.column <= 4
    else
        is_strong = play.column + play.count - 1 > 9
    end
    return is_strong or ranks_without(view.hand) > ranks_without(view.hand, play) + 1
end

-- Returns the index of the play with the smallest key among those that use a card of the weakest rank in the hand.
local function lead(view, legal, reversed)
    if STAIRS and plan.reserved then
        return lead_planned(legal, reversed)
    end
    local ranks = 0
    for _, play in legal do
        ranks = bor(ranks, USED[play])
    end
    -- Every card can be led alone, so these are the ranks of the hand. If only the joker is left, it is led.
    local suited, weakest = band(ranks, SUITED), lshift(1, JOKER_RANK)
    if suited ~= 0 then
        weakest = if reversed then lshift(1, 31 - countlz(suited)) else band(suited, -suited)
    end
    local keys = LEAD[reversed]
    local best, least = 1, NEVER
    for i, play in legal do
        if btest(USED[play], weakest) or play.kind == "pass" then
            local key = keys[play]
            if key < least and may_lead(view, play) then
                best, least = i, key
            end
        end
    end
    return best
end

-- Returns true if a group takes all cards of its rank from the hand, and for a pass.
local function takes_rank(play, hand)
    local left = if play.joker then play.count - 1 else play.count
    for _, card in hand do
        if RANK[card] == play.rank then
            left -= 1
        end
    end
    return left == 0
end

local function follow(view, legal, reversed)
    local keys = FOLLOW[reversed][view.table.kind]
    local reserved = STAIRS and plan.reserved
    local whole = WHOLE and view.table.kind == "group"
    local best, least = 1, NEVER
    for i, play in legal do
        local key = keys[play]
        if key < least and (not reserved or is_free(play)) and (not whole or takes_rank(play, view.hand)) then
            best, least = i, key
        end
    end
    return best
end

-- Returns true if this seat made the play on the table and all other seats with cards have passed: a pass then wins the trick.
local function own_trick(view)
    local me = view.seat
    if view.table_seat ~= me then
        return false
    end
    local passed, out = view.passed, view.out
    for seat = 1, 5 do
        if not (seat == me or passed[seat] or out[seat]) then
            return false
        end
    end
    return true
end

local function act(view, legal)
    local n_cards = view.cards_left[view.seat]
    local reversed = view.revolution ~= view.eleven_back
    if HISTORY and n_cards == 2 then
        local index = first_of_two(view, legal, reversed)
        if index then
            return index
        end
    end
    if STAIRS then
        keep_plan(view, n_cards)
    end
    if view.table == nil then
        return lead(view, legal, reversed)
    elseif own_trick(view) then
        return 1 -- The pass is the first entry of every list.
    end
    return follow(view, legal, reversed)
end

-- Gives the weakest cards by rank, within a rank in the order ♣ ♦ ♥ ♠, so that ♠3, which beats the joker, is kept longer.
local function exchange(view, legal)
    local hand = table.clone(view.hand)
    table.sort(hand, function(a, b)
        if RANK[a] ~= RANK[b] then
            return RANK[a] < RANK[b]
        end
        return SUIT_NUMBER[SUIT[a]] > SUIT_NUMBER[SUIT[b]]
    end)
    -- The rules list the strongest gifts first.
    for i = #legal, 1, -1 do
        local all_given = true
        for place = 1, view.give do
            all_given = all_given and table.find(legal[i].cards, hand[place]) ~= nil
        end
        if all_given then
            return i
        end
    end
    return 1
end

return {
    bot = { version = "1.0", description = "Play styles of Satō and Itō with switches; plays like all-k by default" },
    act = act,
    exchange = exchange,
}
