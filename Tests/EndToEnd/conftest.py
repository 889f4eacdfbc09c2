import fcntl
import os
import pickle
import signal
import subprocess
from datetime import datetime

import pytest

from herald import ROOT, Project, binary


def pytest_configure(config):
    config.addinivalue_line("markers", "covers(*ids): the statements of Tests/Coverage/statements.tsv that the test shows")


def pytest_sessionstart(session):
    """Fails, instead of skipping, if the binary is missing."""
    if binary() is None:
        pytest.exit("the herald binary is missing: build it, or name it in $HERALD", returncode=1)
    # A shell starts background jobs with SIGINT ignored, and what they start inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def hangup():
    """Starts the test's programs with SIGHUP at its default, even if `nohup` started the tests.

    A program inherits an ignored signal, and one that has a handler is at its default again. The handler keeps the
    tests alive when their terminal is closed.
    """
    before = signal.getsignal(signal.SIGHUP)
    if before == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def project(tmp_path):
    """An empty project without topics and campaigns."""
    return Project(tmp_path / "project")


@pytest.fixture(scope="module")
def shifted_clocks(tmp_path_factory):
    """Returns a function for the variables of a process whose wall clock begins at a time, and then runs on.

    `speed`: how many times as fast its clocks run.
    """
    library = tmp_path_factory.mktemp("clocks") / "shifted_clocks.so"
    subprocess.run(
        ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
         ROOT / "Tests/EndToEnd/shifted_clocks.c"], check=True)

    def shifted(start, speed=1):
        seconds = datetime.fromisoformat(start).timestamp()
        return {"LD_PRELOAD": str(library), "CLOCK_START": f"{seconds:.0f}", "CLOCK_SPEED": str(speed)}

    return shifted


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Returns `once(name, build)`, which returns what `build()` returned to the first of all test processes."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def built(name, build):
        path = root / f"{name}.pickle"
        with open(root / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                path.write_bytes(pickle.dumps(build()))
        return pickle.loads(path.read_bytes())

    return built
