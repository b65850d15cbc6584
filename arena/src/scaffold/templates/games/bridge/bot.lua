-- @NAME@: wins tricks as cheaply as it can, unless partner wins them already.

-- This table contains the settings of the league (`config`). The bot has no settings yet.
for key in config do error(`there is no setting '{key}'`, 0) end

local trumps = { spades = "S", hearts = "H", diamonds = "D", clubs = "C" }

-- Returns the value of a card in a trick of the led suit: trumps beat the led suit, which beats everything else.
local function worth(card: Card, led: string, trump: string?): number
  local suit, rank = cards.suit[card], cards.rank[card]
  return if suit == trump then 200 + rank elseif suit == led then 100 + rank else 0
end

-- Called on your turn. `view` contains all that your seat may know, `legal` the cards that may be played. Returns an index of
-- `legal`, from 1. Declarer also chooses dummy's cards.
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
    -- Cards that do not win, or need not win, come after all that do.
    if partner_wins or worth(card, led or cards.suit[card], trump) <= high then price += 100 end
    if price < cheapest then
      best, cheapest = i, price
    end
  end
  return best
end

-- Tests: functions that raise an error if a check fails. `hattari check` and `hattari watch` run them.
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
