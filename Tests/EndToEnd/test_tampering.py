"""A run that is tampered with at a random time loses no request, and repeats none without naming it.

The emulator's log and the state on disk decide. HERALD_SEED is the first seed (default: 0). There are 20 runs, or 300
if HERALD_SOAK is 10, as in `make soak`. Only long tests tamper with mounts, because that requires root.
"""

import fcntl
import itertools
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

import pytest

from herald import DEADLINE, SOAK, binary, eventually, variables
from test_state_place import COUNT, TOKENS, bench, finish, state  # noqa: F401 (a fixture)

FIRST = int(os.environ.get("HERALD_SEED", "0"))
RUNS = 20 if SOAK == 1 else 30 * SOAK
# Each seed has the kind at its remainder.
KINDS = ("lock", "log", "links", "folder", "copies", "signals", "pipes", "descriptors", "mounts")
# Outcomes as the state stores them.
ACCEPTED, UNKNOWN = 1, 3


@dataclass(frozen=True)
class Tampering:
    kind: str
    # Performs it on an `Attack`. May return a function that repairs the files after the run.
    perform: object
    prefix: tuple = ()
    arguments: tuple = ()
    # Runs in the new process before the program.
    before: object = None
    has_pipes: bool = False


TAMPERINGS = {}


def tampering(kind, name=None, **how):
    def register(perform):
        TAMPERINGS[name or perform.__name__.replace("_", " ")] = Tampering(kind, perform, **how)
        return perform
    return register


class Reader(threading.Thread):
    """Reads a pipe until it is closed or has to leave, with pauses on request."""

    def __init__(self, pipe):
        super().__init__(daemon=True)
        self.pipe, self.leaves, self.pauses = pipe, False, False
        # The smallest pipe fills up quickly.
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 4_096)

    def run(self):
        with self.pipe:
            while not self.leaves:
                if self.pauses or not select.select([self.pipe], [], [], 0.01)[0]:
                    time.sleep(0.001)
                elif not os.read(self.pipe.fileno(), 65_536):
                    return


