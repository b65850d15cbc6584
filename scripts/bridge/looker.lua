-- Samples `config.deals` random deals of the cards that it cannot see, lets the host solve each deal double dummy, and plays
-- the card that is best on average for its side. A seat that has shown out of a suit gets no cards of it; the calls are
-- ignored. While hands have more cards than `config.solves_from`, it plays its lowest card.
local DEALS = config.deals or 8
local SOLVES_FROM = config.solves_from or 8

-- Returns the suits of which each seat is known to have no cards.
local function voids(view)
    local out = { {}, {}, {}, {} }
    local led = nil
    local count = 0
    for _, event in view.history do
        if event.kind == "card" then
            if count % 4 == 0 then
                led = cards.suit[event.card]
            elseif cards.suit[event.card] ~= led then
                out[event.seat][led] = true
            end
            count += 1
        end
    end
    return out
end

-- Returns a random deal of the unseen cards. Cards that only one seat can hold are dealt first.
local function deal(view, unseen, hidden, room, out)
    local hands = { {}, {}, {}, {} }
    hands[view.seat] = view.hand
    if view.dummy_shown then
        hands[view.dummy] = view.dummy_hand
    end
    local left = table.clone(room)
    local rest = {}
    for _, card in unseen do
        local only, takers = nil, 0
        for _, seat in hidden do
            if not out[seat][cards.suit[card]] then
                only, takers = seat, takers + 1
            end
        end
        if takers == 1 then
            table.insert(hands[only], card)
            left[only] -= 1
        else
            table.insert(rest, card)
        end
    end
    for i = #rest, 2, -1 do
        local j = math.random(i)
        rest[i], rest[j] = rest[j], rest[i]
    end
    local at = 1
    for _, seat in hidden do
        for _ = 1, left[seat] do
            table.insert(hands[seat], rest[at])
            at += 1
        end
    end
    return hands
end

local function lowest(legal)
    local best = 1
    for i, action in legal do
        if cards.rank[action.card] < cards.rank[legal[best].card] then
            best = i
        end
    end
    return best
end

local function act(view, legal)
    local held = 13 - view.played_count // 4
    if held > SOLVES_FROM then
        return lowest(legal)
    end
    local seen, hidden, room = {}, {}, {}
    for _, card in view.hand do
        seen[card] = true
    end
    for _, card in view.dummy_hand do
        seen[card] = true
    end
    for seat, played in view.played do
        for _, card in played do
            seen[card] = true
        end
        if seat ~= view.seat and not (view.dummy_shown and seat == view.dummy) then
            table.insert(hidden, seat)
            room[seat] = 13 - #played
        end
    end
    local unseen = {}
    for _, card in cards.all do
        if not seen[card] then
            table.insert(unseen, card)
        end
    end
    local out, sums = voids(view), table.create(#legal, 0)
    local deals = {}
    for _ = 1, DEALS do
        table.insert(deals, deal(view, unseen, hidden, room, out))
    end
    for _, row in double_dummy.tricks(deals) do
        for i, tricks in row do
            sums[i] += if view.seat == view.declarer then tricks else -tricks
        end
    end
    -- Among equally good cards, the lowest is played, because it reveals least.
    local best = 1
    for i, sum in sums do
        local cheaper = cards.rank[legal[i].card] < cards.rank[legal[best].card]
        if sum > sums[best] or (sum == sums[best] and cheaper) then
            best = i
        end
    end
    return best
end

return { bot = { version = "1.0.0", description = "Plays the card that is best on average in random deals that the host solves" }, act = act }
