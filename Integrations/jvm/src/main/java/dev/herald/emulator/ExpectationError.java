package dev.herald.emulator;

/** Another number of messages or requests matched than the test expects. */
public final class ExpectationError extends AssertionError {
    static final int STATUS = 412;

    private static final long serialVersionUID = 1L;

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
        return JsonText.strings(answer, "message").stream().findFirst().orElse(answer);
    }
}
