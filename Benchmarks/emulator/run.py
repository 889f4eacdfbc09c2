#!/usr/bin/python3
"""Measures `herald emulator` against a bare swift-nio server: run.py HERALD PEER

h2load sends the same requests over HTTP/2 with TLS to both servers in turns. Server and client have one core
each. The exit code is 1 if a limit is exceeded.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROUNDS, SENDS, HELD, MANY = 7, 100_000, 1_000, 1_000_000
A_SECOND, RATIO, GROWTH = 12_000, 0.6, 1.05
PATH = "/v1/projects/bench/messages:send"
PHONES = 100
# Realistic lengths: a registration of 160 characters, an access token of 220.
TOKENS = [f"phone-{n:03}:APA91b{'r' * 143}" for n in range(PHONES)]
BEARER = "ya29." + "x" * 215

MESSAGE = {
    "token": TOKENS[0],
    "notification": {"title": "High water at 14:32", "body": "Maré alta, 2.9 m"},
    "data": {"station": "leixoes", "height_cm": "290", "campaign": "tides-2026-11"},
    "android": {
        "priority": "HIGH", "ttl": "3600s", "collapse_key": "tides",
        "notification": {"channel_id": "tides", "color": "#0055ff", "tag": "tide"}},
    "apns": {
        "headers": {"apns-priority": "10", "apns-collapse-id": "tides"},
        "payload": {"aps": {"sound": "default", "badge": 1}}},
    "webpush": {"headers": {"TTL": "3600"}, "fcm_options": {"link": "https://example.org/tides"}},
    "fcm_options": {"analytics_label": "tides"},
}
TO_TOPIC = {"topic": "tides", "data": MESSAGE["data"]}


@dataclass
class Load:
    """The counts of h2load, and the CPU time of the server during the load."""

    a_second: float
    microseconds: float


def pinned(core: int) -> list[str]:
    return ["taskset", "--cpu-list", str(core % os.cpu_count())]


class Server:
    """One of the two servers, with a dedicated core; `url` is its HTTP/2 endpoint with TLS."""

    def __init__(self, process: subprocess.Popen, url: str):
        self.process, self.url = process, url

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024

    def load(self, body: Path, sends: int, connections: int = 10, streams: int = 100) -> Load:
        command = [
            *pinned(1), "h2load", "--requests", str(sends), "--clients", str(connections),
            "--max-concurrent-streams", str(streams), "--data", body,
            "--header", f"authorization: Bearer {BEARER}",
            "--header", "content-type: application/json", self.url + PATH]
        before = self.cpu()
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        used = self.cpu() - before
        if f" {sends} succeeded, 0 failed, 0 errored" not in text or f" {sends} 2xx" not in text:
            sys.exit(f"not every send was answered 200:\n{text}")
        return Load(float(re.search(r"([\d.]+) req/s", text)[1]), used / sends * 1e6)


@contextmanager
def running(command: list[str | Path], lines: int):
    """Starts a server and returns its first output lines."""
    process = subprocess.Popen([*pinned(0), *command], stdout=subprocess.PIPE, text=True)
    try:
        yield process, [process.stdout.readline() for _ in range(lines)]
    finally:
        process.terminate()
        process.wait()


@contextmanager
def emulator(herald: Path, folder: Path):
    folder.mkdir()
    (folder / "herald.yaml").write_text("version: 1\nproject: bench\ntopics: { tides: {} }\n")
    (folder / "campaigns").mkdir()
    (folder / "campaigns/devices.yaml").write_text("devices: bench\nphones:\n" + "".join(
        f'  - {{ name: phone-{n}, platform: android, registration: "{token}", topics: [tides] }}\n'
        for n, token in enumerate(TOKENS)))
    command = [herald, "emulator", "-C", folder, "--port", "0", "--tls-port", "0", "--no-device-limits"]
    with running(command, 3) as (process, lines):
        secure = next(line for line in lines if line.startswith("with TLS on "))
        yield Server(process, secure.split()[-1])


@contextmanager
def bare(peer: Path, folder: Path, how: str):
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-subj", "/CN=localhost", "-days", "2", "-out", certificate, "-keyout", key],
        check=True, capture_output=True)
    with running([peer, certificate, key, how], 1) as (process, lines):
        yield Server(process, lines[0].strip())


def recorded(folder: Path) -> int:
    """Returns the number of requests in the log on disk."""
    with open(folder / ".herald/emulator/requests.ndjson", "rb") as log:
        return sum(block.count(b"\n") for block in iter(lambda: log.read(1 << 20), b""))


def verdict(what: str, value: float, sign: str, limit: float) -> bool:
    holds = value >= limit if sign == "least" else value <= limit
    print(f"{what} {value:,.2f} of at {sign} {limit:,g}: {'holds' if holds else 'BROKEN'}")
    return holds


def main() -> int:
    herald, peer = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as name:
        folder = Path(name)
        one, all_phones = folder / "one.json", folder / "all.json"
        one.write_text(json.dumps({"message": MESSAGE}, ensure_ascii=False))
        all_phones.write_text(json.dumps({"message": TO_TOPIC}))
        project = folder / "project"
        with emulator(herald, project) as ours, bare(peer, folder, "streams") as streams, \
                bare(peer, folder, "frames") as frames:
            servers = {"herald": ours, "bare, one channel per stream": streams, "bare, frames": frames}
            for server in servers.values():
                server.load(one, SENDS // 10)  # warms up every code path
            rounds = [{name: server.load(one, SENDS) for name, server in servers.items()}
                      for _ in range(ROUNDS)]
            held = ours.load(one, SENDS, connections=HELD, streams=1)
            ours.load(all_phones, 5_000)  # fills every inbox
            small = ours.megabytes()
            before = recorded(project)
            start = time.perf_counter()
            many = ours.load(one, MANY)
            seconds = time.perf_counter() - start
            large, logged = ours.megabytes(), recorded(project) - before
    if logged != MANY:
        sys.exit(f"{logged} of {MANY} sends are in the log")

    print("| server | sends per second: median (best) | CPU µs per send: median (best) |")
    print("| --- | ---: | ---: |")
    for name in servers:
        rates = [round[name].a_second for round in rounds]
        costs = [round[name].microseconds for round in rounds]
        print(f"| {name} | {statistics.median(rates):,.0f} ({max(rates):,.0f}) "
              f"| {statistics.median(costs):.1f} ({min(costs):.1f}) |")
    print(f"| herald, {HELD:,} connections | {held.a_second:,.0f} | {held.microseconds:.1f} |")
    print(f"| herald, {MANY:,} sends in {seconds:.0f} s | {many.a_second:,.0f} "
          f"| {many.microseconds:.1f} |\n")

    def ratio(peer: str, field: str) -> float:
        pairs = [(getattr(r["herald"], field), getattr(r[peer], field)) for r in rounds]
        return statistics.median(a / b if field == "a_second" else b / a for a, b in pairs)

    for peer_name in list(servers)[1:]:
        print(f"of {peer_name}: {ratio(peer_name, 'a_second'):.2f} by sends per second, "
              f"{ratio(peer_name, 'microseconds'):.2f} by CPU")
    print(f"memory before and after {MANY:,} sends: {small:.0f} MB, {large:.0f} MB\n")
    rate = statistics.median(round["herald"].a_second for round in rounds)
    kept = [
        verdict("sends per second", rate, "least", A_SECOND),
        verdict("of a bare server ×", ratio("bare, one channel per stream", "a_second"), "least", RATIO),
        verdict("memory ×", large / small, "most", GROWTH),
    ]
    return 0 if all(kept) else 1


sys.exit(main())
