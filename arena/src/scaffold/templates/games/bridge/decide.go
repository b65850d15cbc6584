// View contains the fields of a view that the bot uses; add more as needed: `hattari show types lua @game@` lists them.
type View struct {
	Strain      string
	Cards       []string
	PlayedCount int `json:"played_count"`
	OnTable     int `json:"on_table"`
}

// Action is a legal action.
type Action struct {
	Card string
}

var trumps = map[string]byte{"spades": 'S', "hearts": 'H', "diamonds": 'D', "clubs": 'C'}

// rank returns the rank of a card; the two has 0.
func rank(card string) int {
	for i, name := range []byte("23456789TJQKA") {
		if name == card[1] {
			return i
		}
	}
	return -1
}

// worth returns the value of a card in a trick of the led suit: trumps beat the led suit, which beats everything else.
func worth(card string, led, trump byte) int {
	switch card[0] {
	case trump:
		return 200 + rank(card)
	case led:
		return 100 + rank(card)
	}
	return 0
}

// act returns the index in legal of the card to play; declarer also chooses dummy's cards. Wins the trick as cheaply as possible,
// unless partner wins it already; otherwise plays the lowest card.
func act(view *View, legal []Action) (int, int64) {
	trick, trump := view.Cards[view.PlayedCount-view.OnTable:view.PlayedCount], trumps[view.Strain]
	high, partnerWins := -1, false
	for i, card := range trick {
		if value := worth(card, trick[0][0], trump); value > high {
			high, partnerWins = value, i+2 == len(trick)
		}
	}
	best, cheapest := 0, 1000
	for i, action := range legal {
		led := action.Card[0]
		if len(trick) > 0 {
			led = trick[0][0]
		}
		price := rank(action.Card)
		// Cards that do not win, or need not win, come after all that do.
		if partnerWins || worth(action.Card, led, trump) <= high {
			price += 100
		}
		if price < cheapest {
			best, cheapest = i, price
		}
	}
	return best, 0
}