class Attack:
    """A running apply, its project, and the random choices of a seed."""

    def __init__(self, project, chance, how):
        self.project, self.chance = project, chance
        streams = {name: subprocess.PIPE if how.has_pipes else subprocess.DEVNULL for name in ("stdout", "stderr")}
        self.process = subprocess.Popen(
            [*how.prefix, binary(), "apply", "--yes", "--drain-timeout", "20", *how.arguments, "-C", project.folder],
            stdin=subprocess.DEVNULL, env=variables(), preexec_fn=how.before, **streams)
        self.readers = [Reader(pipe) for pipe in (self.process.stdout, self.process.stderr) if pipe]
        for reader in self.readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait(DEADLINE)
        for reader in self.readers:
            reader.leaves, reader.pauses = True, False
            reader.join(DEADLINE)

    def wait(self):
        """Waits for a random time, two hundredths of a second on average."""
        eventually(lambda: self.process.poll() is not None or self.chance.random() < 0.1, "a moment passes")

    def signal(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def aside(self, path):
        """Returns a free place of the same file system, outside of the state's folder."""
        folder = self.project.folder / "aside"
        folder.mkdir(exist_ok=True)
        return folder / path.name

    def files(self):
        """The state's files and its notes. The emulator has its own folder next to them."""
        folder = self.project.folder / ".herald"
        paths = [*folder.glob("local.sqlite*"), *folder.glob("local.sqlite.flight/*")]
        return sorted(path for path in paths if path.is_file())

    def log(self):
        """The path of the write-ahead log, or none if the run has ended."""
        return [path for path in self.files() if path.name.endswith("-wal")]


# MARK: the lock


@tampering("lock")
def names_next_to_the_state(attack):
    for end in (".writer", ".lock"):
        state(attack.project, end).unlink(missing_ok=True)


@tampering("lock")
def rival(attack):
    rival = attack.project.apply("--lock-timeout", "0")
    assert rival.code == 7 or attack.process.poll() is not None, rival


@tampering("lock")
def others_lock(attack):
    """Another process tries to lock the state's files, shared and exclusively, and closes them."""
    for path, way in itertools.product(attack.files(), (fcntl.LOCK_SH, fcntl.LOCK_EX)):
        with open(path, "rb") as file:
            try:
                fcntl.flock(file, way | fcntl.LOCK_NB)
            except BlockingIOError:
                attack.wait()


# MARK: the log and the folder


def remove(*ends):
    def perform(attack):
        for end in ends:
            state(attack.project, end).unlink(missing_ok=True)
    return perform


for name, ends in {"log": ["-wal"], "index": ["-shm"], "log and index": ["-wal", "-shm"]}.items():
    tampering("log", f"no {name}")(remove(*ends))
for name, ends in {"state": [""], "files": ["", "-wal", "-shm"]}.items():
    tampering("folder", f"no {name}")(remove(*ends))


@tampering("log")
def moved_log(attack):
    moved = {path: attack.aside(path) for path in attack.log()}
    for path, aside in moved.items():
        path.rename(aside)
    return lambda: put_back(moved)


@tampering("folder")
def moved_state(attack):
    aside = state(attack.project).rename(attack.aside(state(attack.project)))
    return lambda: aside.rename(state(attack.project))


@tampering("folder")
def moved_files(attack):
    moved = {path: attack.aside(path) for path in attack.files()}
    for path, aside in moved.items():
        path.rename(aside)
    return lambda: put_back(moved)


@tampering("folder")
def moved_folder(attack):
    """The emulator goes on writing to its log, which is in the folder."""
    folder = attack.project.folder / ".herald"
    away = folder.rename(attack.project.folder / "away")
    attack.wait()

    def repair():
        if folder.exists():
            shutil.rmtree(folder)
        away.rename(folder)
    repair()


def put_back(moved):
    for path, aside in moved.items():
        if aside.exists():
            aside.replace(path)


# MARK: links and copies


@tampering("links")
def second_name(attack):
    aside = attack.aside(state(attack.project))
    os.link(state(attack.project), aside)
    return aside.unlink


@tampering("links")
def linked_state(attack):
    place = state(attack.project)
    aside = place.rename(attack.aside(place))
    place.symlink_to(aside)

    def repair():
        place.unlink()
        aside.rename(place)
    return repair


@tampering("links")
def linked_log(attack):
    moved = {path: attack.aside(path) for path in attack.log()}
    for path, aside in moved.items():
        path.rename(aside)
        path.symlink_to(aside)
    return lambda: put_back(moved)


@tampering("copies")
def copied_state(attack):
    place = state(attack.project)
    shutil.copy(place, attack.aside(place)).replace(place)


@tampering("copies")
def copied_files(attack):
    """Copies replace all files, and the originals return after the run."""
    moved = {path: attack.aside(path) for path in attack.files()}
    for path, aside in moved.items():
        path.rename(aside)
        shutil.copy(aside, path)
    return lambda: put_back(moved)


@tampering("copies")
def overwritten_copy(attack):
    """A copy appears and disappears next to the state, as a backup does."""
    for path in attack.files():
        shutil.copy(path, path.with_name(path.name + ".backup"))
    attack.wait()
    for path in attack.files():
        if path.name.endswith(".backup"):
            path.unlink()


# MARK: signals, pipes and descriptors


@tampering("signals")
def stop(attack):
    attack.signal(signal.SIGSTOP)
    rival(attack)
    attack.signal(signal.SIGCONT)


@tampering("signals")
def storm(attack):
    for _ in range(5):
        attack.signal(attack.chance.choice(
            [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGUSR1, signal.SIGWINCH]))
        attack.wait()


@tampering("signals")
def stop_and_kill(attack):
    attack.signal(signal.SIGSTOP)
    attack.wait()
    attack.signal(signal.SIGKILL)


EVENTS = {"arguments": ("--json",), "has_pipes": True}


@tampering("pipes", **EVENTS)
def reader_leaves(attack):
    attack.readers[0].leaves = True


@tampering("pipes", **EVENTS)
def both_readers_leave(attack):
    for reader in attack.readers:
        reader.leaves = True


@tampering("pipes", **EVENTS)
def reader_pauses(attack):
    attack.readers[0].pauses = True
    for _ in range(20):
        attack.wait()
    attack.readers[0].pauses = False


def closing(*descriptors):
    return {"before": lambda: [os.close(descriptor) for descriptor in descriptors]}


@tampering("descriptors", **closing(0, 2))
def closed_streams(attack):
    """The program starts without standard streams, so that a file could get their numbers."""


@tampering("descriptors", **closing(0, 1, 2))
def closed_output(attack):
    """Without a standard output, the run ends in order at its first line."""


@tampering("descriptors")
def no_more_files(attack):
    """The process may open no more files than it already has, or fewer."""
    limit = attack.chance.choice([3, 16, 32])
    if attack.process.poll() is None:
        resource.prlimit(attack.process.pid, resource.RLIMIT_NOFILE, (limit, limit))


@tampering("descriptors")
def opened_files(attack):
    """Another process locks, reads and closes the state's files as SQLite does."""
    for path in attack.files():
        with open(path, "r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 1 << 30)
            except OSError:
                pass
            file.read()


# MARK: mounts

PRIVATE = {"prefix": ("unshare", "--mount", "--propagation", "private")}


def mount(attack, source, place):
    """Covers a path for the process alone."""
    within = ["nsenter", "--mount", "--target", attack.process.pid]
    if attack.process.poll() is not None:
        return
    run([*within, "mount", "--bind", source, place])
    if attack.chance.random() < 0.5:
        attack.wait()
        if attack.process.poll() is None:
            run([*within, "umount", "--lazy", place])


def run(command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 0 or "No such process" in done.stderr or "ns/mnt" in done.stderr, f"{command}: {done.stderr}"


@tampering("mounts", **PRIVATE)
def mounted_state(attack):
    place = state(attack.project)
    mount(attack, shutil.copy(place, attack.aside(place)), place)


@tampering("mounts", **PRIVATE)
def mounted_log(attack):
    for log in attack.log():
        mount(attack, shutil.copy(log, attack.aside(log)), log)


@tampering("mounts", **PRIVATE)
def mounted_folder(attack):
    """In half of the runs, the folder that covers the real one has copies of its files."""
    cover = attack.project.folder / "cover"
    cover.mkdir()
    if attack.chance.random() < 0.5:
        for path in attack.files():
            shutil.copy(path, cover)
    mount(attack, cover, attack.project.folder / ".herald")


# MARK: the runs

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, None, None]


def kind(seed):
    return KINDS[seed % len(KINDS)]


def seeds():
    allowed = (seed for seed in itertools.count(FIRST) if SOAK > 1 or kind(seed) != "mounts")
    return list(itertools.islice(allowed, RUNS))


def test_every_kind_has_ways_and_runs():
    assert {how.kind for how in TAMPERINGS.values()} == set(KINDS)
    assert {kind(seed) for seed in seeds()} == {name for name in KINDS if SOAK > 1 or name != "mounts"}
    assert len(seeds()) == (20 if SOAK == 1 else 30 * SOAK)


@pytest.mark.usefixtures("hangup")
@pytest.mark.parametrize("seed", seeds())
def test_tampering_loses_and_repeats_nothing(bench, seed):  # noqa: F811
    chance = random.Random(seed)
    name = chance.choice(sorted(name for name, how in TAMPERINGS.items() if how.kind == kind(seed)))
    number = chance.choice(SIGNALS)
    print(f"{name}, {number!r}; again: HERALD_SOAK={SOAK} HERALD_SEED={seed} "
          f"Scripts/run-pytest.sh -k 'test_tampering and [{seed}]'")
    with Attack(bench, chance, TAMPERINGS[name]) as attack:
        count = chance.randint(1, COUNT - 400)
        eventually(lambda: bench.log.count() >= count or attack.process.poll() is not None, f"{count} sends in the log")
        repair = TAMPERINGS[name].perform(attack)
        if number:
            attack.wait()
            attack.signal(number)
        attack.process.wait(DEADLINE)
    if repair:
        repair()
    bench.log.settle()
    finish(bench)
    judge(bench)


def judge(project):
    """Checks the state on disk against the emulator's log."""
    accepted = project.log.accepted()
    # This campaign repeats only a request that was answered with 5xx, and there is none.
    assert set(accepted) <= set(TOKENS) and set(accepted.values()) == {1}, "repeated"
    [(unit, count)] = project.rows("SELECT id, count FROM units")
    chunks = project.rows(f"SELECT outcomes FROM outcome_chunks WHERE unit = {unit} ORDER BY chunk")
    outcomes = b"".join(chunk for chunk, in chunks)
    assert count == len(outcomes) == COUNT
    named = {text for text, outcome in zip(TOKENS, outcomes, strict=True) if outcome == UNKNOWN}
    lost = set(TOKENS) - set(accepted) - named
    assert not lost, f"lost without being named: {len(lost)}"
    claimed = {text for text, outcome in zip(TOKENS, outcomes, strict=True) if outcome == ACCEPTED} - set(accepted)
    assert not claimed, f"recorded as accepted, but never accepted: {len(claimed)}"
    assert set(outcomes) <= {ACCEPTED, UNKNOWN}, "requests have another outcome"
