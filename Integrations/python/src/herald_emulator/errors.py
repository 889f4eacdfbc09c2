"""The errors of the emulator."""


class EmulatorError(Exception):
    """The emulator refused a request or could not be started."""

    def __init__(self, message, status=None, answer=None):
        super().__init__(message)
        self.status, self.answer = status, answer


class ExpectationError(EmulatorError, AssertionError):
    """Another number of messages or requests matched than the test expects."""
