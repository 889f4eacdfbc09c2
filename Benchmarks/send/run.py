#!/usr/bin/python3
"""Measures sending: run.py HERALD SINK CURL_MULTI PYTHON FOLDER [parts]

Herald, a C program that uses libcurl's multi interface, and the Admin SDK for Python send to the same sink in
turns. Sink and sender have one core each, in a separate network namespace. The sink, not the sender, counts the
sends and measures their times. FOLDER must be on a disk, because it contains the ledger. PYTHON has
firebase-admin. The exit code is 1 if a limit is exceeded. `parts`: rates, memory, personal (default: all).
HERALD_BENCH_FIRST=1 gives all processes priority over other load.
"""

import csv
import json
import os
import resource
import shutil
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROUNDS, SENDS, SDK_SENDS = 5, 100_000, 5_000
# The lengths of the lists in the memory benchmark.
LENGTHS = [10_000, 100_000, 1_000_000]
OF_PEER, OF_SDK, MEGABYTES = 0.8, 15, 100
# Personal text: the sends, the turns, and the limits of the rate and of the memory.
PERSONAL_SENDS, PERSONAL_ROUNDS = 1_000_000, 3
OF_IDENTICAL, PERSONAL_MEGABYTES = 0.9, 150
# The numbers of open requests of the C program; the best result counts.
PEER_OPEN = {"1.1": [16, 64], "2": [64, 100]}
# High enough that no request waits, because a pace starts at a tenth.
PACE = 100_000_000
# As long as a service account's access token.
BEARER = "ya29.c." + "x" * 1016
PATH = "/v1/projects/bench/messages:send"
SENDER_CORE, SINK_CORE = 0, 1

MESSAGE = {
    "notification": {"title": "High water at 14:32", "body": "Maré alta, 2.9 m"},
    "data": {"station": "leixoes", "height_cm": "290", "campaign": "tides-2026-11"},
    "android": {
        "priority": "HIGH", "ttl": "3600s",
        "notification": {"channel_id": "tides", "color": "#0055ff", "tag": "tide"}},
    "apns": {
        "headers": {"apns-priority": "10", "apns-collapse-id": "tides"},
        "payload": {"aps": {"sound": "default", "badge": 1}}},
    "fcm_options": {"analytics_label": "tides"},
}
CAMPAIGN = """\
campaign: tides
audience: { registrations: list.txt }
message:
  notification: { title: "High water at 14:32", body: "Maré alta, 2.9 m" }
  data: { station: leixoes, height_cm: "290", campaign: tides-2026-11 }
  android:
    notification: { channel_id: tides, color: "#0055ff", tag: tide }
  apns:
    headers: { apns-collapse-id: tides }
    payload: { aps: { sound: default, badge: 1 } }
  fcm_options: { analytics_label: tides }
delivery: { ttl: 1h, priority: high }
"""
# The same message, with three values of a list's row instead of fixed texts.
PERSONAL_CAMPAIGN = CAMPAIGN.replace("list.txt", "list.csv").replace(
    "Maré alta, 2.9 m", "{{name}}: {{height}} m").replace("station: leixoes", 'station: "{{station}}"')
NAMES = ["Ana", "João", "Zoë \"Zee\" O'Brien", "مريم", "Søren", "李雷", "Siân", "Ida 🌊"]
STATIONS = ["leixoes", "cascais", "lagos", "horta", "peniche"]


@dataclass
class Load:
    """The sends that the sink counted, and the kernel's counters of the sender."""

    rate: float
    seconds: float
    cpu: float
    megabytes: float


def first() -> list[str]:
    return ["chrt", "--fifo", "40"] if os.environ.get("HERALD_BENCH_FIRST") else []


def pinned(core: int) -> list[str]:
    return [*first(), "taskset", "--cpu-list", str(core)]


def registrations(path: Path, count: int) -> Path:
    """Writes registrations of a realistic length, 163 characters. All are distinct, and neighbors differ strongly."""
    with open(path, "w", encoding="ascii") as file:
        for n in range(count):
            mixed = f"{n * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
            file.write(f"phone{n:07}:APA91b{'r' * 128}{mixed}\n")
    return path


def rows(path: Path, count: int) -> Path:
    """Writes the same registrations as a CSV file with three more columns."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["registration", "name", "height", "station"])
        for n in range(count):
            mixed = f"{n * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
            writer.writerow([f"phone{n:07}:APA91b{'r' * 128}{mixed}", NAMES[n % 8], f"{n % 40 / 10}", STATIONS[n % 5]])
    return path


def certificate(folder: Path) -> Path:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
         "-out", folder / "certificate.pem", "-keyout", folder / "key.pem"], check=True, capture_output=True)
    return folder / "certificate.pem"


def account_key(folder: Path, name: str) -> None:
    """Writes a service account's key. The sink issues a token to every client."""
    key = subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
                         check=True, capture_output=True, text=True).stdout
    (folder / name).write_text(json.dumps({
        "type": "service_account", "project_id": "bench", "private_key_id": "1", "private_key": key,
        "client_email": "bench@bench.iam.gserviceaccount.com", "client_id": "1",
        "token_uri": "https://oauth2.googleapis.com/token"}))
    (folder / name).chmod(0o600)


