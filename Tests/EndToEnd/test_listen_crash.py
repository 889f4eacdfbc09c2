"""A slice of `make crash-upstream`: no kill of `herald listen` loses a message or acknowledges one that is not stored."""

import subprocess
import sys

from herald import ROOT, binary, variables


def test_no_kill_loses_or_repeats_a_message():
    program = ROOT / "Tests/Upstream/crash.py"
    command = [sys.executable, program, "--messages", "2000", "--kills", "10", "--limit", "240"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=variables(HERALD=str(binary())))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "10 kills, 10 cuts, 5 drained" in result.stdout
