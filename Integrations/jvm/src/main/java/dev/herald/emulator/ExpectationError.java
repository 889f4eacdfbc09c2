package dev.herald.emulator;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Another number of messages or requests matched than the test expects. */
public final class ExpectationError extends AssertionError {
    static final int STATUS = 412;

    private static final long serialVersionUID = 1L;
    private static final Pattern MESSAGE = Pattern.compile("\"message\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final String answer;

    ExpectationError(String answer) {
        super(message(answer));
        this.answer = answer;
    }

    /** The JSON answer, with the matches and what the project received instead. */
    public String answer() {
        return answer;
    }

    private static String message(String answer) {
        Matcher found = MESSAGE.matcher(answer);
        if (!found.find()) {
            return answer;
        }
        return found.group(1).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    }
}
