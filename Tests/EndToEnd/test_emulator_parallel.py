"""200 tests of the Python module's fixtures, 8 at a time, against one emulator."""

import os
import subprocess

from herald import ROOT, binary


def test_parallel_tests_do_not_see_each_other():
    # The machine runs other tests at the same time, so the limit of 10 s applies in `make soak` only.
    done = subprocess.run(
        [ROOT / "Tests/Emulator/parallel/run.py", "--limit", "300"], env=os.environ | {"HERALD": str(binary())},
        capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 runs of 200 tests" in done.stdout
