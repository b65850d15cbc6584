    /**
     * Returns the cost of a play. A pass costs most, then the joker. A revolution reverses the
     * order of the columns.
     */
    static long cost(Map<String, Object> action, boolean reversed) {
        if (action.get("kind").equals("pass")) return 1000;
        if (action.get("joker") != null) return 500;
        long column = number(action, "column");
        return 20 * (reversed ? 15 - column : column) - number(action, "count");
    }

    /** Returns the action with the lowest cost: weak cards before strong ones, two before one. */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        // In the exchange before a game, give away the weakest cards: they are last in the list.
        if (view.get("phase").equals("exchange")) return new Choice(legal.get(legal.size() - 1));
        boolean reversed = !view.get("revolution").equals(view.get("eleven_back"));
        Map<String, Object> best = legal.get(0);
        for (Map<String, Object> action : legal) {
            if (cost(action, reversed) < cost(best, reversed)) best = action;
        }
        return new Choice(best);
    }
