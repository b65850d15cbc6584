    /** What a play costs. Passes come last, the joker before them; a revolution turns the order of columns round. */
    static long cost(Map<String, Object> action, boolean reversed) {
        List<String> cards = list(action, "cards");
        switch ((String) action.get("kind")) {
            case "give": // The set whose strongest card is the weakest; the joker is stronger than all.
                return ("-3456789TJQKA2".indexOf(cards.get(cards.size() - 1).charAt(1)) + 15) % 15;
            case "pass":
                return 1000;
            default:
                if (action.get("joker") != null) return 500;
                long column = number(action, "column");
                return 10 * (reversed ? 15 - column : column) - number(action, "count");
        }
    }

    /** Your turn: one of `legal`. Weak cards before strong ones, two cards before one. */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        boolean reversed = !view.get("revolution").equals(view.get("eleven_back"));
        Map<String, Object> best = legal.get(0);
        for (Map<String, Object> action : legal) {
            if (cost(action, reversed) < cost(best, reversed)) best = action;
        }
        return new Choice(best);
    }
