import signal

import pytest

from herald import Project, binary


def pytest_configure(config):
    config.addinivalue_line("markers", "covers(*ids): the statements of Tests/Coverage/statements.tsv that the test shows")


def pytest_sessionstart(session):
    """Fails, instead of skipping, if the binary is missing."""
    if binary() is None:
        pytest.exit("the herald binary is missing: build it, or name it in $HERALD", returncode=1)
    # A shell starts background jobs with SIGINT ignored, and what they start inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def project(tmp_path):
    """An empty project without topics and campaigns."""
    return Project(tmp_path / "project")
