    /** Returns the cost of a play. Passes come last, the joker before them; a revolution reverses the order of columns. */
    static long cost(Map<String, Object> action, boolean reversed) {
        if (action.get("kind").equals("pass")) return 1000;
        if (action.get("joker") != null) return 500;
        long column = number(action, "column");
        return 20 * (reversed ? 15 - column : column) - number(action, "count");
    }

    /** Called on your turn. Returns one of `legal`: weak cards before strong ones, two cards before one. */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        // Cards to give away: the sets are listed from the strongest to the weakest.
        if (view.get("phase").equals("exchange")) return new Choice(legal.get(legal.size() - 1));
        boolean reversed = !view.get("revolution").equals(view.get("eleven_back"));
        Map<String, Object> best = legal.get(0);
        for (Map<String, Object> action : legal) {
            if (cost(action, reversed) < cost(best, reversed)) best = action;
        }
        return new Choice(best);
    }
