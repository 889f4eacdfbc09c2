"""Creates states of older formats with the binaries of their time, and reads states with any binary.

Creating a state requires the old binary; see former-states/README.md:

    HERALD=path/to/current/herald python former_states.py path/to/old/herald FORMAT
"""

import io
import json
import os
import shutil
import signal
import sqlite3
import sys
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path

from herald import Emulator, Project, token

FOLDER = Path(__file__).parent / "former-states"
FORMATS = sorted(int(path.name.split("-")[1].split(".")[0]) for path in FOLDER.glob("format-*.tar.gz"))
NOW = "2037-03-20T09:00:00Z"
CREW = [token(n, "crew") for n in range(30)]
STRANGERS = [token(n, "stranger") for n in range(3)]
CALLED = [token(n, "called") for n in range(300)]
OLD = [token(n, "old") for n in range(30)]
NOTED = [token(n, "noted") for n in range(20)]
FLOOD = [token(n, "flood") for n in range(40)]
PHONES = CREW + CALLED + OLD + NOTED + FLOOD

SEND = {"service": "SEND"}
SLOW = {"match": SEND, "delivery": {"delay_milliseconds": 20}}
DOUBTFUL = {"match": {**SEND, "topic": "azores"}, "accepted": True, "answer": {"error": "UNAVAILABLE"}}
DEAD = {"match": SEND, "when": {"every": 10}, "answer": {"error": "UNREGISTERED"}}
REFUSED = {"match": SEND, "answer": {"error": "INVALID_ARGUMENT"}}


def declare(project, url):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {}, azores: {} }\n"
                  f"environments: {{ local: {{ emulator: {{ url: '{url}' }} }} }}\n")


def files(project, format):
    """Writes the campaign files as they were at the last write of the state."""
    project.campaign("news", "{ topic: tides }")
    project.campaign("doubt", "{ topic: azores }")
    project.campaign("later", "{ topic: tides }", schedule="2037-03-25 10:00")
    project.campaign("call", f"{{ registrations: {project.list('called', CALLED)} }}")
    project.write("campaigns/crew.yaml", "audience: crew\nsubscribe: [tides]\n"
                  f"registrations: {project.list('crew', CREW + STRANGERS)}\n")
    if format == 1:
        return
    project.campaign("old", f"{{ registrations: {project.list('old', OLD)} }}")
    project.campaign("flood", f"{{ registrations: {project.list('flood', FLOOD)} }}")
    project.campaign("noted", f"{{ registrations: {project.list('noted', NOTED)} }}")
    project.write("campaigns/noted.yaml", (project.folder / "campaigns/noted.yaml").read_text() + "record: ids\n")
    project.write("campaigns/daily.yaml", "campaign: daily\naudience: { topic: tides }\n"
                  "message: { notification: { title: daily } }\nschedule: { cron: 0 7 * * * }\n")


def unpack(format, folder):
    """Unpacks a state of an old format into a project that has the matching files."""
    project = Project(folder)
    files(project, format)
    with tarfile.open(FOLDER / f"format-{format}.tar.gz") as archive:
        for entry in archive:
            path = project.folder / entry.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.extractfile(entry).read())
            path.chmod(entry.mode)
    return project


def said(format):
    """Returns the recorded output of the old binary for this state."""
    return json.loads((FOLDER / f"format-{format}.json").read_text())


# MARK: reading a state, with any binary


def plan(project):
    plan = project.plan(now=NOW)
    joins = {(m["audience"], m["topic"]): [m["joins"], m["leaves"]] for m in plan["memberships"]}
    return {
        "campaigns": {c["campaign"]: c["action"] for c in plan["campaigns"]},
        "memberships": {"/".join(key): value for key, value in sorted(joins.items())},
    }


def status(project):
    shown = json.loads(project.herald("status", "--format", "json", "--all", now=NOW).expect(0).out)
    return {o["occurrence"]: [o["phase"], o.get("counts"), o.get("hold")] for o in shown["occurrences"]}


