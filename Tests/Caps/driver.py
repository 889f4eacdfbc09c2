"""Runs herald at each due time, with the wall clock of its process and of the emulator at that time."""

import json
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import DEADLINE, ROOT, Emulator, Project, Result, binary, checked, variables  # noqa: E402
from record import Launch, Record  # noqa: E402
from world import START  # noqa: E402

# Open requests of a send that must last.
OPEN = 8
# Devices per request to the emulator.
BATCH = 5_000
# From this day on, some registrations are dead.
DEATHS = START + timedelta(days=8)
# The codes of a run that did what it could: done, partly applied because a message expired, unknown outcomes.
CODES = (0, 3, 4)
# More runs than this would mean that herald never ends an occurrence.
MOST_RUNS = 500


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def instant(text):
    return datetime.fromisoformat(text)


def build_clocks(folder):
    library = Path(folder) / "shifted_clocks.so"
    subprocess.run(
        ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
         ROOT / "Tests/EndToEnd/shifted_clocks.c"], check=True)
    return library


def faults(world, number, now, campaigns, lasting):
    """Returns the fault script of a run. `lasting`: the campaigns whose answers are delayed."""
    send = {"service": "SEND"}
    rules = [{"id": "rejected", "match": send | {"registration_share": 0.05}, "answer": {"error": "INVALID_ARGUMENT"}}]
    if now >= DEATHS:
        rules.insert(0, {"id": "gone", "match": send | {"registration_share": 0.02}, "answer": {"error": "UNREGISTERED"}})
    if any(campaign.policy == "retry" for campaign in campaigns):
        rules.append({"id": "retried", "match": send, "when": {"every": 40, "times": 8}, "answer": {"error": "UNAVAILABLE"}})
    else:
        rules += [
            {"id": "lost", "match": send, "accepted": True, "when": {"every": 60}, "answer": {"error": "UNAVAILABLE"}},
            {"id": "cut", "match": send, "accepted": number % 2 == 0, "when": {"every": 90},
             "delivery": {"reset_connection": True}}]
    if number % 3 == 0:
        rules.append({"id": "quota", "match": send, "when": {"nth": 50},
                      "answer": {"error": "QUOTA_EXCEEDED", "retry_after_seconds": 1}})
    for campaign in lasting:
        # The cap leaves out about half of the list.
        sends = len(world.rows_of(campaign.audience, 0)) // 2
        rules.append({"id": "slow", "match": send,
                      "delivery": {"delay_milliseconds": max(1, 1_000 * campaign.lasts * OPEN // sends)}})
    return {"seed": world.seed, "rules": rules}


class Driver:
    def __init__(self, world, folder, log=print):
        self.world, self.log = world, log
        self.project = Project(Path(folder) / "project")
        self.clocks = build_clocks(folder)
        self.record = Record(world, self.project.log)
        self.now, self.half = START, 0
        self.end = START + timedelta(days=world.days)
        self.edit = START + timedelta(days=world.days / 2)
        self.number = 0
        self.seconds = 0.0

    def play(self):
        self.world.write(self.project, 0)
        with Emulator(self.project, arguments=("--clock", "virtual", "--at", text(START))) as emulator:
            self.emulator = emulator
            begin = time.monotonic()
            self.install()
            self.log(f"  {self.world.registrations:,} devices in {time.monotonic() - begin:.0f} s", flush=True)
            self.launch(START, ("apply", "--yes"), {})
            while self.step():
                pass
            self.finish()
            status = Path(f"/proc/{emulator.process.pid}/status").read_text()
            self.emulator_memory = int(status.split("VmHWM:")[1].split()[0]) / 1_000
        return self.record

    def install(self):
        """Creates an Android phone for each registration, online and with the app in the background."""
        rows = [registration for person in self.world.people for registration, _ in person.rows]
        for first in range(0, len(rows), BATCH):
            self.emulator.post("/emulator/v1/devices", [
                {"name": f"d{first + place}", "platform": "android", "registration": registration, "topics": []}
                for place, registration in enumerate(rows[first:first + BATCH])])

    def status(self):
        """Returns what herald says about its occurrences."""
        done = subprocess.run(
            [binary(), "status", "--format", "json", "-C", str(self.project.folder)], env=variables(text(self.now)),
            capture_output=True, timeout=DEADLINE * 2, check=True)
        return json.loads(done.stdout)["occurrences"]

    def step(self):
        """Runs herald at the next due time, or applies the edit; returns false after the last day."""
        waiting = [(one["phase"] == "under_way", max(self.now, instant(one.get("deferred_until", one["due"]))),
                    one["campaign"], one["occurrence"])
                   for one in self.status() if one["phase"] in ("scheduled", "under_way")]
        moment = min((moment for _, moment, _, _ in waiting), default=self.end)
        if self.half == 0 and self.edit <= moment:
            self.half = 1
            self.world.edit(self.edit)
            self.world.write(self.project, 1)
            self.launch(max(self.now, self.edit), ("apply", "--yes"), {})
            return True
        # What has begun is sent to the end.
        if moment >= self.end and not any(has_begun for has_begun, _, _, _ in waiting):
            self.record.end = max(self.end, self.now)
            return False
        self.run_at(moment, [one[1:] for one in waiting])
        return True

    def run_at(self, moment, waiting):
        due = {campaign: name for other, campaign, name in waiting if other == moment}
        campaigns = [self.record.campaigns[name] for name in due]
        new = [self.record.campaigns[campaign] for campaign, name in due.items() if name not in self.record.occurrences]
        wait = max((campaign.wait for campaign in new), default=0)
        is_killed = any(campaign.is_killed for campaign in new)
        lasting = [campaign for campaign in new if campaign.lasts]
        start = moment + timedelta(seconds=wait)
        # What becomes due meanwhile is sent, too.
        due = {campaign: name for other, campaign, name in waiting if other <= start}
        command = ("apply", "--due") if self.number % 2 else ("run", "--once")
        if lasting:
            command = ("apply", "--due", "--parallelism", str(OPEN))
        self.prepare(start, campaigns, lasting)
        self.launch(start, command, due, [campaign for campaign in lasting if is_killed and campaign.is_killed])

    def prepare(self, start, campaigns, lasting):
        self.emulator.put("/emulator/v1/faults", faults(self.world, self.number, start, campaigns, lasting))

    def launch(self, start, command, due, killed=()):
        """Runs herald with its wall clock, and the emulator's, at a time."""
        self.number += 1
        assert self.number <= MOST_RUNS, f"{due} do not end"
        launch = Launch(" ".join(command), start.timestamp(), self.half, due, bool(killed))
        self.record.begin(launch)
        self.emulator.put("/emulator/v1/clock", {"mode": "running", "rate": 1, "at": text(start)})
        begin = time.monotonic()
        result = self.execute(start, command, killed)
        self.seconds += time.monotonic() - begin
        if killed:
            self.settle()
        else:
            assert result.code in CODES, result
        self.record.read(launch)
        clock = instant(self.emulator.put("/emulator/v1/clock", {"mode": "frozen"})["time"])
        launch.end = clock.timestamp()
        # Herald refuses a clock that is behind that of its last run.
        self.now = clock.replace(microsecond=0) + timedelta(seconds=2)

    def execute(self, start, command, killed):
        """Runs herald to its end; kills it when a fifth of what `killed` may send is in the log."""
        env = {"LD_PRELOAD": str(self.clocks), "CLOCK_START": f"{start.timestamp():.0f}"}
        out, err = (self.project.folder.parent / f"run.{stream}" for stream in ("out", "err"))
        with open(out, "wb") as output, open(err, "wb") as errors:
            process = subprocess.Popen(
                [binary(), *command, "-C", str(self.project.folder)], stdin=subprocess.DEVNULL, stdout=output,
                stderr=errors, env=variables(**env))
        if killed:
            rows = max(len(self.world.rows_of(campaign.audience, self.half)) for campaign in killed)
            self.await_sends(process, rows // 5)
            assert process.poll() is None, "it had ended before it was killed"
            process.kill()
        code = process.wait(3_600)
        return checked(Result(code, out.read_text(), err.read_text())) if not killed else None

    def await_sends(self, process, count):
        sends, place = 0, self.record.place
        while sends < count and process.poll() is None:
            time.sleep(0.01)
            with open(self.project.log.path, "rb") as file:
                file.seek(place)
                lines = file.read()
            sends, place = sends + lines.count(b"/messages:send"), place + len(lines)

    def settle(self):
        """Waits until the emulator has processed what a killed process had written to it."""
        size, path = -1, self.project.log.path
        while size != path.stat().st_size:
            size = path.stat().st_size
            time.sleep(0.3)

    def finish(self):
        """Reads herald's own counts, and which requests a kill left unknown."""
        self.now = max(self.now, self.end)
        for status in self.status():
            if status["occurrence"] in self.record.occurrences:
                self.record.occurrences[status["occurrence"]].status = status
        for occurrence in self.record.occurrences.values():
            if any(launch.is_killed for launch in occurrence.launches):
                rows = self.world.rows_of(occurrence.campaign.audience, occurrence.half)
                campaign, slot, revision = occurrence.name.split("/")
                found = self.project.rows(
                    "SELECT request FROM outcome_details JOIN occurrences ON outcome_details.unit = occurrences.unit "
                    f"WHERE campaign = '{campaign}' AND slot = '{slot}' AND revision = {revision} AND detail = 'cut off'")
                occurrence.cut_off = {rows[request][1][0] for request, in found}
