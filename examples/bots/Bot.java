import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays tic-tac-toe and Connect Four with an eye for lines, and any other game at random.
 *
 * <p>It completes a line if it can, else prevents the rival from completing one. Java 17 or later runs it as it stands:
 * {@code java Bot.java}.
 */
public class Bot {
    /** Answers a line with a line until there are no more. */
    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var bot = new Bot();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(bot.answer(new Json(line).object()));
        }
    }

    private String game = "";
    private int player;

    private String answer(Map<String, Object> question) {
        String id = "{\"id\":" + integer(question.get("id"));
        switch ((String) question.get("type")) {
            case "hello":
                return id + ",\"protocol\":1}";
            case "game":
                game = (String) question.get("game");
                player = integer(question.get("player"));
                return id + "}";
            case "act":
                return id + ",\"index\":" + choice(question) + "}";
            default:
                return id + "}";
        }
    }

    private int choice(Map<String, Object> question) {
        List<String> texts = new ArrayList<>();
        for (Object action : list(question.get("actions"))) {
            texts.add((String) object(action).get("text"));
        }
        if (game.equals("tic_tac_toe") || game.equals("connect_four")) {
            var grid = new Grid(object(list(object(question.get("observation")).get("components")).get(0)));
            for (int mark : new int[] {player, 1 - player}) {
                for (int index = 0; index < texts.size(); index++) {
                    if (grid.isCompletedBy(texts.get(index), mark, game.equals("tic_tac_toe") ? grid.width : 4)) {
                        return index;
                    }
                }
            }
        }
        return integer(question.get("random")) % texts.size();
    }

    /** A board of marks. */
    private static class Grid {
        private static final int[][] DIRECTIONS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        final int width;
        final int height;
        private final List<Object> items;
        private final List<Object> places;

        Grid(Map<String, Object> component) {
            width = integer(component.get("width"));
            height = integer(component.get("height"));
            items = list(component.get("items"));
            places = list(component.get("places"));
        }

        /** Tells whether a mark in an empty place, or dropped into the column of that name, completes a line. */
        boolean isCompletedBy(String place, int mark, int length) {
            int cell = places.size() - 1;
            while (integer(items.get(cell)) >= 0 || !((String) places.get(cell)).startsWith(place)) {
                cell--;
            }
            for (int[] step : DIRECTIONS) {
                int joined = 1 + marks(cell, step[0], step[1], mark) + marks(cell, -step[0], -step[1], mark);
                if (joined >= length) {
                    return true;
                }
            }
            return false;
        }

        private int marks(int cell, int dx, int dy, int mark) {
            int found = 0;
            int x = cell % width + dx;
            int y = cell / width + dy;
            while (x >= 0 && x < width && y >= 0 && y < height && integer(items.get(y * width + x)) == mark) {
                found++;
                x += dx;
                y += dy;
            }
            return found;
        }
    }

    private static int integer(Object value) {
        return ((Double) value).intValue();
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    /** Reads JSON into maps, lists, texts, numbers of the class Double, Boolean and null. */
    private static class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Map<String, Object> object() {
            Map<String, Object> found = new LinkedHashMap<>();
            expect('{');
            while (!isNext('}')) {
                String name = string();
                expect(':');
                found.put(name, value());
                isNext(',');
            }
            return found;
        }

        private Object value() {
            switch (peek()) {
                case '{':
                    return object();
                case '[':
                    List<Object> found = new ArrayList<>();
                    expect('[');
                    while (!isNext(']')) {
                        found.add(value());
                        isNext(',');
                    }
                    return found;
                case '"':
                    return string();
                default:
                    return word();
            }
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Double.valueOf(word);
            };
        }

        private String string() {
            var found = new StringBuilder();
            expect('"');
            for (char next = text.charAt(at++); next != '"'; next = text.charAt(at++)) {
                found.append(next == '\\' ? escaped() : next);
            }
            return found.toString();
        }

        private char escaped() {
            char letter = text.charAt(at++);
            if (letter == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            int known = "nrtbf".indexOf(letter);
            return known < 0 ? letter : "\n\r\t\b\f".charAt(known);
        }

        private char peek() {
            while (text.charAt(at) == ' ') {
                at++;
            }
            return text.charAt(at);
        }

        private boolean isNext(char letter) {
            boolean found = peek() == letter;
            at += found ? 1 : 0;
            return found;
        }

        private void expect(char letter) {
            if (!isNext(letter)) {
                throw new IllegalArgumentException("no " + letter + " at " + at);
            }
        }
    }
}
