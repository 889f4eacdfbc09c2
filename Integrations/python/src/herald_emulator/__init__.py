"""The FCM emulator of Herald in Python tests."""

from .emulator import Emulator, EmulatorError
from .project import Project

__all__ = ["Emulator", "EmulatorError", "Project"]
