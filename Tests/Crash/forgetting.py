"""Discards unsynced writes: builds the file layer of forgetting.c, and reads its journal after a kill."""

import os
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEAD = struct.Struct("=c3xIIIQqq")


def build(folder):
    """Compiles the layer and returns the library to preload."""
    library = Path(folder) / "forgetting.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    draft = library.with_suffix(f".{os.getpid()}")
    subprocess.run(
        ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", draft, HERE / "forgetting.c", "-ldl"],
        check=True)
    draft.replace(library)
    return library


@dataclass
class Record:
    operation: str
    path: str
    inode: int
    offset: int
    size: int
    old: bytes
    new: bytes


def records(journal):
    data, place = journal.read_bytes() if journal.exists() else b"", 0
    while place + HEAD.size <= len(data):
        operation, path, old, new, inode, offset, size = HEAD.unpack_from(data, place)
        place += HEAD.size
        parts = []
        for length in (path, old, new):
            parts.append(data[place:place + length])
            place += length
        yield Record(operation.decode(), parts[0].decode(), inode, offset, size, parts[1], parts[2])


class Layer:
    """The journal of one project, for several processes that are killed one after another."""

    def __init__(self, library, root, journal):
        self.library, self.root, self.folder = library, Path(root).resolve(), Path(journal)
        self.folder.mkdir(parents=True)
        self.root.mkdir(parents=True, exist_ok=True)
        self.seen = set()
        self.losses = 0

    def environment(self, pause=0, kill=0):
        more = {"FORGET_KILL": str(kill)} if kill else {}
        boot = self.folder / "boot_id"
        boot.write_text(f"00000000-0000-4000-8000-{self.losses:012}\n")
        return {"LD_PRELOAD": str(self.library), "FORGET_ROOT": str(self.root), "FORGET_BOOT": str(boot),
                "FORGET_JOURNAL": str(self.folder), "FORGET_PAUSE": str(pause)} | more

    def lose_power(self, keeps=lambda record: False):
        """Restores a possible content of the files after a power failure.

        `keeps` returns whether an unsynced write reached the disk anyway. Returns the numbers of lost writes and
        lost names.
        """
        self.losses += 1
        all_records = list(records(self.folder / "journal"))
        self.seen |= {record.operation for record in all_records}
        lost_writes = self.lose_writes(unsynced(all_records, "WT", "S", lambda record: record.inode), keeps)
        names = unsynced(all_records, "CUR", "D", lambda record: str(Path(record.path).parent), lambda record: record.path)
        for record in reversed(names):
            self.lose_name(record)
        for index in self.root.glob("*-shm"):
            index.unlink()
        self.forget()
        return lost_writes, len(names)

    def lose_writes(self, lost, keeps):
        """Undoes all writes from the last to the first, then repeats the kept ones."""
        files = {path.stat().st_ino: path for folder in (self.root, self.folder)
                 for path in folder.iterdir() if path.is_file()}
        kept = [record for record in lost if keeps(record)]
        for record in reversed(lost):
            if path := files.get(record.inode):
                with open(path, "r+b") as file:
                    put(file, record.offset, record.old)
                    file.truncate(record.size)
        for record in kept:
            if path := files.get(record.inode):
                with open(path, "r+b") as file:
                    put(file, record.offset, record.new)
                    if record.operation == "T":
                        file.truncate(record.offset)
        return len(lost) - len(kept)

    def lose_name(self, record):
        path = Path(record.path)
        is_there = path.exists() and path.stat().st_ino == record.inode
        if record.operation == "C" and is_there:
            path.unlink()
        elif record.operation == "U" and not path.exists():
            # Its folder may have been removed since then.
            path.parent.mkdir(exist_ok=True)
            os.link(record.old.decode(), path)
        elif record.operation == "R" and is_there:
            path.rename(record.old.decode())

    def forget(self):
        for path in self.folder.iterdir():
            path.unlink()


def put(file, offset, data):
    file.seek(offset)
    file.write(data)


def unsynced(all_records, changes, sync, key, sync_key=None):
    """Returns the changes whose file or directory was not synced afterwards, in order."""
    last = {(sync_key or key)(record): number for number, record in enumerate(all_records) if record.operation == sync}
    return [record for number, record in enumerate(all_records)
            if record.operation in changes and number > last.get(key(record), -1)]