def runs(project):
    shown = json.loads(project.herald("history", "--format", "json", now=NOW).expect(0).out)
    return [[run[key] for key in ("run", "command", "status")] for run in shown["runs"]]


def unknown(text):
    """Returns the requests that an apply lists as unknown."""
    return sorted(line.split()[1:3] for line in text.splitlines() if line.startswith("  unknown "))


def everything(project, format):
    return {"plan": plan(project)} | ({"status": status(project), "runs": runs(project)} if format > 1 else {})


# MARK: creating a state


@contextmanager
def former(binary):
    now = os.environ["HERALD"]
    os.environ["HERALD"] = binary
    try:
        yield
    finally:
        os.environ["HERALD"] = now


def make(binary, format, folder):
    project = Project(folder / "project")
    with Emulator(Project(folder / "fcm")) as emulator, former(binary):
        emulator.install(PHONES)
        declare(project, emulator.url)
        write(project, emulator, format)
        pack(project, format)
        emulator.put("/emulator/v1/faults", {"rules": []})
        told = everything(project, format)
        told["unknown"] = unknown(project.apply("--quiet", now=NOW, env=AUTHOR).out)
    (FOLDER / f"format-{format}.json").write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")


AUTHOR = {"USER": "ada"}


def write(project, emulator, format):
    """Runs several applies with different faults. The last apply is killed in the middle of its list."""

    def apply(*rules):
        emulator.put("/emulator/v1/faults", {"rules": rules})
        return project.apply(*parallelism, now=NOW, env=AUTHOR)

    parallelism = ["--parallelism", "1"] if format > 1 else []
    with tempfile.TemporaryDirectory() as folder:
        last = Project(Path(folder) / "last")
        files(last, format)
        taken = {path.name: path for path in (last.folder / "campaigns").glob("*.yaml")}
        shutil.copytree(last.folder / "campaigns/registrations", project.folder / "campaigns/registrations")

        def add(*names):
            for name in names:
                shutil.copy(taken[f"{name}.yaml"], project.folder / "campaigns")

        project.campaign("gone", "{ topic: tides }", schedule="2037-03-24 10:00")
        add("news", "doubt", "later", "crew")
        apply(DOUBTFUL).expect(4)
        (project.folder / "campaigns/gone.yaml").unlink()
        if format > 1:
            add("old", "daily")
            apply(DEAD)
            add("noted")
            apply()
            add("flood")
            apply(REFUSED)
            project.herald("pause", "later", now=NOW, env=AUTHOR).expect(0)
        add("call")
        emulator.put("/emulator/v1/faults", {"rules": [SLOW]})
        log = emulator.project.log
        before = log.count()
        with project.start("apply", "--yes", *parallelism, now=NOW, env=AUTHOR) as run:
            log.wait_for(before + 100)
            run.signal(signal.SIGSTOP)
            if format > 1:
                project.herald("resolve", "doubt/once/1", "drop", "--yes", now=NOW, env=AUTHOR).expect(0)
            run.kill()
        emulator.project.log.settle()


def pack(project, format):
    """Dumps the state into one file, without the host name of the machine that created it."""
    state = project.folder / ".herald/local.sqlite"
    with sqlite3.connect(state) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            if "host" in [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]:
                connection.execute(f"UPDATE {table} SET host = 'desk'")
        assert connection.execute("PRAGMA user_version").fetchone() == (format,)
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    kept = [state, *sorted((project.folder / ".herald/local.ids").glob("*"))]
    with tarfile.open(FOLDER / f"format-{format}.tar.gz", "w:gz", compresslevel=9) as archive:
        for path in kept:
            entry = tarfile.TarInfo(str(path.relative_to(project.folder)))
            content = path.read_bytes()
            entry.size, entry.mode = len(content), 0o600
            archive.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        make(sys.argv[1], int(sys.argv[2]), Path(folder))
