"""Reads strace logs of herald: its file writes, syncs and sends."""

import re
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from herald import DEADLINE, Result, binary, checked, variables

FILE_CALLS = "pwrite64,ftruncate,fdatasync,fsync,unlink"
SEND = b"POST /v1/projects/e2e/messages:send "


def strace(project, *options, command=("apply", "--yes"), env=None):
    """Runs herald under strace with these options until it exits."""
    done = subprocess.run(
        ["strace", "-f", "-qq", *map(str, options), binary(), *command, "-C", project.folder],
        env=variables(**(env or {})), stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE * 3)
    return checked(Result(done.returncode, done.stdout.decode(), done.stderr.decode()))


def trace(project, names, path, *options, **how):
    """Runs herald under strace, which writes the calls with these names, their texts and their files to a path.

    An ordinary user may not read the texts and descriptors of a process that has forbidden its dumps. For the trace,
    prctl does nothing instead. strace replaces the results only of calls that it also traces.
    """
    return strace(
        project, "-y", "-o", path, "-e", f"trace={names},prctl", "-e", "inject=prctl:retval=0", *options, **how)


CALL = re.compile(r"(?P<thread>\d+) +(?P<name>\w+)\((?P<rest>.*)", re.DOTALL)
RESUMED = re.compile(r"(?P<thread>\d+) +<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)", re.DOTALL)
TEXT = r'"(?P<text>(?:[^"\\]|\\.)*)"'
FILE = re.compile(r"\d+<(?P<path>[^>]*)>")
WRITE = re.compile(r"\d+<(?P<path>[^>]*)>, " + TEXT + r", \d+, (?P<offset>\d+)")
CUT = re.compile(r"\d+<(?P<path>[^>]*)>, (?P<size>\d+)")
SENT = re.compile(r"\d+<socket:[^>]*>, " + TEXT)
GONE = re.compile(TEXT)


def unescaped(text):
    return text.encode("latin-1").decode("unicode_escape").encode("latin-1")


def calls(path):
    """Yields (name, arguments) in a possible order of execution.

    Each call counts from its start, so that a send is as early as possible. A sync counts from its end, and only
    if it succeeded.
    """
    begun = {}
    for line in Path(path).read_text(encoding="latin-1").splitlines():
        if resumed := RESUMED.match(line):
            call = begun.pop((resumed["thread"], resumed["name"]), None)
            if call and resumed["rest"].endswith("= 0"):
                yield call
        elif call := CALL.match(line):
            name, rest = call["name"], call["rest"]
            if name not in ("fdatasync", "fsync"):
                yield name, rest
            elif rest.endswith("<unfinished ...>"):
                begun[call["thread"], name] = name, rest
            elif rest.endswith("= 0"):
                yield name, rest


RENAMED = re.compile(r'(?:[^"]*, )?' + TEXT + r', (?:[^"]*, )?"(?P<new>(?:[^"\\]|\\.)*)"')


def written_files(path):
    """Returns the steps by which each file of a trace got its content, by its last name.

    The steps are `written`, `synced`, `named` (renamed) and `name synced`; repeated steps are one.
    """
    steps = {}
    for name, rest in calls(path):
        if name.startswith("rename"):
            if (call := RENAMED.match(rest)) and call["text"] in steps:
                steps[call["new"]] = [*steps.pop(call["text"]), "named"]
        elif (call := FILE.match(rest)) and name == "write":
            add(steps.setdefault(call["path"], []), "written")
        elif call and name in ("fsync", "fdatasync"):
            if call["path"] in steps:
                add(steps[call["path"]], "synced")
            for file, known in steps.items():
                if "named" in known and str(Path(file).parent) == call["path"]:
                    add(known, "name synced")
    return steps


def add(steps, step):
    if steps[-1:] != [step]:
        steps.append(step)


class Disk:
    """The content that herald wrote to the state's files, and the part of it that is synced."""

    def __init__(self, state):
        self.state = Path(state)
        self.given = {str(path): bytearray(path.read_bytes()) for path in self.files() if path.exists()}
        self.synced = {path: bytes(content) for path, content in self.given.items()}

    def files(self):
        return [self.state, self.state.with_name(self.state.name + "-wal")]

    def see(self, name, rest):
        """Applies a call, and returns whether it synced new content."""
        if name == "pwrite64" and (call := WRITE.match(rest)):
            self.write(call["path"], unescaped(call["text"]), int(call["offset"]))
        elif name == "ftruncate" and (call := CUT.match(rest)):
            content, size = self.given.setdefault(call["path"], bytearray()), int(call["size"])
            content[:] = content[:size].ljust(size, b"\0")
        elif name == "unlink" and (call := GONE.match(rest)):
            self.given.pop(call["text"], None)
            return self.synced.pop(call["text"], None) is not None
        elif name in ("fdatasync", "fsync") and (call := FILE.match(rest)):
            before, path = self.synced.get(call["path"]), call["path"]
            self.synced[path] = bytes(self.given.get(path, b""))
            return before != self.synced[path]
        return False

    def write(self, path, content, offset):
        file = self.given.setdefault(path, bytearray())
        file[len(file):] = b"\0" * (offset - len(file))
        file[offset:offset + len(content)] = content

    def query(self, sql):
        """Queries the state as a power failure would have left it."""
        with tempfile.TemporaryDirectory() as folder:
            for path in self.files():
                if str(path) in self.synced:
                    (Path(folder) / path.name).write_bytes(self.synced[str(path)])
            connection = sqlite3.connect(Path(folder) / self.state.name)
            try:
                return connection.execute(sql).fetchall()
            finally:
                connection.close()
