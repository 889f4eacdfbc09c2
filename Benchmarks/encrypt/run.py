#!/usr/bin/python3
"""Measures encrypted sends: run.py HERALD SINK FOLDER

Herald sends the same campaign to 100,000 registrations in the clear and encrypted with the key of each row, in turns,
with an encrypted state. Sink and sender have one core each, in a separate network namespace; a second part gives the
sender both cores. The sink counts the sends and measures their times. The exit code is 1 if a limit is exceeded.
HERALD_BENCH_FIRST=1 gives all processes priority over other load.
"""

import base64
import csv
import importlib.util
import os
import shutil
import statistics
import sys
from pathlib import Path

SENDER = importlib.util.spec_from_file_location("sender", Path(__file__).parents[1] / "send/run.py")
sender = importlib.util.module_from_spec(SENDER)
sys.modules["sender"] = sender
SENDER.loader.exec_module(sender)

ROUNDS, SENDS, OF_PLAIN = 5, 100_000, 0.5
# Points of the curve: the cost of an envelope does not depend on the key.
KEYS = ["3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08", "hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo"]
CAMPAIGN = """\
campaign: tides
audience: { registrations: { file: list.csv, public_key: key } }
message:
  data: { station: "{{station}}", height: "{{height}} m", text: "{{name}}: high water at 14:32", campaign: tides-2026-11 }
delivery: { ttl: 1h }
"""


class Bench(sender.Bench):
    """Sends of one campaign, in the clear or encrypted."""

    def __init__(self, herald: Path, sink: Path, folder: Path):
        self.herald, self.sink, self.folder = herald, sink, folder
        self.ca = sender.certificate(folder)
        self.rows, self.more = rows(folder / "keys.csv"), ""
        os.environ["HERALD_BENCH_KEY"] = base64.b64encode(bytes(range(32))).decode()

    def project(self, url: str, count: int, registrations: Path) -> Path:
        folder = self.folder / "project"
        for path in (folder, self.folder / "seen"):
            shutil.rmtree(path, ignore_errors=True)
        (folder / "campaigns").mkdir(parents=True)
        (folder / "herald.yaml").write_text(
            "version: 1\nproject: bench\nenvironments:\n  bench:\n"
            f"    emulator: {{ url: '{url}', ca: ca.pem, credentials: key.json }}\n"
            "    state: { encryption: { key: env:HERALD_BENCH_KEY } }\n"
            f"    pace: {{ sends_per_minute: {sender.PACE} }}\n")
        shutil.copy(self.ca, folder / "ca.pem")
        sender.account_key(folder, "key.json")
        (folder / "campaigns/tides.yaml").write_text(CAMPAIGN + self.more)
        os.link(registrations, folder / "list.csv")
        return folder

    def load(self, encrypted: bool) -> sender.Load:
        self.more = "encrypt: {}\n" if encrypted else ""
        load = self.apply(SENDS, self.rows)
        load.cpu *= 1e6 / SENDS
        return load


def rows(path: Path) -> Path:
    """Writes registrations with keys and three more columns."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["registration", "key", "name", "height", "station"])
        for n in range(SENDS):
            mixed = f"{n * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
            writer.writerow([f"phone{n:07}:APA91b{'r' * 128}{mixed}", KEYS[n % 2], sender.NAMES[n % 8],
                             f"{n % 40 / 10}", sender.STATIONS[n % 5]])
    return path


def main() -> int:
    sender.enter_namespace()
    herald, sink = (Path(text).absolute() for text in sys.argv[1:3])
    folder = Path(sys.argv[3]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(herald, sink, folder)
    kept = True
    print("| cores of the sender | text | sends per second: median (best) | CPU µs per send |")
    print("| --- | --- | ---: | ---: |")
    for cores in (str(sender.SENDER_CORE), f"{sender.SENDER_CORE},{sender.SINK_CORE}"):
        sender.pinned = lambda core, cores=cores: [
            *sender.first(), "taskset", "--cpu-list", cores if core == sender.SENDER_CORE else str(core)]
        loads = {False: [], True: []}
        for _ in range(ROUNDS):
            for encrypted, each in loads.items():
                each.append(bench.load(encrypted))
        for encrypted, each in loads.items():
            print(f"| {cores} | {'encrypted' if encrypted else 'plain'} | {statistics.median(load.rate for load in each):,.0f} "
                  f"({max(load.rate for load in each):,.0f}) | {statistics.median(load.cpu for load in each):.1f} |", flush=True)
        ratio = statistics.median(a.rate / b.rate for a, b in zip(loads[True], loads[False]))
        if "," in cores:
            print(f"\nof the plain rate on two cores × {ratio:.2f}")
        else:
            kept = sender.verdict("of the plain rate on one core ×", ratio, "least", OF_PLAIN)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
