    /** Returns true if two of the cards have the same rank. */
    static boolean hasPair(List<String> cards) {
        HashSet<Character> ranks = new HashSet<>();
        for (String card : cards) ranks.add(card.charAt(0));
        return ranks.size() < cards.size();
    }

    /**
     * Called on your turn. Returns one of `legal`, and for a raise the amount: your total bet on this street. Raises by half the pot
     * with its own pair, calls at odds of four to one, otherwise checks or folds.
     */
    static Choice act(Map<String, Object> view, List<Map<String, Object>> legal) {
        List<String> community = list(view, "community");
        List<String> all = new ArrayList<>(community);
        all.addAll(Bot.<String>list(view, "hand"));
        boolean paired = hasPair(all) && !hasPair(community);
        Map<String, Object> raise = find(legal, "raise");
        if (paired && raise != null && number(view, "raises") < 2) {
            long total = Math.min(number(view, "level") + number(view, "pot") / 2, number(raise, "highest"));
            return new Choice(raise, Math.max(number(raise, "lowest"), total));
        }
        if (find(legal, "check") != null) return new Choice(find(legal, "check"));
        return new Choice(find(legal, paired || number(view, "to_call") * 4 <= number(view, "pot") ? "call" : "fold"));
    }
