#!/usr/bin/python3
"""Measures sends and joins over a long round trip: run.py HERALD SINK RELAY PYTHON FOLDER [parts]

A relay delays all bytes between the sender and a server on loopback. The sender is Herald with its default
settings, or `send_each` of the Admin SDK for Python. The quota is 10,000 messages per second, the default pace.
Only the sink, the relay and the emulator count and measure. FOLDER must be on a disk, because it contains the
ledger. PYTHON has firebase-admin.

- rates: 500,000 sends with 100 ms and with 500 ms, measured from second 60 on, and `send_each`.
- prediction: the time of 100,000 sends with 100 ms and with 500 ms, and the prediction of `herald plan`.
- kills: Herald is killed at a random time of 100,000 sends, also on a link that drops 2 % of its connections. A
  second apply finishes the send. The unknown outcomes are counted.
- joins: 3,000 joins with 100 ms. The first batch is refused with 429 until Herald has paused four times.

The exit code is 1 if a limit is exceeded. The whole benchmark takes eight minutes. --sends 300 --long 300 --after 0
is a short trial, which cannot reach the rates.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "send"))
import run as sending  # noqa: E402

RAMP, QUOTA = 60, 10_000
# In milliseconds.
SHORT, LONG = 100, 500
USED, AT_LONG, OF_SDK, OF_PREDICTION = 0.95, 6_000, 10, 1.3
MAX_UNKNOWN, DROPPED, STREAMS = 4_000, 0.02, 100
SDK_SENDS = 5_000
JOINS, REFUSALS, JOIN_SECONDS = 3_000, 4, 5
PARTS = ["rates", "prediction", "kills", "joins"]


@contextmanager
def relay(program: Path, folder: Path, url: str, milliseconds: int, *drops: object):
    """Starts a relay to a server and returns its URL."""
    scheme, port = url.split(":")[0], url.rsplit(":", 1)[1]
    process = subprocess.Popen(
        [*sending.pinned(sending.SINK_CORE), program, folder, port, str(milliseconds), *map(str, drops)],
        stdout=subprocess.PIPE, text=True)
    try:
        yield f"{scheme}://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


def relayed(folder: Path) -> dict[str, int]:
    """Counts the events in the relay's log."""
    found: dict[str, int] = {}
    for line in (folder / "connections").read_text().splitlines():
        event = line.split()[2]
        found[event] = found.get(event, 0) + 1
    return found


def rate(times: list[float], after: float) -> float:
    """Returns the sends per second from `after` seconds after the first one on."""
    part = [at for at in times if at >= times[0] + after]
    if len(part) < 2 or part[-1] == part[0]:
        sys.exit(f"{len(times):,} sends end {times[-1] - times[0]:.1f} s after the first one; use a larger --long")
    return (len(part) - 1) / (part[-1] - part[0])


def most_open(requests: list[tuple[float, int]], seconds: float) -> int:
    """Returns the most requests of one connection within a round trip, in which none of them is answered."""
    connections: dict[int, list[float]] = {}
    for at, connection in requests:
        connections.setdefault(connection, []).append(at)
    most = 0
    for times in connections.values():
        first = 0
        for last, at in enumerate(times):
            while times[first] <= at - seconds:
                first += 1
            most = max(most, last - first + 1)
    return most


