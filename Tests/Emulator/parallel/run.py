#!/usr/bin/python3
"""Runs the parallel tests against one emulator: run.py [--repeat N] [--limit SECONDS]

Builds the wheel of Integrations/python and installs it, so that the tests use what users install. Needs the virtual
environment of the tests (make-environments.sh) and HERALD, or the release build.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PYTHON = ROOT / ".venv/bin/python"
# Plugins of other tests in the same environment, whose start would take longer than these tests.
OTHERS = ("schemathesis", "hypothesispytest", "anyio")


def installed(folder):
    """Builds the wheel and installs it into a folder, which it returns."""
    pip = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    # A build writes next to its source.
    source = shutil.copytree(ROOT / "Integrations/python", Path(folder) / "source")
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, source], check=True)
    wheel, = Path(folder).glob("herald_emulator-*.whl")
    target = Path(folder) / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", target, wheel], check=True)
    return target


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10, help="seconds for one run")
    options = parser.parse_args()
    slowest = 0
    with tempfile.TemporaryDirectory() as scratch:
        env = os.environ | {"PYTHONPATH": str(installed(scratch)), "PYTHONDONTWRITEBYTECODE": "1"}
        env.setdefault("HERALD", str(ROOT / ".build/release/herald"))
        unused = [text for name in ("cacheprovider", *OTHERS) for text in ("-p", f"no:{name}")]
        command = [PYTHON, "-m", "pytest", "-q", "-n", "8", *unused, "--rootdir", HERE, HERE]
        for number in range(1, options.repeat + 1):
            start = time.monotonic()
            done = subprocess.run(command, env=env, capture_output=True, text=True)
            slowest = max(slowest, time.monotonic() - start)
            if done.returncode != 0:
                sys.exit(f"run {number} failed\n{done.stdout}{done.stderr}")
    print(f"{options.repeat} runs of 200 tests, 8 at a time; the slowest took {slowest:.1f} s")
    if slowest > options.limit:
        sys.exit(f"a run took longer than {options.limit} s")


if __name__ == "__main__":
    main()
