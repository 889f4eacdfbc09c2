#!/usr/bin/python3
"""Measures `herald simulate` for a week of 20 campaigns over a million devices: run.py HERALD

The project has schedules of a few times a week and single due times, topics and conditions of up to 400,000
devices, notifications and data, with and without collapse keys. It is simulated twice with the same seed, which
must produce the same bytes, and once with another seed, which must not. The exit code is 1 if a limit is
exceeded.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

DEVICES, DAYS, CAMPAIGNS = 1_000_000, 7, 20
SECONDS, MEGABYTES = 60, 1_500
# A Monday. No clock changes occur in this week.
NOW = "2037-02-02T00:00:00Z"

REACHES = {
    "news": 400_000, "tides": 350_000, "storms": 300_000, "shoals": 250_000, "regatta": 120_000,
    "auction": 80_000, "whales": 60_000, "harbour": 40_000, "beta": 20_000, "skippers": 5_000,
}
MOMENTS = (
    *(f'cron: "{10 + n} {7 + n} * * {days}"' for n, days in enumerate(
        ("MON,WED,FRI", "TUE,THU", "MON-FRI", "SAT,SUN", "*", "WED", "MON,THU", "TUE,SAT"))),
    *(f'at: "2037-02-{2 + n % 7:02} {9 + n:02}:{5 * n:02}"' for n in range(12)),
)
NOTIFICATION = """\
  notification:
    title: High water at {hour}
    body: Mind the nets off the mole, and take warm clothes.
  data:
    screen: tides
"""
DATA = """\
  data:
    screen: shoals
    shoal: "{number}"
"""


def campaign(number: int) -> str:
    """Every third campaign is a data message, every fourth has a collapse key, and every fifth has a condition."""
    topics = list(REACHES)
    topic, other = topics[number % len(topics)], topics[(number + 3) % len(topics)]
    audience = f"{{ topic: {topic} }}"
    if number % 5 == 4:
        audience = f"{{ condition: \"'{topic}' in topics || '{other}' in topics\" }}"
    message = DATA if number % 3 == 2 else NOTIFICATION
    delivery = f"  ttl: {('6h', '1d', '3d')[number % 3]}\n"
    if number % 4 == 1:
        delivery += f"  collapse: {topic}\n"
    if number % 3 == 0:
        delivery += "  priority: high\n"
    return (
        f"campaign: week-{number:02}\n"
        f"about: What happens off the harbour, part {number}\n"
        "owner: growth@tidewatch.example\n"
        f"audience: {audience}\n"
        f"message:\n{message.format(hour=number, number=number)}"
        f"delivery:\n{delivery}"
        f"schedule:\n  {MOMENTS[number]}\n"
    )


def make_project(folder: Path) -> None:
    topics = "".join(
        f"  {name}: {{ about: Chose {name} in the app, reach: {reach} }}\n"
        for name, reach in REACHES.items()
    )
    (folder / "campaigns").mkdir()
    (folder / "herald.yaml").write_text(
        f"version: 1\nproject: tidewatch\ntimezone: Atlantic/Azores\ntopics:\n{topics}")
    for number in range(CAMPAIGNS):
        (folder / "campaigns" / f"week-{number:02}.yaml").write_text(campaign(number))


@dataclass
class Run:
    """Seconds from process creation to process exit, and the kernel's counters."""

    wall: float
    cpu: float
    megabytes: float
    output: bytes


def play(herald: str, project: Path, seed: int) -> Run:
    command = [
        herald, "simulate", "--directory", project, "--devices", str(DEVICES), "--days", str(DAYS),
        "--seed", str(seed), "--format", "json",
    ]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
            env={**os.environ, "HERALD_NOW": NOW})
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            sys.exit(f"herald ended with {process.returncode}:\n{errors.read().decode()[-2000:]}")
        return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.read())


def check(run: Run) -> dict:
    """Checks that all campaigns are simulated, and that every recipient's message has an outcome."""
    played = json.loads(run.output)
    if len(played["campaigns"]) != CAMPAIGNS or sum(played["devices"].values()) != DEVICES:
        sys.exit("not all campaigns or devices were played")
    for campaign in played["campaigns"]:
        recipients = sum(send["recipients"] for send in campaign["sends"])
        if sum(campaign["outcomes"].values()) != recipients or recipients == 0:
            sys.exit(f"outcomes of {campaign['campaign']} are not those of {recipients} recipients")
    return played


def main() -> None:
    herald = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        make_project(Path(folder))
        runs = [play(herald, Path(folder), seed) for seed in (1, 1, 2)]
    played = [check(run) for run in runs][0]
    if runs[0].output != runs[1].output:
        sys.exit("the same seed gave other bytes")
    if runs[0].output == runs[2].output:
        sys.exit("another seed gave the same bytes")
    sends = [send for campaign in played["campaigns"] for send in campaign["sends"]]
    print(
        f"{DEVICES:,} devices, {DAYS} days, {CAMPAIGNS} campaigns, {len(sends)} sends to "
        f"{sum(send['recipients'] for send in sends):,} recipients, "
        f"{played['pressure']['delivered']:,} delivered\n"
    )
    print("| seconds: median (best) | CPU seconds | MB |\n| ---: | ---: | ---: |")
    wall = [run.wall for run in runs]
    cpu, megabytes = max(run.cpu for run in runs), max(run.megabytes for run in runs)
    print(f"| {statistics.median(wall):.1f} ({min(wall):.1f}) | {cpu:.1f} | {megabytes:.0f} |\n")
    limits = [("seconds", max(wall), SECONDS), ("MB", megabytes, MEGABYTES)]
    for name, value, limit in limits:
        print(f"{name} {value:.1f} of at most {limit:,}: {'holds' if value <= limit else 'BROKEN'}")
    sys.exit(any(value > limit for _, value, limit in limits))


main()
