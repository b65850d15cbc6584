// View contains the fields of a view that the bot uses. Add fields as you need them:
// `hattari show types lua @game@` lists all fields.
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

// worth returns the value of a card in a trick. Trumps beat the led suit, which beats the others.
func worth(card string, led, trump byte) int {
	switch card[0] {
	case trump:
		return 200 + rank(card)
	case led:
		return 100 + rank(card)
	}
	return 0
}

// act returns the index in legal of the card to play, from 0, and an amount that this game does not
// use. Declarer also plays the cards of dummy.
//
// It wins the trick with the lowest card that is high enough, unless partner already wins it.
// Otherwise it plays the lowest card.
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
		// A card that does not win costs more. If partner wins the trick, no card needs to win.
		if partnerWins || worth(action.Card, led, trump) <= high {
			price += 100
		}
		if price < cheapest {
			best, cheapest = i, price
		}
	}
	return best, 0
}
