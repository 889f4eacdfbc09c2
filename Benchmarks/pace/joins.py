#!/usr/bin/python3
"""Shows that joins respect a quota of registrations per second: joins.py HERALD [known|unknown]
[batch|per_registration]

Emulator and apply are separate processes. Only the emulator's request log is evaluated, in which a batch counts
as many times as it has registrations.

- Known quota: the emulator accepts 3,000 per second, which is also the default pace. For 100,000 joins, none is
  rejected, and they take no longer than the rise to that pace over a minute allows. For 300,000 joins in one
  run, 98 % of the quota is used from the end of the rise on.
- Unknown quota: the emulator accepts 2,000 per second, but the pace is 3,000. From two minutes after the first request
  on, at least 85 % is used, and at most 1 % is rejected. No request arrives between a rejection and its
  Retry-After of one second. Requests in flight at the rejection are tolerated for 0.25 s.

The exit code is 1 if a limit is exceeded. The whole benchmark takes 13 minutes.
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from datetime import datetime
from pathlib import Path

COUNT, SLACK = 100_000, 0.25


def registration(number):
    return f"phone-{number:06}-of-a-bench"


def project(folder, transport, topics):
    names = [f"topic-{n}" for n in range(topics)]
    (folder / "campaigns").mkdir()
    (folder / "herald.yaml").write_text(
        f"version: 1\nproject: joins\ntopics: {{ {', '.join(f'{name}: {{}}' for name in names)} }}\n")
    (folder / "campaigns/all.txt").write_text("".join(registration(n) + "\n" for n in range(COUNT)))
    (folder / "campaigns/all.yaml").write_text(
        f"audience: all\nregistrations: campaigns/all.txt\nsubscribe: [{', '.join(names)}]\n"
        f"transport: {transport}\n")


def ask(url, body, method="POST"):
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    urllib.request.urlopen(request, timeout=60).close()


def install(url):
    for first in range(0, COUNT, 1_000):
        ask(url + "/emulator/v1/devices", [
            {"name": f"phone-{n}", "platform": "android", "registration": registration(n), "online": True,
             "foreground": False, "topics": []} for n in range(first, first + 1_000)])


def run(herald, folder, limit, faults):
    emulator = subprocess.Popen(
        [herald, "emulator", "--port", "0", "-C", folder, *limit], stdout=subprocess.PIPE, text=True)
    try:
        url = emulator.stdout.readline().split()[-1]
        install(url)
        if faults:
            ask(url + "/emulator/v1/faults", faults, "PUT")
        done = subprocess.run(
            ["/usr/bin/time", "-f", "%M", herald, "apply", "--yes", "--quiet", "-C", folder],
            check=True, stderr=subprocess.PIPE, text=True)
        return int(done.stderr.split()[-1]) / 1_024
    finally:
        emulator.terminate()
        emulator.wait()


def read(folder):
    """Returns for each request its time in seconds, its number of registrations and its status."""
    changes = []
    with open(folder / ".herald/emulator/requests.ndjson") as log:
        for line in log:
            if '"method":"GET"' in line:
                continue
            entry = json.loads(line)
            if entry["path"].startswith("/iid/v1:batchAdd"):
                count = len(entry["body"]["registration_tokens"])
            elif "/topicSubscriptions" in entry["path"]:
                count = 1
            else:
                continue
            changes.append((datetime.fromisoformat(entry["time"]).timestamp(), count, entry["status"]))
    return changes


def early(changes):
    """Counts the requests within the second after a rejection."""
    refusal, count = None, 0
    for at, _, status in changes:
        if refusal and refusal + SLACK < at < refusal + 0.999:
            count += 1
        if status == 429 and (refusal is None or at >= refusal + 0.999):
            refusal = at
    return count


def allowed(count, quota):
    """Returns the seconds that the rise over a minute to the quota takes for this many joins, plus 2 %."""
    start, peak = max(1_000, quota / 10), quota
    done = seconds = 0
    while done < count:
        done += min(peak, start + (peak - start) * seconds / 60) / 100
        seconds += 0.01
    return seconds / 0.98


def judge(name, changes, quota, limits, memory):
    start, length, use, refusals = limits
    first, last = changes[0][0], changes[-1][0]
    part = [(count, status) for at, count, status in changes if first + start <= at < first + start + length]
    whole = sum(count for count, _ in part) or 1
    refused = sum(count for count, status in part if status == 429)
    used = (whole - refused) / (quota * min(length, last - first - start))
    total = sum(count for _, count, status in changes if status != 429)
    before = early(changes)
    print(f"{name}: {total:,} joins in {len(changes):,} requests and {last - first:.1f} s; from second {start} "
          f"{used:.1%} of the quota used, {refused / whole:.2%} refused; refused in all "
          f"{sum(count for _, count, status in changes if status == 429):,}; before a Retry-After {before}; "
          f"{memory:.0f} MB", flush=True)
    return used >= use and refused <= refusals * whole and before == 0


KNOWN = ["--membership-rate", "3000"]
UNKNOWN = {"rules": [
    {"match": {"service": "MEMBERSHIP"}, "when": {"over_quota": {"limit": 2_000, "per": "SECOND"}}}]}


def show(herald, name, transport, topics, limit, faults, quota, limits):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        project(folder, transport, topics)
        memory = run(Path(herald).resolve(), folder, limit, faults)
        changes = read(folder)
        good = judge(f"{name}, {transport}", changes, quota, limits, memory)
        if topics == 1:
            took, most = changes[-1][0] - changes[0][0], allowed(COUNT, quota)
            print(f"  the rise over a minute allows {most * 0.98:.1f} s", flush=True)
            good &= took <= most
        return good


def main():
    herald, *chosen = sys.argv[1:]
    good = True
    for transport in [c for c in chosen if c not in ("known", "unknown")] or ["batch", "per_registration"]:
        if "unknown" not in chosen:
            good &= show(herald, "known", transport, 1, KNOWN, None, 3_000, (0, 60, 0, 0))
            good &= show(herald, "known, 300,000", transport, 3, KNOWN, None, 3_000, (60, 50, 0.98, 0))
        if "known" not in chosen:
            good &= show(herald, "unknown", transport, 4, [], UNKNOWN, 2_000, (120, 60, 0.85, 0.01))
    sys.exit(not good)


main()
