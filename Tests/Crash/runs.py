"""One run: a fresh project and emulator, one or more kills, the recovery, and the verdict."""

import csv
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import faults
import forgetting
import judge
from judge import check

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
import rendering_reference as reference  # noqa: E402
from herald import DEADLINE, Emulator, Project, binary, token, variables  # noqa: E402
from tail import Tail  # noqa: E402

SYSCALLS = ("pwrite64", "fdatasync", "sendto", "recvfrom")
KILLS = ("random", *SYSCALLS, "forget", "forget-sync", "forget-release", "two")
TRANSPORTS = ("http1", "tls-h2")
# Applies after the last kill until nothing is left to do.
MOST_APPLIES = 15
# If the log does not grow for this many seconds, kill now.
PATIENCE = 3.0
# A message that every platform displays, and messages that at most one platform displays. Only the first one may be
# repeated: a repeat of the others does not replace the first message everywhere.
DISPLAYED = {"notification": {"title": "Call"}}
NOT_DISPLAYED = (
    {"data": {"campaign": "call"}},
    {"android": {"data": {"campaign": "call"}}, "apns": {"payload": {"aps": {"alert": "Call"}}}})
# The same messages with values of each row.
PERSONAL_DISPLAYED = {"notification": {"title": "Call {{name}}", "body": "{{ note }}"}}
PERSONAL = (
    {"data": {"campaign": "{{name}}", "note": "{{note}}"}},
    {"android": {"data": {"campaign": "{{name}}", "note": "{{note}}"}},
     "apns": {"payload": {"aps": {"alert": "{{name}}"}}}})
PIECES = ("Ana", '"', "\\", "\n", ",", "{{name}}", "🌊", "שלום", " ", "é")
# The text that replaces one of the message's own for each key of `locales`, and the locales of rows.
LOCALIZED = {"pt": "Olá {{name}}", "pt-BR": "Oi, {{note}}", "zh-Hant": "{{name}} 盃", "ar": "مرحبا"}
TAGS = ("pt", "pt-PT", "PT-br", "pt-BR-x-tide", "zh-Hant-TW", "zh-Hans", "ar-EG", "en", "")


def patch(content, text):
    """Returns the fields of a message that differ if another text replaces the first one on all platforms."""
    if "notification" in content:
        return {"notification": {"title": text}}
    if "data" in content:
        return {"data": {"campaign": text}}
    return {"android": {"data": {"campaign": text}}, "apns": {"payload": {"aps": {"alert": text}}}}


@dataclass(frozen=True)
class Spec:
    """The parameters of a run. The same text reproduces the run, except for timing between processes."""

    number: int
    transport: str = "http1"
    parallelism: int = 64
    kill: str = "random"
    profile: str = "mixed"
    kills: int = 1

    def __str__(self):
        return f"{self.number}:{self.transport}:{self.parallelism}:{self.kill}:{self.profile}:{self.kills}"

    @classmethod
    def of(cls, text):
        number, transport, parallelism, kill, profile, kills = text.split(":")
        return cls(int(number), transport, int(parallelism), kill, profile, int(kills))

    @property
    def configuration(self):
        return self.transport, self.parallelism, self.kill


@dataclass
class Result:
    spec: Spec
    kills: int = 0
    inside: int = 0
    unknown: int = 0
    cut_off: int = 0
    repeated: int = 0
    lost_writes: int = 0
    seconds: float = 0
    sends: int = 0
    is_localized: bool = False
    # What was edited between the last kill and the recovery: the list's texts or locales, or `locales` of the campaign.
    edited: str = ""
    problems: list = field(default_factory=list)


