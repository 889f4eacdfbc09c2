#!/usr/bin/python3
"""Measures the recall of a running send: run.py HERALD SINK FOLDER [--count N]

Herald sends a list of 1,000,000 registrations to the sink with the default pace. After 60,000 sends, `herald recall` is started
as a separate process. The sink logs the time of each request, with a hash of its registration: the first request to a
registration is the wrong message, the second one its replacement. FOLDER must be on a disk, because it contains the ledger.

- The last wrong request arrives within 1 s of the start of the command.
- The first replacement arrives within 2 s of it.
- Each registration that got the wrong message gets one replacement, and no other one gets anything.

The exit code is 1 if a limit is exceeded. The benchmark takes a minute.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "send"))
import run as sending  # noqa: E402

LAST_WRONG, FIRST_REPLACEMENT = 1.0, 2.0
OCCURRENCE = "tides/once/1"


def write(folder: Path, url: str, count: int) -> None:
    (folder / "campaigns").mkdir(parents=True)
    (folder / "herald.yaml").write_text(
        f"version: 1\nproject: bench\nenvironments: {{ bench: {{ emulator: {{ url: '{url}' }} }} }}\n")
    sending.registrations(folder / "campaigns/list.txt", count)
    (folder / "campaigns/tides.yaml").write_text(
        sending.CAMPAIGN.replace("registrations: list.txt", "registrations: campaigns/list.txt"))


def requests(log: Path) -> list[tuple[float, str]]:
    """Returns the time and the registration of each request, in the order of their arrival."""
    found = []
    for line in log.read_text().splitlines():
        at, _, registration = line.split()
        found.append((int(at) / 1e9, registration))
    return sorted(found)


def measure(herald: Path, program: Path, folder: Path, count: int, after: int) -> bool:
    sending.certificate(folder)
    with sending.sink(program, folder, "log") as sink:
        project = folder / "project"
        write(project, sink.clear, count)
        call = ["-e", "bench", "-C", str(project)]
        apply = subprocess.Popen([herald, "apply", "--yes", "--quiet", *call], stdout=subprocess.DEVNULL)
        while sink.account()[0] < after:
            if apply.poll() is not None:
                sys.exit(f"apply ended after {sink.account()[0]:,} sends with {apply.returncode}")
            time.sleep(0.01)
        begin = time.monotonic()
        subprocess.run(
            [herald, "recall", OCCURRENCE, "--confirm", OCCURRENCE, *call], check=True, stdout=subprocess.DEVNULL)
        took = time.monotonic() - begin
        apply.wait()
    seen: set[str] = set()
    wrong, replaced = [], []
    for at, registration in requests(folder / "log"):
        (replaced if registration in seen else wrong).append(at)
        seen.add(registration)
    last, first = max(wrong) - begin, min(replaced, default=float("inf")) - begin
    print(f"{len(wrong):,} wrong messages, {len(replaced):,} replacements, {took:.1f} s")
    return all([
        sending.verdict("last wrong request after the command, in seconds", last, "most", LAST_WRONG),
        sending.verdict("first replacement after the command, in seconds", first, "most", FIRST_REPLACEMENT),
        sending.verdict("messages without a replacement", len(wrong) - len(replaced), "most", 0),
        sending.verdict("further replacements", len(replaced) - len(wrong), "most", 0),
    ])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("herald", type=Path)
    options.add_argument("sink", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("--count", type=int, default=1_000_000)
    options.add_argument("--after", type=int, default=60_000, help="sends before the recall")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        is_good = measure(
            chosen.herald.resolve(), chosen.sink.resolve(), Path(folder), chosen.count, chosen.after)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
