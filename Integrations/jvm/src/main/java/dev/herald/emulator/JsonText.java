package dev.herald.emulator;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads texts in JSON without a JSON library. */
final class JsonText {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    private JsonText() {}

    /** Returns the text of each member with this name, at any depth. */
    static List<String> strings(String json, String member) {
        return Pattern.compile("\"" + member + "\"\\s*:\\s*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"")
                .matcher(json)
                .results()
                .map(found -> unescaped(found.group(1)))
                .toList();
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
    }

    private static String character(String escape) {
        if (escape.length() > 1) {
            return String.valueOf((char) Integer.parseInt(escape.substring(1), 16));
        }
        return switch (escape) {
            case "b" -> "\b";
            case "f" -> "\f";
            case "n" -> "\n";
            case "r" -> "\r";
            case "t" -> "\t";
            default -> escape;
        };
    }
}
