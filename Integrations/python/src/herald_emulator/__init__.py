"""The FCM emulator of Herald in Python tests."""

from .emulator import Emulator
from .errors import EmulatorError, ExpectationError
from .project import Project

__all__ = ["Emulator", "EmulatorError", "ExpectationError", "Project"]
