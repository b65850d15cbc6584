-- @NAME@: wins a trick with the lowest card that is high enough, unless partner already wins it.
--
-- `hattari show rules @game@` prints the rules. types/@game@.d.luau describes views and actions.

-- The table `config` contains the settings that a league gives under `config`. This bot has no
-- settings, so it rejects all of them.
for key in config do error(`there is no setting '{key}'`, 0) end

local trumps = { spades = "S", hearts = "H", diamonds = "D", clubs = "C" }

-- Returns the value of a card in a trick. Trumps beat the led suit, which beats the other suits.
local function worth(card: Card, led: string, trump: string?): number
  local suit, rank = cards.suit[card], cards.rank[card]
  return if suit == trump then 200 + rank elseif suit == led then 100 + rank else 0
end

-- Decides a turn: returns the index in `legal` of the card to play, from 1. `view` contains all
-- information that you have. Declarer also plays the cards of dummy.
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
    -- A card that does not win costs more. If partner already wins the trick, no card needs to win.
    if partner_wins or worth(card, led or cards.suit[card], trump) <= high then price += 100 end
    if price < cheapest then
      best, cheapest = i, price
    end
  end
  return best
end

-- Tests: functions that raise an error if the bot decides wrongly. `hattari check` and
-- `hattari watch` run them.
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
