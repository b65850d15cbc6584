// @NAME@: @ABOUT@.
// hattari-game: @game@

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The bot, and the code that exchanges messages with Hattari. */
public final class Bot {
    /**
     * Starts a block (a series of deals). The keys of `block` are game, options, players, player
     * (your number, from 1), deals, seed (for your random numbers) and config.
     */
    @SuppressWarnings("unchecked")
    static void start(Map<String, Object> block) {
        // The settings that a league gives under `config`. This bot has no settings, so it rejects
        // them.
        for (String key : ((Map<String, Object>) block.get("config")).keySet()) {
            throw new IllegalArgumentException("there is no setting '" + key + "'");
        }
    }

@DECIDE@

    /** Handles the start of a deal, after the cards have been dealt. */
    static void dealStart(Map<String, Object> view) {}

    /** Handles the end of a deal. `payoffs` contains the payoff of each player. */
    static void dealEnd(Map<String, Object> view, List<Object> payoffs) {}

    // The rest of this file exchanges messages with Hattari: each message is a line of JSON.
    // Hattari's guide bots/programs/README.md describes them. Printed text goes to standard error;
    // reports show it together with faults. Standard output is for messages only.

    /** An action, and the amount if the action needs one. */
    record Choice(Map<String, Object> action, long amount) {
        Choice(Map<String, Object> action) {
            this(action, 0);
        }
    }

    static long number(Map<String, Object> of, String name) {
        return (Long) of.get(name);
    }

    @SuppressWarnings("unchecked")
    static <T> List<T> list(Map<String, Object> of, String name) {
        return (List<T>) of.get(name);
    }

    /** Returns the first action of a kind, or null if there is none. */
    static Map<String, Object> find(List<Map<String, Object>> legal, String kind) {
        for (Map<String, Object> action : legal) {
            if (kind.equals(action.get("kind"))) return action;
        }
        return null;
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        say(out, "{\"type\": \"hello\", \"protocol\": 1}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<Object> history = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> message = (Map<String, Object>) new Json(line).value();
            Map<String, Object> view = (Map<String, Object>) message.get("view");
            String type = (String) message.get("type");
            if (type.equals("deal_start")) history.clear();
            if (view != null) {
                // All events of the deal, oldest first. A message contains only the new ones.
                history.addAll(Bot.<Object>list(message, "events"));
                view.put("history", history);
            }
            switch (type) {
                case "act" -> {
                    List<Map<String, Object>> legal = list(message, "legal");
                    // `act` may sort or filter its list.
                    Choice choice = act(view, new ArrayList<>(legal));
                    int index = legal.indexOf(choice.action()) + 1;
                    long id = number(message, "id");
                    say(out, "{\"id\":" + id + ",\"action\":" + index + ",\"amount\":" + choice.amount() + "}");
                }
                case "deal_start" -> dealStart(view);
                case "deal_end" -> dealEnd(view, list(message, "payoffs"));
                case "block_start" -> {
                    if (!((String) message.get("game")).split("/")[0].equals("@game@")) {
                        say(out, "{\"refuse\": \"this bot plays @game@ only\"}");
                        return;
                    }
                    start(message);
                    say(out, "{\"type\": \"ready\"}");
                }
                case "block_end" -> {
                    return;
                }
                default -> {}
            }
        }
    }

    static void say(PrintStream out, String message) {
        out.print(message + "\n");
        out.flush();
    }

    /** Parses JSON: objects become maps, arrays become lists, integers become Long or BigInteger. */
    static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            char c = next();
            switch (c) {
                case '{': {
                    Map<String, Object> map = new HashMap<>();
                    at++;
                    while (next() != '}') {
                        if (text.charAt(at) == ',') at++;
                        String key = string();
                        next();
                        at++;
                        map.put(key, value());
                    }
                    at++;
                    return map;
                }
                case '[': {
                    List<Object> list = new ArrayList<>();
                    at++;
                    while (next() != ']') {
                        if (text.charAt(at) == ',') at++;
                        list.add(value());
                    }
                    at++;
                    return list;
                }
                case '"':
                    return string();
                case 't':
                    at += 4;
                    return true;
                case 'f':
                    at += 5;
                    return false;
                case 'n':
                    at += 4;
                    return null;
                default:
                    int start = at;
                    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
                    String number = text.substring(start, at);
                    if (!number.chars().allMatch(d -> d == '-' || Character.isDigit(d))) return Double.parseDouble(number);
                    BigInteger integer = new BigInteger(number);
                    if (integer.bitLength() > 63) return integer;
                    return integer.longValue();
            }
        }

        /** Returns the next character that is not a space. */
        private char next() {
            while (text.charAt(at) == ' ') at++;
            return text.charAt(at);
        }

        private String string() {
            next();
            StringBuilder string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else {
                        int known = "bfnrt".indexOf(c);
                        if (known >= 0) c = "\b\f\n\r\t".charAt(known);
                    }
                }
                string.append(c);
            }
            at++;
            return string.toString();
        }
    }
}