class Bench:
    def __init__(self, arguments: argparse.Namespace, folder: Path):
        self.herald, self.sink, self.relay, self.python = (
            path.absolute() for path in (arguments.herald, arguments.sink, arguments.relay, arguments.python))
        self.arguments, self.folder = arguments, folder
        self.sdk_sends = min(SDK_SENDS, arguments.sends)
        self.ca = sending.certificate(folder)
        (folder / "message.json").write_text(json.dumps(sending.MESSAGE, ensure_ascii=False))

    def project(self, url: str, count: int) -> Path:
        """Creates a project with default settings; nothing is known of earlier runs."""
        folder = self.folder / "project"
        for path in (folder, self.folder / "seen"):
            shutil.rmtree(path, ignore_errors=True)
        (folder / "campaigns").mkdir(parents=True)
        (folder / "herald.yaml").write_text(
            "version: 1\nproject: bench\nenvironments:\n"
            f"  bench:\n    emulator: {{ url: '{url}', ca: ca.pem, credentials: key.json }}\n"
            f"    pace: {{ sends_per_minute: {QUOTA * 60} }}\n")
        shutil.copy(self.ca, folder / "ca.pem")
        sending.account_key(folder, "key.json")
        (folder / "campaigns/tides.yaml").write_text(sending.CAMPAIGN + "on_unknown: skip\n")
        sending.registrations(folder / "list.txt", count)
        return folder

    def start(self, *arguments: object, core: int = sending.SENDER_CORE) -> subprocess.Popen:
        return subprocess.Popen(
            [*sending.pinned(core), self.herald, *map(str, arguments)], text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=os.environ | {"XDG_STATE_HOME": str(self.folder / "seen")})

    def run(self, *arguments: object, codes: tuple[int, ...] = (0,)) -> str:
        process = self.start(*arguments)
        output, _ = process.communicate()
        if process.returncode not in codes:
            sys.exit(f"herald {arguments[0]} ended with {process.returncode}:\n{output[-2000:]}")
        return output

    @contextmanager
    def server(self, milliseconds: int, *drops: object):
        """Starts a sink and a relay to its port for HTTP/2."""
        with sending.sink(self.sink, self.folder, "log") as self.running, \
                relay(self.relay, self.folder, self.running.secure, milliseconds, *drops) as url:
            yield url

    def requests(self) -> list[tuple[float, int]]:
        """Returns the time in seconds and the connection of each send that arrived at the sink."""
        lines = (self.folder / "log").read_text().splitlines()
        return [(int(at) / 1e9, int(connection)) for at, connection, _ in map(str.split, lines)]

    def arrived(self, count: int) -> list[tuple[float, int]]:
        sends, distinct, _, _ = self.running.account()
        if (sends, distinct) != (count, count):
            sys.exit(f"{count} were to be sent; the sink has {sends}, of which {distinct} distinct")
        return self.requests()

    def apply(self, count: int, milliseconds: int) -> tuple[float, float, list[tuple[float, int]]]:
        """Returns the predicted seconds, the seconds of the whole apply, and the requests at the sink."""
        with self.server(milliseconds) as url:
            folder = self.project(url, count)
            predicted = prediction(self.run("plan", "-e", "bench", "-C", folder))
            start = time.monotonic()
            self.run("apply", "--yes", "--quiet", "-e", "bench", "-C", folder)
            seconds = time.monotonic() - start
            return predicted, seconds, self.arrived(count)

    def send_each(self, milliseconds: int) -> float:
        script = Path(sending.__file__).with_name("admin.py")
        with sending.sink(self.sink, self.folder, "log") as self.running, \
                relay(self.relay, self.folder, self.running.clear, milliseconds) as url:
            short = sending.registrations(self.folder / "short.txt", self.sdk_sends)
            subprocess.run(
                [*sending.pinned(sending.SENDER_CORE), self.python, "-W", "ignore", script, url, short,
                 self.folder / "message.json", sending.BEARER, "send_each"], check=True, stdout=subprocess.DEVNULL)
            return rate([at for at, _ in self.arrived(self.sdk_sends)], 0)


def prediction(plan: str) -> float:
    """Returns the seconds in the last line of a plan, such as `2,000 requests in about 15 s.`"""
    text = " ".join(plan.split())
    found = re.findall(r"requests in about ([0-9,]+) (s|min|h)\b", text)
    if not found:
        sys.exit(f"the plan does not predict a duration:\n{plan[-2000:]}")
    number, unit = found[-1]
    return float(number.replace(",", "")) * {"s": 1, "min": 60, "h": 3_600}[unit]


