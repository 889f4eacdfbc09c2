#!/usr/bin/python3
"""Shows that Herald respects a quota of 600 messages per second: run.py HERALD [known|unknown]

Emulator and apply are separate processes. The emulator rejects messages above 36,000 in a minute that is not
aligned to the clock, as FCM does. Only its request log is evaluated. Several campaigns in turn address a list of
10,000 registrations, so the pace must persist across occurrences.

- Known: the pace is the quota. No message is rejected, and 98 % of the quota is used from the first request on.
- Unknown: the pace is higher. From two minutes after the first request on, at least 85 % is used and at most 1 %
  is rejected.
- In both cases, no request arrives between a rejection and its Retry-After. The log does not contain
  Retry-After: it is the end of the quota's minute. Requests in flight at the rejection are tolerated for 0.25 s.

The exit code is 1 if a limit is exceeded. The benchmark takes nine minutes.
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from datetime import datetime
from pathlib import Path

COUNT, QUOTA, MINUTE, SLACK = 10_000, 36_000, 60, 0.25


def project(folder, pace, campaigns):
    (folder / "campaigns").mkdir()
    (folder / "herald.yaml").write_text(
        f"version: 1\nproject: pace\nenvironments: {{ local: {{ emulator: {{}}{pace} }} }}\n")
    (folder / "campaigns/all.txt").write_text("".join(f"phone-{n:05}-of-a-bench\n" for n in range(COUNT)))
    for number in range(campaigns):
        (folder / f"campaigns/call-{number:02}.yaml").write_text(
            f"campaign: call-{number:02}\naudience: {{ registrations: campaigns/all.txt }}\n"
            "message: { notification: { title: Low water } }\n")


def install(url):
    for first in range(0, COUNT, 1_000):
        phones = [{"name": f"phone-{n}", "platform": "android", "registration": f"phone-{n:05}-of-a-bench",
                   "online": True, "foreground": False, "topics": []} for n in range(first, first + 1_000)]
        request = urllib.request.Request(
            url + "/emulator/v1/devices", json.dumps(phones).encode(), {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=60).close()


def run(herald, folder):
    emulator = subprocess.Popen(
        [herald, "emulator", "--port", "0", "--sends-per-minute", str(QUOTA), "-C", folder],
        stdout=subprocess.PIPE, text=True)
    try:
        install(emulator.stdout.readline().split()[-1])
        subprocess.run([herald, "apply", "--yes", "--quiet", "-C", folder], check=True)
    finally:
        emulator.terminate()
        emulator.wait()


def read(folder):
    """Returns the time in seconds and the status of each request."""
    sends = []
    with open(folder / ".herald/emulator/requests.ndjson") as log:
        for line in log:
            entry = json.loads(line)
            if entry["path"].endswith("/messages:send"):
                sends.append((datetime.fromisoformat(entry["time"]).timestamp(), entry["status"]))
    return sends


def early(sends):
    """Counts the requests before a Retry-After, with an independent calculation of the quota's minutes."""
    end = closed = count = 0
    for at, status in sends:
        if at >= end:
            end, closed = at + MINUTE, None
        if status == 429:
            closed = closed or at
        count += closed is not None and closed + SLACK < at < end - 0.001
    return count


def judge(name, sends, start, length, use, refusals):
    first = sends[0][0]
    part = [status for at, status in sends if first + start <= at < first + start + length]
    refused = part.count(429)
    used = (len(part) - refused) / (QUOTA / MINUTE * length)
    before = early(sends)
    last = sends[-1][0] - first
    print(f"{name}: {len(sends):,} requests in {last:.0f} s; from second {start} to {start + length} "
          f"{used:.1%} of the quota used, {refused:,} of {len(part):,} refused ({refused / len(part):.2%}); "
          f"refused in all {[s for _, s in sends].count(429):,}; before a Retry-After {before}", flush=True)
    return last >= start + length and used >= use and refused <= refusals * len(part) and before == 0


SHOWS = {
    # name: the environment's pace, campaigns, start, seconds, least use, most rejections
    "known": (f", pace: {{ sends_per_minute: {QUOTA} }}", 11, 0, 180, 0.98, 0),
    "unknown": ("", 19, 120, 180, 0.85, 0.01),
}


def main():
    herald, *names = sys.argv[1:]
    good = True
    for name in names or SHOWS:
        pace, campaigns, *limits = SHOWS[name]
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            project(folder, pace, campaigns)
            run(Path(herald).resolve(), folder)
            good &= judge(name, read(folder), *limits)
    sys.exit(not good)


main()
