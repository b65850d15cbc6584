-- Deals what it cannot see at random, as often as `config.deals` says, lets the host solve each deal with open hands and plays
-- the card that is best on average for its side. Suits in which somebody has shown out stay with the others; what the calls
-- say of the hands it does not weigh. While hands have more cards than `config.solves_from` it plays its lowest card.
local DEALS = config.deals or 8
local SOLVES_FROM = config.solves_from or 8

-- Suits that each seat is known to be out of.
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

-- One deal of the cards that are not seen: those that only one seat can hold first, the rest wherever there is room.
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
    -- Of equal cards the lowest, which gives the least away.
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