def rates(bench: Bench) -> list[bool]:
    count, after = bench.arguments.long, bench.arguments.after
    print(f"\n| round trip ms | sends | Herald: sends per second from second {after:g} on | most open on a connection "
          "| send_each: sends per second |\n| ---: | ---: | ---: | ---: | ---: |")
    holds, found = [], {}
    for milliseconds in (SHORT, LONG):
        _, _, requests = bench.apply(count, milliseconds)
        sdk = bench.send_each(milliseconds)
        most = most_open(requests, milliseconds / 1e3)
        found[milliseconds] = rate([at for at, _ in requests], after), sdk, most
        print(f"| {milliseconds} | {count:,} | {found[milliseconds][0]:,.0f} | {most} | {sdk:,.0f} |", flush=True)
    print()
    herald, sdk, _ = found[SHORT]
    holds.append(sending.verdict(f"sends per second with {SHORT} ms", herald, "least", USED * QUOTA))
    holds.append(sending.verdict(f"of send_each with {SHORT} ms ×", herald / sdk, "least", OF_SDK))
    holds.append(sending.verdict(f"sends per second with {LONG} ms", found[LONG][0], "least", AT_LONG))
    holds.append(sending.verdict("open on a connection", max(most for _, _, most in found.values()), "most", STREAMS))
    return holds


def predictions(bench: Bench) -> list[bool]:
    count = bench.arguments.sends
    print("\n| round trip ms | sends | predicted seconds | seconds of the apply | sends per second |\n"
          "| ---: | ---: | ---: | ---: | ---: |")
    ratios = {}
    for milliseconds in (SHORT, LONG):
        predicted, seconds, requests = bench.apply(count, milliseconds)
        ratios[milliseconds] = seconds / predicted
        print(f"| {milliseconds} | {count:,} | {predicted:.0f} | {seconds:.1f} "
              f"| {rate([at for at, _ in requests], 0):,.0f} |", flush=True)
    print()
    return [sending.verdict(f"of the prediction with {SHORT} ms ×", ratios[SHORT], "most", OF_PREDICTION)]


def killed(bench: Bench, generator: random.Random, drops: list[object]) -> tuple[int, int, int]:
    """Kills an apply at a random time and finishes the send.

    Returns the number of sends at the kill, of unknown outcomes, and of dropped connections.
    """
    count = bench.arguments.sends
    with bench.server(SHORT, *drops) as url:
        folder = bench.project(url, count)
        process = bench.start("apply", "--yes", "--quiet", "-e", "bench", "-C", folder)
        threshold = generator.uniform(0.02, 0.9) * count
        while process.poll() is None and bench.running.account()[0] < threshold:
            time.sleep(0.001)
        if process.poll() is not None:
            sys.exit(f"the apply ended with {process.returncode} before it was killed:\n{process.stdout.read()[-2000:]}")
        process.kill()
        process.communicate()
        sent = bench.running.account()[0]
        # 4: unknown outcomes remain.
        bench.run("apply", "--yes", "--quiet", "-e", "bench", "-C", folder, codes=(0, 4))
        status = json.loads(bench.run("status", "--all", "--json", "-e", "bench", "-C", folder))
        unknown = sum(len(occurrence.get("unknown", [])) for occurrence in status["occurrences"])
        sends, distinct, _, _ = bench.running.account()
        if sends != distinct or distinct + unknown < count:
            sys.exit(f"of {count}, the sink has {sends}, of which {distinct} distinct, and {unknown} are unknown")
        return sent, unknown, relayed(bench.folder).get("dropped", 0)


def kills(bench: Bench) -> list[bool]:
    generator = random.Random(bench.arguments.seed)
    print("\n| dropped share | sends at the kill | unknown | dropped connections |\n| ---: | ---: | ---: | ---: |")
    most, dropped = 0, 0
    # A connection lives at most this long; longer than a short send, none would be dropped.
    seconds = min(5, bench.arguments.sends / 1_000)
    for number in range(bench.arguments.kills):
        for share in (0, DROPPED):
            drops = [share, seconds, generator.randrange(1 << 30)] if share else []
            sent, unknown, lost = killed(bench, generator, drops)
            most, dropped = max(most, unknown), dropped + lost
            print(f"| {share:.0%} | {sent:,} | {unknown:,} | {lost} |", flush=True)
    print()
    return [sending.verdict("unknown after a kill", most, "most", MAX_UNKNOWN),
            sending.verdict("dropped connections", dropped, "least", 1)]


def ask(url: str, body: object, method: str = "POST") -> None:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    urllib.request.urlopen(request, timeout=60).close()


