-- @NAME@: wins tricks as cheaply as it can, and leaves to partner what partner wins.

-- What a league sets under `config` is in this table. So far there is nothing to set.
for key in config do error(`there is no setting '{key}'`, 0) end

local trumps = { spades = "S", hearts = "H", diamonds = "D", clubs = "C" }

-- What a card is worth in a trick of the led suit: trumps beat the led suit, which beats everything else.
local function worth(card: Card, led: string, trump: string?): number
  local suit, rank = cards.suit[card], cards.rank[card]
  return if suit == trump then 200 + rank elseif suit == led then 100 + rank else 0
end

-- Your turn. `view` is all that you may know, `legal` lists the cards that may be played; the answer is a place in that list,
-- from 1. Declarer is asked for dummy's cards, too.
local function act(view: View, legal: { Action }): number
  local trump = trumps[view.strain]
  local led, high, partner_wins = nil, -1, false
  for i = 1, view.on_table do
    local card = view.cards[view.played_count - view.on_table + i] :: Card
    led = led or cards.suit[card]
    local value = worth(card, led, trump)
    if value > high then
      high, partner_wins = value, i + 1 == view.on_table
    end
  end
  local best, cheapest = 1, math.huge
  for i, action in ipairs(legal) do
    local card = action.card :: Card
    local price = cards.rank[card]
    -- Cards that do not win, or need not, come after all that do.
    if partner_wins or worth(card, led or cards.suit[card], trump) <= high then price += 100 end
    if price < cheapest then
      best, cheapest = i, price
    end
  end
  return best
end

-- Tests: functions that raise an error where the bot is not as it should be. `hattari check` and `hattari watch` run them.
local tests = {}

local spades = { { card = "SA" }, { card = "SJ" }, { card = "S2" } }

function tests.wins_as_cheaply_as_can_be()
  assert(act({ strain = "no_trump", on_table = 1, played_count = 1, cards = { "S9" } }, spades) == 2)
end

function tests.leaves_partner_s_trick_to_partner()
  assert(act({ strain = "no_trump", on_table = 2, played_count = 2, cards = { "SQ", "S9" } }, spades) == 3)
end

return {
  bot = { version = "0.1.0", games = { "bridge" }, description = "Wins tricks as cheaply as it can" },
  act = act,
  tests = tests,
}