class Run:
    """A project with single sends, and in some runs fan-outs and memberships."""

    def __init__(self, spec, folder, library=None, mutant=None, calibration=None):
        self.spec, self.folder = spec, Path(folder)
        self.chance = random.Random(f"crash {spec}")
        self.library, self.mutant, self.calibration = library, mutant, calibration or {}
        self.result = Result(spec)
        self.layer = None
        self.outputs = []
        # The number of requests in the log after each kill.
        self.marks = []
        # The time of each kill, in seconds since 1970.
        self.deaths = []
        self.make_project()

    def make_project(self):
        chance = self.chance
        # A kill after the last mark leaves no released requests to resume, so more requests are needed if more may be
        # open. Requests that a kill makes unknown may never have been sent.
        unsent = 2 * self.spec.kills * self.spec.parallelism
        self.count = faults.SENDS + max(5 * self.spec.parallelism, unsent) + chance.randint(0, 60)
        self.least = self.count - unsent
        self.tokens = [token(number, f"run{self.spec.number}") for number in range(self.count)]
        self.tokens_set = set(self.tokens)
        self.host = Project(self.folder / "emulator")
        self.log = self.host.log
        self.project = Project(self.folder / "project")
        self.campaigns = {"call": self.tokens}
        self.is_displayed = chance.random() < 0.1 and self.spec.profile == "mixed"
        self.keeps_ids = chance.random() < 0.3
        needs_locales = self.spec.profile == "locales"
        self.is_personal = chance.random() < 0.5 or needs_locales
        self.locales = None
        if self.is_personal:
            self.content = PERSONAL_DISPLAYED if self.is_displayed else PERSONAL[self.spec.number % 2]
            if chance.random() < 0.6 or needs_locales:
                self.result.is_localized = True
                self.locales = {key: patch(self.content, text) for key, text in LOCALIZED.items()} | {"*": {}}
            self.rows = {name: self.row() for name in self.tokens}
            self.write_rows(self.rows)
        else:
            self.content = DISPLAYED if self.is_displayed else NOT_DISPLAYED[self.spec.number % 2]
        self.write_call(self.locales)
        self.memberships = {}
        if self.spec.profile == "mixed":
            if chance.random() < 0.4:
                self.fan_out()
            if chance.random() < 0.35:
                self.audiences()
        self.script = faults.script(self.spec.profile, self.spec, chance, self.least)

    def row(self):
        """Returns the values of one registration; the texts are never empty."""
        texts = {column: "".join(self.chance.choices(PIECES, k=3)) + "." for column in ("name", "note")}
        return texts | {"locale": self.chance.choice(TAGS)}

    def write_rows(self, rows):
        with open(self.project.folder / "all.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("registration", "note", "unused", "locale", "name"))
            writer.writerows((name, row["note"], "x", row["locale"], row["name"]) for name, row in rows.items())

    def write_call(self, locales):
        more = "record: ids\n" if self.keeps_ids else ""
        if locales:
            more += f"locales: {json.dumps(locales)}\n"
        path = "all.csv" if self.is_personal else self.project.list("all", self.tokens)
        self.send("call", f"registrations: {path}", self.content, more)

    def expected(self, name):
        """Returns the message of a registration, from the files before any edit."""
        return reference.expected(self.rows[name], self.content, self.locales) if self.is_personal else self.content

    def edit(self):
        """Edits a file; a send that was cut off continues with the stored texts and the stored locales."""
        self.result.edited = self.chance.choice(("texts", "locales", "patches") if self.locales else ("texts",))
        if self.result.edited == "texts":
            self.write_rows({name: row | {"name": "changed", "note": "changed"} for name, row in self.rows.items()})
        elif self.result.edited == "locales":
            # Each row gets the locale of the next one.
            tags = [row["locale"] for row in self.rows.values()]
            swapped = zip(self.rows.items(), tags[1:] + tags[:1])
            self.write_rows({name: row | {"locale": tag} for (name, row), tag in swapped})
        else:
            # Each key gets the text of the next one.
            keys = list(LOCALIZED)
            self.write_call(self.locales | {key: self.locales[other] for key, other in zip(keys, keys[1:] + keys[:1])})

    def send(self, name, audience, content=NOT_DISPLAYED[0], more=""):
        self.project.write(
            f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {{ {audience} }}\nmessage: {json.dumps(content)}\n{more}")

    def fan_out(self):
        """Adds one fan-out before the list in the plan's order and one after it."""
        for name, audience, target in (
            ("a-topic", "topic: tides", "tides"),
            ("z-condition", "condition: \"'tides' in topics && 'azores' in topics\"",
             "'tides' in topics && 'azores' in topics")):
            self.send(name, audience)
            self.campaigns[name] = [target]

    def audiences(self):
        """Adds three topics. In half of the runs, some members leave and some join while Herald is killed."""
        for topic in ("one", "two", "three"):
            members = self.chance.sample(self.tokens, 60)
            before = self.chance.sample(self.tokens, 40) + members[:30] if self.chance.random() < 0.5 else []
            self.memberships[topic] = (list(dict.fromkeys(before)), members)

    def write_audiences(self, which):
        for topic, lists in self.memberships.items():
            if lists[which]:
                path = self.project.list(f"members-{topic}", lists[which])
                self.project.write(
                    f"campaigns/members-{topic}.yaml",
                    f"audience: members-{topic}\nregistrations: {path}\nsubscribe: [{topic}]\n")

    # The emulator and herald.yaml, by transport

    def emulator(self):
        more = ("--tls-port", 0) if self.spec.transport == "tls-h2" else ()
        return Emulator(self.host, arguments=more)

    def point_at(self, emulator):
        address = f"url: '{emulator.url}'"
        if self.spec.transport == "tls-h2":
            running = json.loads((self.host.folder / ".herald/emulator/running.json").read_text())
            # A file outside of the project would need consent.
            shutil.copy(running["ca"], self.project.folder / "ca.pem")
            address = f"url: '{running['tls_url']}', ca: ca.pem"
        topics = "tides: {}, azores: {}, one: {}, two: {}, three: {}"
        self.project.write(
            "herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ {topics} }}\n"
            f"environments: {{ bench: {{ emulator: {{ {address} }} }} }}\n")

    # The run

    def play(self):
        begin = time.monotonic()
        try:
            with self.emulator() as emulator:
                self.control = emulator
                emulator.install(self.tokens)
                self.point_at(emulator)
                self.prepare()
                emulator.put("/emulator/v1/faults", self.script)
                for _ in range(self.spec.kills):
                    self.cut_off()
                emulator.put("/emulator/v1/faults", faults.without_silence(self.script))
                self.recover()
                judge.judge(self)
        except Exception as error:  # report any failure with the run's seed
            self.result.problems.append(f"{type(error).__name__}: {str(error)[:2_000]}")
        self.result.seconds = time.monotonic() - begin
        return self.result

    def prepare(self):
        """Joins the initial members; these joins are not killed."""
        if any(before for before, _ in self.memberships.values()):
            for name in self.campaigns:
                path = self.project.folder / f"campaigns/{name}.yaml"
                path.rename(path.with_suffix(".later"))
            self.write_audiences(0)
            self.apply(env={}).expect(0)
            for path in (self.project.folder / "campaigns").glob("*.later"):
                path.rename(path.with_suffix(".yaml"))
        self.write_audiences(1)
        if self.spec.kill.startswith("forget"):
            self.layer = forgetting.Layer(self.library, self.project.folder / ".herald", self.folder / "journal")

    def environment(self):
        """Uses a separate store of known serials after each kill, so that lost writes of the state stay visible."""
        seen = {"XDG_STATE_HOME": str(self.folder / f"seen-{self.result.kills}")}
        return seen | ({"HERALD_MUTANT": self.mutant} if self.mutant else {})

    def arguments(self):
        return ("apply", "--yes", "-e", "bench", "--parallelism", self.spec.parallelism)

    def apply(self, *more, env=None):
        result = self.project.herald(*self.arguments(), *more, env=self.environment() if env is None else env)
        self.outputs.append(str(result))
        return result

    def cut_off(self):
        before = self.log.count()
        kind = self.spec.kill
        if kind in SYSCALLS:
            is_killed = self.kill_at_syscall(kind)
        elif kind in ("forget-sync", "forget-release"):
            is_killed = self.kill_in_sync()
        elif kind == "two":
            is_killed = self.two_at_once()
        else:
            is_killed = self.kill_at_random(before)
        self.log.settle()
        if is_killed:
            self.result.kills += 1
            self.marks.append(len(self.log.requests()))
            assert len(self.deaths) == self.result.kills, "the time of a kill is missing"
        if self.layer:
            share = self.chance.choice([0, 0, 0.5])
            dice = random.Random(f"keeps {self.spec} {self.result.kills}")
            writes, names = self.layer.lose_power(lambda record: dice.random() < share)
            self.result.lost_writes += writes + names

    def kill_at_random(self, before):
        """Kills at a random share of the remaining sends."""
        env = self.environment() | (self.layer.environment(pause=2) if self.layer else {})
        with self.project.start(*self.arguments(), env=env) as apply:
            self.await_moment(before, apply)
            return self.kill(apply)

    def await_moment(self, before, apply, part=1.0):
        """Waits for a random share of the remaining sends, at most `part`."""
        left = int(part * (sum(map(len, self.campaigns.values())) - before))
        target = before + self.chance.randint(1, max(1, left - 1))
        # Requests leave in bursts, so add a part of the time between two bursts.
        more = self.chance.random() * 2.3 * self.spec.parallelism / self.least
        tail = Tail(self.log.path, b"messages:send")
        seen, moment = tail.look(), time.monotonic()
        while seen < target and time.monotonic() - moment < PATIENCE and apply.process.poll() is None:
            time.sleep(0.003)
            if tail.look() != seen:
                seen, moment = tail.count, time.monotonic()
        end = time.monotonic() + more
        while time.monotonic() < end and apply.process.poll() is None:
            time.sleep(0.002)

    def kill(self, apply):
        """Returns false if the process had already exited."""
        if apply.process.poll() is not None:
            self.outputs.append(str(apply.finish()))
            return False
        self.deaths.append(time.time())
        self.outputs += apply.kill()
        return True

    def two_at_once(self):
        """A second apply waits for the first, which finishes or is killed. Then the second continues."""
        with self.project.start(*self.arguments(), env=self.environment()) as first:
            self.await_moment(0, first, 0.6)
            with self.project.start(*self.arguments(), env=self.environment()) as second:
                self.await_moment(self.log.count(), second)
                is_killed = self.chance.random() < 0.5 and self.kill(first)
                for apply in (second,) if is_killed else (first, second):
                    self.outputs.append(str(apply.finish()))
                check(self, second.process.returncode in (0, 3, 4), self.outputs[-1])
                return is_killed

    def kill_at_syscall(self, name):
        """Kills one in ten runs before the first request, and the others spread over the rest."""
        first, last = self.calibration[self.spec.transport, self.spec.parallelism][name]
        number = self.chance.randint(1, first) if self.chance.random() < 0.1 else self.chance.randint(first, last)
        code = self.traced("-ttt", "-e", f"trace={name}", "-e", f"inject={name}:signal=SIGKILL:when={number}")
        if code != -signal.SIGKILL:
            return False
        # The last traced call is that of the kill.
        trace = (self.folder / "strace").read_text()
        self.deaths.append(max(map(float, re.findall(r"^(?:\d+ +)?(\d{9,}\.\d+) ", trace, re.MULTILINE))))
        return True

    def kill_in_sync(self):
        first, last = self.calibration[self.spec.transport, self.spec.parallelism]["syncs"]
        number = self.chance.randint(1 if self.chance.random() < 0.1 else first, last)
        if self.spec.kill == "forget-release":
            # The last sync before the first request is that of its mark.
            number = first - 1
        env = self.environment() | self.layer.environment(pause=2, kill=number)
        with self.project.start(*self.arguments(), env=env) as apply:
            code = apply.process.wait(DEADLINE * 2)
            self.outputs += apply.texts()
            if code == -signal.SIGKILL:
                self.deaths.append(time.time())
            return code == -signal.SIGKILL

    def traced(self, *options):
        """Runs an apply under strace, and returns the apply's exit code or signal."""
        command = ["strace", "-f", "-qq", "-o", str(self.folder / "strace"), *options,
                   str(binary()), *map(str, self.arguments()), "-C", str(self.project.folder)]
        with open(self.folder / "traced.out", "wb") as out:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=variables(**self.environment()))
            code = process.wait(DEADLINE * 2)
        self.outputs.append((self.folder / "traced.out").read_text())
        return code

    def recover(self):
        """Applies until one apply sends no request to the emulator."""
        has_begun = any(judge.target(entry) in self.tokens_set for entry in self.log.sends())
        if self.is_personal and has_begun and self.chance.random() < 0.6:
            self.edit()
        for _ in range(MOST_APPLIES):
            before = len(self.log.requests())
            result = self.apply()
            # If six membership requests fail in a row, Herald treats that as an outage.
            gave_up = result.code == 1 and "run apply again" in result.err
            check(self, gave_up or result.code in (0, 3, 4), f"unexpected exit code of an apply after a kill: {result}")
            if len(self.log.requests()) == before and result.code in (0, 4):
                return
        check(self, False, f"{MOST_APPLIES} applies did not complete the work: {self.outputs[-1]}")


def calibrate(spec, folder):
    """Runs an apply without a kill, and measures its duration and when its busiest thread makes which calls."""
    folder.mkdir(parents=True)
    one = Run(spec, folder)
    # As with the forgetting layer, creating and syncing this folder is not counted.
    (one.project.folder / ".herald").mkdir()
    with one.emulator() as emulator:
        emulator.install(one.tokens)
        one.point_at(emulator)
        emulator.put("/emulator/v1/faults", one.script)
        code = one.traced("-e", "trace=" + ",".join((*SYSCALLS, "fsync")))
        assert code in (0, 4), (folder / "traced.out").read_text()
        times = [judge.seconds(entry) for entry in one.log.sends()]
    return calls((folder / "strace").read_text()) | {
        "span": max(times) - min(times), "sends": len(times)}


def prove_version(spec, folder):
    """Checks that HTTP/2 is used."""
    folder.mkdir(parents=True)
    one = Run(spec, folder)
    with one.emulator() as emulator:
        emulator.install(one.tokens)
        one.point_at(emulator)
        emulator.put("/emulator/v1/faults", one.script)
        one.apply().expect(0)
        judge.judge_version(one)


def calls(trace):
    """Returns two call numbers for each system call: that of the first call after the first request, and that of a
    call near the last request. Both count on the thread that makes the call most often. `syncs` counts the calls of
    all threads."""
    lines = [line.split("(")[0].split() for line in trace.splitlines()]
    made = [(name, thread) for thread, name in (line for line in lines if len(line) == 2)]
    counts = Counter(made)
    busiest = {name: max((key for key in counts if key[0] == name), key=counts.get) for name in SYSCALLS}
    # The calls before that send the handshake and the head of the first request.
    begin = [number for number, call in enumerate(made) if call == busiest["sendto"]][4]
    before = Counter(made[:begin])
    sync = ("fsync", "fdatasync")
    found = {"syncs": (sum(name in sync for name, _ in made[:begin]) + 1, sum(name in sync for name, _ in made) - 1)}
    for name, key in busiest.items():
        found[name] = (before[key] + 1, max(before[key] + 2, counts[key] * 95 // 100))
    return found