def batches(folder: Path) -> list[tuple[float, int]]:
    """Returns the time in seconds and the status of each batch of joins in the emulator's request log."""
    path = folder / ".herald/emulator/requests.ndjson"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    entries = [json.loads(line) for line in lines if "batchAdd" in line]
    return [(datetime.fromisoformat(entry["time"]).timestamp(), entry["status"]) for entry in entries]


def pauses(changes: list[tuple[float, int]]) -> int:
    """Counts the pauses that the refusals caused; a pause lasts at least a second."""
    refused = [at for at, status in changes if status == 429]
    return sum(1 for n, at in enumerate(refused) if n == 0 or at - refused[n - 1] > 0.9)


def joins(bench: Bench) -> list[bool]:
    folder = bench.folder / "joins"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "campaigns").mkdir(parents=True)
    members = [f"phone-{n:06}-of-a-bench" for n in range(JOINS)]
    (folder / "all.txt").write_text("".join(f"{member}\n" for member in members))
    (folder / "campaigns/all.yaml").write_text(
        "audience: all\nregistrations: all.txt\nsubscribe: [tides]\ntransport: batch\n")
    (folder / "herald.yaml").write_text("version: 1\nproject: joins\ntopics: { tides: {} }\n")
    emulator = bench.start("emulator", "--port", "0", "-C", folder, core=sending.SINK_CORE)
    try:
        direct = emulator.stdout.readline().split()[-1]
        ask(direct + "/emulator/v1/devices", [
            {"name": f"phone-{n}", "platform": "android", "registration": member, "online": True,
             "foreground": False, "topics": []} for n, member in enumerate(members)])
        ask(direct + "/emulator/v1/faults", {"rules": [
            {"match": {"service": "MEMBERSHIP"}, "answer": {"error": "QUOTA_EXCEEDED"}}]}, "PUT")
        with relay(bench.relay, bench.folder, direct, SHORT) as url:
            (folder / "herald.yaml").write_text(
                "version: 1\nproject: joins\ntopics: { tides: {} }\n"
                f"environments:\n  local:\n    emulator: {{ url: '{url}' }}\n"
                "    pace: { subscriptions_per_second: 3000 }\n")
            apply = bench.start("apply", "--yes", "--quiet", "-C", folder)
            while apply.poll() is None and pauses(batches(folder)) < REFUSALS:
                time.sleep(0.05)
            # The fourth pause has begun when the refusals have arrived; it lasts eight seconds.
            time.sleep(1)
            ask(direct + "/emulator/v1/faults", None, "DELETE")
            output, _ = apply.communicate()
            end = time.time()
        if apply.returncode != 0:
            sys.exit(f"the joins ended with {apply.returncode}:\n{output[-2000:]}")
    finally:
        emulator.terminate()
        emulator.wait()
    changes = batches(folder)
    accepted = [at for at, status in changes if status == 200]
    count, refused = pauses(changes), sum(1 for _, status in changes if status == 429)
    # The wait ends when the first accepted batch leaves.
    seconds = end - min(accepted) + SHORT / 2e3
    print(f"\n{JOINS:,} joins in {len(accepted)} batches, after {count} pauses for {refused} refused batches\n")
    return [sending.verdict("pauses", count, "least", REFUSALS),
            sending.verdict("seconds after the last pause", seconds, "most", JOIN_SECONDS)]


def main() -> int:
    sending.enter_namespace()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("herald", "sink", "relay", "python", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--sends", type=int, default=100_000, help="of a prediction and of a kill (default: 100000)")
    parser.add_argument("--long", type=int, default=500_000, help="sends of a rate (default: 500000)")
    parser.add_argument("--after", type=float, default=RAMP, help="seconds before a rate is measured (default: 60)")
    parser.add_argument("--kills", type=int, default=3, help="with and without drops (default: 3)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000, help="of the kills and drops")
    arguments = parser.parse_args()
    parts = arguments.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    print(f"--seed {arguments.seed}", flush=True)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    holds = []
    with tempfile.TemporaryDirectory(prefix="latency-", dir=arguments.folder.resolve()) as name:
        bench = Bench(arguments, Path(name))
        for part, measure in zip(PARTS, (rates, predictions, kills, joins)):
            if part in parts:
                holds += measure(bench)
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
