RANKS = "23456789TJQKA"
TRUMPS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}


def worth(card, led, trump):
    """Return the value of a card in a trick of the led suit: trumps beat the led suit, which beats everything else."""
    suit, rank = card[0], RANKS.index(card[1])
    return 200 + rank if suit == trump else 100 + rank if suit == led else 0


def act(view, legal):
    """Called on your turn. Returns one of `legal`, the cards that may be played. Declarer also chooses dummy's cards."""
    trump = TRUMPS.get(view["strain"])
    trick = view["cards"][view["played_count"] - view["on_table"] : view["played_count"]]
    led = trick[0][0] if trick else None
    values = [worth(card, led, trump) for card in trick]
    high = max(values, default=-1)
    partner_wins = len(trick) > 1 and values.index(high) == len(trick) - 2

    def price(action):
        card = action["card"]
        # Cards that do not win, or need not win, come after all that do.
        wins = not partner_wins and worth(card, led or card[0], trump) > high
        return RANKS.index(card[1]) + (0 if wins else 100)

    return min(legal, key=price)
