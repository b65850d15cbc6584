// What a card is worth in a trick of the led suit: trumps beat the led suit, which beats everything else.
func worth(card, led, strain uint8) int {
	suit, rank := card/13, int(card%13)
	switch suit {
	case strain:
		return 26 + rank
	case led:
		return 13 + rank
	}
	return 0
}

// act: the place in legal of the card to be played; declarer is asked for dummy's cards, too. The trick is won as cheaply as can be,
// unless partner wins it already; else the lowest card is played.
func act(view *View, legal []Action) (int, int64) {
	trick := view.Cards[view.PlayedCount-view.OnTable : view.PlayedCount]
	high, partnerWins := -1, false
	for i, card := range trick {
		if value := worth(card, trick[0]/13, view.Strain); value > high {
			high, partnerWins = value, i+2 == len(trick)
		}
	}
	best, cheapest := 0, 100
	for i, action := range legal {
		led := action.Card / 13
		if len(trick) > 0 {
			led = trick[0] / 13
		}
		price := int(action.Card % 13)
		// Cards that do not win, or need not, come after all that do.
		if partnerWins || worth(action.Card, led, view.Strain) <= high {
			price += 13
		}
		if price < cheapest {
			best, cheapest = i, price
		}
	}
	return best, 0
}
