package dev.herald.emulator;

/** The emulator refused a request or cannot be reached. */
public final class EmulatorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    EmulatorException(int status, String answer) {
        super("The emulator answered " + status + ": " + answer);
        this.status = status;
    }

    EmulatorException(String message, Throwable cause) {
        super(message, cause);
        this.status = 0;
    }

    /** The HTTP status, or 0 if there was no answer. */
    public int status() {
        return status;
    }
}
