"""Reads strace logs of herald: its file writes, syncs and sends."""

import os
import re
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from herald import DEADLINE, Result, binary, checked, variables

FILE_CALLS = "pwrite64,ftruncate,fdatasync,fsync,unlink"
# The calls from which `calls` learns which file or socket a descriptor is, and which threads are herald's.
DESCRIPTOR_CALLS = "openat,socket,close,dup,?dup2,dup3,fcntl,?rename,?renameat,renameat2,clone,?clone3"
SEND = b"POST /v1/projects/e2e/messages:send "


def strace(project, *options, command=("apply", "--yes"), env=None):
    """Runs herald under strace with these options until it exits."""
    done = subprocess.run(
        ["strace", "-f", "-qq", *map(str, options), binary(), *command, "-C", project.folder],
        env=variables(**(env or {})), stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE * 3)
    return checked(Result(done.returncode, done.stdout.decode(), done.stderr.decode()))


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


UNFINISHED = re.compile(r" *<unfinished \.\.\.>$")
RESULT = re.compile(r"= (?P<number>\d+)$")
OPENED = re.compile(r"(?P<folder>AT_FDCWD|\d+), " + TEXT)
RENAMED = re.compile(r'(?:[^"]*, )?' + TEXT + r', (?:[^"]*, )?"(?P<new>(?:[^"\\]|\\.)*)"')


def begins_and_ends(path):
    """Yields (thread, name, arguments, is_end) twice for each call of a trace: when it begins and when it ends.

    The arguments of an end contain the result. A call that never returned has no end.
    """
    begun = {}
    for line in Path(path).read_text(encoding="latin-1").splitlines():
        if resumed := RESUMED.match(line):
            if rest := begun.pop((resumed["thread"], resumed["name"]), None):
                yield resumed["thread"], resumed["name"], rest + resumed["rest"], True
        elif call := CALL.match(line):
            thread, name, rest = call.groups()
            yield thread, name, rest, False
            if UNFINISHED.search(rest):
                begun[thread, name] = UNFINISHED.sub("", rest)
            else:
                yield thread, name, rest, True


def own_threads(path):
    """Returns the threads of the traced process, without those of other processes that it starts."""
    first, children = None, []
    for thread, name, rest, is_end in begins_and_ends(path):
        first = first or thread
        if is_end and name.startswith("clone") and "CLONE_FILES" in rest and (made := RESULT.search(rest)):
            children.append((thread, made["number"]))
    own = {first}
    while more := {child for thread, child in children if thread in own} - own:
        own |= more
    return own


class Descriptors:
    """The file or socket of each descriptor, according to the results of the calls that made it.

    strace's `-y` reads them in /proc instead. Only root may do that, because herald's process is not dumpable.
    """

    def __init__(self):
        self.targets = {}

    def begin(self, name, rest):
        """Applies the begin of a call: from then on, another thread may get the closed number."""
        if name == "close":
            self.targets.pop(number(rest), None)

    def end(self, name, rest):
        """Applies the end of a call, if the call succeeded."""
        if not (result := RESULT.search(rest)):
            return
        if name == "openat":
            self.targets[result["number"]] = self.place(OPENED.match(rest))
        elif name == "socket":
            self.targets[result["number"]] = "socket:"
        elif name in ("dup", "dup2", "dup3") or "F_DUPFD" in rest:
            if (target := self.targets.get(number(rest))) is None:
                self.targets.pop(result["number"], None)
            else:
                self.targets[result["number"]] = target
        elif name.startswith("rename") and (call := RENAMED.match(rest)):
            for each in [each for each, target in self.targets.items() if target == call["text"]]:
                self.targets[each] = call["new"]

    def place(self, opened):
        """Returns an opened path, absolute and without links, escaped as in the trace."""
        folder = self.targets.get(opened["folder"], "")
        return os.path.realpath(os.path.join(folder, opened["text"]))

    def named(self, rest):
        """Returns arguments with the target of the descriptor that is the first of them, as with `-y`."""
        target = self.targets.get(number(rest))
        return rest if target is None else re.sub(r"^\d+", lambda found: f"{found[0]}<{target}>", rest)


def number(rest):
    found = re.match(r"\d+", rest)
    return found and found[0]


def calls(path):
    """Yields (name, arguments) of herald's calls in a possible order of execution.

    Each call counts from its start, so that a send is as early as possible. A sync counts from its end, and only
    if it succeeded. The trace contains DESCRIPTOR_CALLS. A descriptor that is the first argument has the target
    that it had at the start of the call.
    """
    own, files, begun = own_threads(path), Descriptors(), {}
    for thread, name, rest, is_end in begins_and_ends(path):
        if thread not in own:
            continue
        if is_end:
            files.end(name, rest)
            if name in ("fdatasync", "fsync") and rest.endswith("= 0"):
                yield name, begun[thread]
            continue
        begun[thread] = files.named(rest)
        if name not in ("fdatasync", "fsync"):
            yield name, begun[thread]
        files.begin(name, rest)




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