class Sink:
    def __init__(self, folder: Path, ports: str):
        self.folder = folder
        clear, secure = ports.split()
        self.clear, self.secure = f"http://127.0.0.1:{clear}", f"https://127.0.0.1:{secure}"

    def account(self) -> tuple[int, int, int, int]:
        return struct.unpack("=4Q", (self.folder / "account").read_bytes())


@contextmanager
def sink(program: Path, folder: Path, *options: str):
    """Starts a sink for one sender, so that its counters are zero."""
    process = subprocess.Popen([*pinned(SINK_CORE), program, folder, *options], stdout=subprocess.PIPE, text=True)
    try:
        yield Sink(folder, process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


class Bench:
    def __init__(self, programs: list[Path], folder: Path):
        self.herald, self.sink, self.peer, self.python = programs
        self.folder = folder
        self.ca = certificate(folder)
        self.list = registrations(folder / "list.txt", SENDS)
        self.short = registrations(folder / "short.txt", SDK_SENDS)
        (folder / "message.json").write_text(json.dumps(MESSAGE, ensure_ascii=False))
        body = json.dumps({"message": {"token": "@"} | MESSAGE}, ensure_ascii=False, separators=(",", ":"))
        (folder / "body.json").write_text(body)

    def measured(self, command: list, count: int, expected: str | None) -> Load:
        """Runs a sender; `expected` is the required last line of its output."""
        start = time.perf_counter()
        process = subprocess.Popen(
            [*pinned(SENDER_CORE), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | {"XDG_STATE_HOME": str(self.folder / "seen")})
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if status != 0 or (expected is not None and output.strip() != expected):
            sys.exit(f"{command[0]} ended with {status}:\n{output[-2000:]}")
        sends, distinct, begin, end = self.running.account()
        if (sends, distinct) != (count, count):
            sys.exit(f"{command[0]}: {count} were to be sent; the sink has {sends}, of which {distinct} distinct")
        return Load((sends - 1) / (end - begin) * 1e9, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)

    def project(self, url: str, count: int, registrations: Path) -> Path:
        folder = self.folder / "project"
        for path in (folder, self.folder / "seen"):
            shutil.rmtree(path, ignore_errors=True)
        (folder / "campaigns").mkdir(parents=True)
        (folder / "herald.yaml").write_text(
            "version: 1\nproject: bench\nenvironments:\n"
            f"  bench:\n    emulator: {{ url: '{url}', ca: ca.pem, credentials: key.json }}\n"
            f"    pace: {{ sends_per_minute: {PACE} }}\n")
        shutil.copy(self.ca, folder / "ca.pem")
        account_key(folder, "key.json")
        is_personal = registrations.suffix == ".csv"
        (folder / "campaigns/tides.yaml").write_text(PERSONAL_CAMPAIGN if is_personal else CAMPAIGN)
        os.link(registrations, folder / f"list{registrations.suffix}")
        return folder

    def apply(self, count: int, registrations: Path, *more: str) -> Load:
        with sink(self.sink, self.folder) as self.running:
            folder = self.project(self.running.secure, count, registrations)
            load = self.measured(
                [self.herald, "apply", "--yes", "--quiet", "-e", "bench", "-C", folder, *more], count, None)
        self.check_ledger(folder, count)
        return load

    def plan(self, count: int, registrations: Path) -> Load:
        folder = self.project("https://127.0.0.1:1", count, registrations)
        start = time.perf_counter()
        process = subprocess.Popen(
            [*pinned(SENDER_CORE), self.herald, "plan", "-e", "bench", "-C", folder], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"XDG_STATE_HOME": str(self.folder / "seen")})
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0 or f"{count:,}" not in output:
            sys.exit(f"the plan ended with {status}:\n{output}")
        return Load(0, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)

    def check_ledger(self, folder: Path, count: int) -> None:
        with sqlite3.connect(folder / ".herald/bench.sqlite") as state:
            rows = state.execute("SELECT count, released, accepted FROM units").fetchall()
        state.close()
        if rows != [(count,) * 3]:
            sys.exit(f"the ledger says {rows}")

    def curl(self, version: str, opened: int) -> Load:
        with sink(self.sink, self.folder) as self.running:
            url = (self.running.secure if version == "2" else self.running.clear) + PATH
            return self.measured(
                [self.peer, url, self.list, self.folder / "body.json", BEARER, str(opened), version, self.ca],
                SENDS, f"{SENDS} 0 0")

    def admin(self, how: str) -> Load:
        with sink(self.sink, self.folder) as self.running:
            script = Path(__file__).with_name("admin.py")
            return self.measured(
                [self.python, "-W", "ignore", script, self.running.clear, self.short, self.folder / "message.json", BEARER, how],
                SDK_SENDS, str(SDK_SENDS))


def verdict(what: str, value: float, sign: str, limit: float) -> bool:
    holds = value >= limit if sign == "least" else value <= limit
    print(f"{what} {value:,.2f} of at {sign} {limit:,g}: {'holds' if holds else 'BROKEN'}", flush=True)
    return holds


def rates(bench: Bench) -> list[bool]:
    peers = {f"C over libcurl, HTTP/{version}, {opened} open": (version, opened)
             for version, each in PEER_OPEN.items() for opened in each}
    loads: dict[str, list[Load]] = {}

    def note(name: str, load: Load, count: int) -> None:
        load.cpu *= 1e6 / count
        loads.setdefault(name, []).append(load)
        print(f"  {name}: {load.rate:,.0f}", file=sys.stderr)

    for _ in range(ROUNDS):
        note("herald", bench.apply(SENDS, bench.list), SENDS)
        for name, how in peers.items():
            note(name, bench.curl(*how), SENDS)
        for how in ("send_each", "send_each_async"):
            note(how, bench.admin(how), SDK_SENDS)
    print("| sender | sends per second: median (best) | CPU µs per send | of the whole run: sends per second | MB |")
    print("| --- | ---: | ---: | ---: | ---: |")
    middle = {}
    for name, each in loads.items():
        count = SDK_SENDS if name.startswith("send_each") else SENDS
        middle[name] = statistics.median(load.rate for load in each)
        print(f"| {name} | {middle[name]:,.0f} ({max(load.rate for load in each):,.0f}) "
              f"| {statistics.median(load.cpu for load in each):.1f} "
              f"| {count / statistics.median(load.seconds for load in each):,.0f} "
              f"| {max(load.megabytes for load in each):.0f} |")
    print()
    best = max(peers, key=lambda name: middle[name])
    ratio = statistics.median(a.rate / b.rate for a, b in zip(loads["herald"], loads[best]))
    sdk = statistics.median(a.rate / b.rate for a, b in zip(loads["herald"], loads["send_each"]))
    return [verdict(f"of {best} ×", ratio, "least", OF_PEER), verdict("of send_each ×", sdk, "least", OF_SDK)]


def memory(bench: Bench) -> list[bool]:
    print("\n| registrations | plan: seconds | plan: MB | apply: seconds | apply: MB | sends per second |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    largest = 0.0
    for count in LENGTHS:
        path = registrations(bench.folder / "long.txt", count)
        plan, apply = bench.plan(count, path), bench.apply(count, path)
        largest = max(plan.megabytes, apply.megabytes)
        print(f"| {count:,} | {plan.seconds:.1f} | {plan.megabytes:.0f} | {apply.seconds:.1f} "
              f"| {apply.megabytes:.0f} | {apply.rate:,.0f} |", flush=True)
        path.unlink()
    print()
    return [verdict(f"MB at {LENGTHS[-1]:,}", largest, "most", MEGABYTES)]


def personal(bench: Bench) -> list[bool]:
    lists = {"identical": registrations(bench.folder / "long.txt", PERSONAL_SENDS),
             "personal": rows(bench.folder / "long.csv", PERSONAL_SENDS)}
    loads: dict[str, list[Load]] = {name: [] for name in lists}
    for _ in range(PERSONAL_ROUNDS):
        for name, path in lists.items():
            loads[name].append(bench.apply(PERSONAL_SENDS, path))
            print(f"  {name}: {loads[name][-1].rate:,.0f}", file=sys.stderr)
    print("\n| text | sends per second: median | CPU µs per send | apply: seconds | MB |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, each in loads.items():
        print(f"| {name} | {statistics.median(load.rate for load in each):,.0f} "
              f"| {statistics.median(load.cpu for load in each) * 1e6 / PERSONAL_SENDS:.1f} "
              f"| {statistics.median(load.seconds for load in each):.1f} | {max(load.megabytes for load in each):.0f} |")
    print()
    for path in lists.values():
        path.unlink()
    ratio = statistics.median(a.rate / b.rate for a, b in zip(loads["personal"], loads["identical"]))
    most = max(load.megabytes for load in loads["personal"])
    return [verdict("of identical texts ×", ratio, "least", OF_IDENTICAL),
            verdict("MB with personal text", most, "most", PERSONAL_MEGABYTES)]


def enter_namespace() -> None:
    """Enters a network namespace with a separate loopback, without the pacing of the machine's congestion control."""
    if os.environ.get("HERALD_BENCH_INSIDE"):
        return
    script = "ip link set lo up && sysctl -qw net.ipv4.tcp_congestion_control=reno && exec \"$@\""
    unshare = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--net", "--map-root-user"]
    os.environ["HERALD_BENCH_INSIDE"] = "1"
    os.execvp("unshare", [*unshare, "sh", "-c", script, "sh", sys.executable, *sys.argv])


def main() -> int:
    enter_namespace()
    programs = [Path(text).absolute() for text in sys.argv[1:5]]
    place = Path(sys.argv[5]).resolve()
    parts = sys.argv[6:] or ["rates", "memory", "personal"]
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="send-", dir=place) as name:
        bench = Bench(programs, Path(name))
        holds = []
        if "rates" in parts:
            holds += rates(bench)
        if "memory" in parts:
            holds += memory(bench)
        if "personal" in parts:
            holds += personal(bench)
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
