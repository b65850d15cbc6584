    static final String RANKS = "23456789TJQKA";
    static final Map<Object, Character> TRUMPS = Map.of("spades", 'S', "hearts", 'H', "diamonds", 'D', "clubs", 'C');

    /** Returns the value of a card in a trick of the led suit: trumps beat the led suit, which beats everything else. */
    static int worth(String card, char led, char trump) {
        int rank = RANKS.indexOf(card.charAt(1));
        return card.charAt(0) == trump ? 200 + rank : card.charAt(0) == led ? 100 + rank : 0;
    }

    /** Called on your turn. Returns one of `legal`, the cards that may be played. Declarer also chooses dummy's cards. */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        char trump = TRUMPS.getOrDefault(view.get("strain"), '-');
        int played = (int) number(view, "played_count"), lying = (int) number(view, "on_table");
        List<String> trick = Bot.<String>list(view, "cards").subList(played - lying, played);
        int high = -1;
        boolean partnerWins = false;
        for (int i = 0; i < lying; i++) {
            int value = worth(trick.get(i), trick.get(0).charAt(0), trump);
            if (value > high) {
                high = value;
                partnerWins = i + 2 == lying;
            }
        }
        Map<String, Object> best = null;
        int cheapest = Integer.MAX_VALUE;
        for (Map<String, Object> action : legal) {
            String card = (String) action.get("card");
            char led = (lying > 0 ? trick.get(0) : card).charAt(0);
            // Cards that do not win, or need not win, come after all that do.
            int price = RANKS.indexOf(card.charAt(1)) + (partnerWins || worth(card, led, trump) <= high ? 100 : 0);
            if (price < cheapest) {
                best = action;
                cheapest = price;
            }
        }
        return new Choice(best);
    }
