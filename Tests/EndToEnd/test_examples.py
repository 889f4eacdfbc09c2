"""The examples for other programs' tests work unchanged."""

import json
import os
import re
import subprocess
import sys
import textwrap

import pytest

from herald import DEADLINE, ROOT, Emulator, binary

EXAMPLES = ROOT / "Examples/emulator"


def run(*command, **more):
    variables = {"PATH": os.environ["PATH"], "HERALD": str(binary())} | more
    done = subprocess.run(
        list(map(str, command)), cwd=ROOT, env=variables, capture_output=True, text=True, timeout=DEADLINE)
    return done.returncode, done.stdout + done.stderr


def play(folder):
    """Runs an example's tests in the given directory."""
    return run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder)


def test_pytest_example_passes():
    code, text = play(EXAMPLES / "pytest")
    assert code == 0, text
    assert "4 passed" in text


def test_shell_example_passes():
    code, text = run(EXAMPLES / "shell/test.sh")
    assert code == 0, text
    assert "Both subscribers received the message" in text


@pytest.mark.parametrize("right, wrong, failing", [
    ("            gone.append(registration)\n", "            pass\n", "reports_registrations_of_removed_apps"),
    ("        try:\n            send(", "        send(project, bearer, message)\n        try:\n            send(", "once"),
    ("error.code not in (429, 503)", "error.code not in (429,)", "after_a_503"),
])
def test_pytest_example_detects_a_wrong_sender(tmp_path, right, wrong, failing):
    for path in (EXAMPLES / "pytest").glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text())
    text = (tmp_path / "sender.py").read_text()
    assert text.count(right) == 1
    (tmp_path / "sender.py").write_text(text.replace(right, wrong))
    code, text = play(tmp_path)
    assert code == 1, text
    assert [line for line in text.splitlines() if line.startswith("FAILED") and failing in line], text


def test_shell_example_detects_a_wrong_sender(tmp_path):
    for path in (EXAMPLES / "shell").glob("*.sh"):
        (tmp_path / path.name).write_text(path.read_text().replace('"topic":"%s"', '"topic":"%s-gone"'))
        (tmp_path / path.name).chmod(0o755)
    code, text = run(tmp_path / "test.sh")
    assert code == 1, text
    assert "but 0 did" in text


def test_commands_of_the_page_work(project):
    page = (ROOT / "Documentation/Guide/TestingYourSender.md").read_text()
    commands = re.findall(r"^(curl .*\$URL.*(?:\n  .*)*)", page, re.MULTILINE)
    assert len(commands) == 2
    with Emulator(project) as emulator:
        for command in commands:
            code, text = run("bash", "-ec", f"cd {project.folder}; " + textwrap.dedent(command), URL=emulator.url)
            assert code == 0 and '"error"' not in text.replace('"error":"UNAVAILABLE"', ""), text
        assert json.loads((project.folder / "key.json").read_text())["token_uri"] == f"{emulator.url}/token"
        assert emulator.get("/emulator/v1/faults")["rules"][0]["answer"]["error"] == "UNAVAILABLE"
