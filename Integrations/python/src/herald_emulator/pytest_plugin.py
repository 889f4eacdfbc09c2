"""Fixtures for pytest: `herald_emulator`, `fcm_project`, `fcm_app` and `fcm_default_app`.

All workers of pytest-xdist share one emulator.
"""

import itertools
import os

import pytest

from .emulator import Emulator
from .errors import EmulatorError

_NUMBERS = itertools.count(1)
_SHARED = "herald_emulator"


def _shared(config):
    """Returns the emulator of the process that starts the workers; it is started once."""
    if not hasattr(config, "_herald_emulator"):
        try:
            config._herald_emulator = Emulator.connect()
        except EmulatorError as error:
            config._herald_emulator = error
    return config._herald_emulator


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Passes the emulator's address to a worker of pytest-xdist."""
    emulator = _shared(node.config)
    # A missing emulator concerns only the tests that use it.
    node.workerinput[_SHARED] = (
        {"error": str(emulator)} if isinstance(emulator, EmulatorError)
        else {"url": emulator.url, "token": emulator.token})


def pytest_unconfigure(config):
    emulator = getattr(config, "_herald_emulator", None)
    if isinstance(emulator, Emulator):
        emulator.stop()


@pytest.fixture(scope="session")
def herald_emulator(pytestconfig):
    """The emulator of this test run: the one at HERALD_EMULATOR_URL, or a new process."""
    given = getattr(pytestconfig, "workerinput", {}).get(_SHARED)
    if given is None:
        emulator = _shared(pytestconfig)
        if isinstance(emulator, EmulatorError):
            pytest.fail(str(emulator), pytrace=False)
        return emulator
    if "error" in given:
        pytest.fail(given["error"], pytrace=False)
    return Emulator(given["url"], given["token"])


@pytest.fixture
def fcm_project(herald_emulator):
    """A project for one test, without devices. Its state is dropped after the test."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    with herald_emulator.project(f"test-{worker}-{os.getpid()}-{next(_NUMBERS)}") as project:
        yield project


@pytest.fixture
def fcm_app(fcm_project):
    """An app of firebase-admin that sends to `fcm_project`."""
    from . import firebase

    with firebase.app(fcm_project) as app:
        yield app


@pytest.fixture
def fcm_default_app(fcm_project):
    """The app that `firebase_admin.get_app()` returns during the test; it sends to `fcm_project`."""
    from . import firebase

    with firebase.app(fcm_project, default=True) as app:
        yield app
