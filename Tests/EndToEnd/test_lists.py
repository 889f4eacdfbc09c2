"""Lists in compressed files, lists of several files, and lists with errors."""

import gzip
import os
import struct
import threading

import pytest

from herald import SOAK, Project, token

TOKENS = [token(n) for n in range(6)]
COMMANDS = [["validate"], ["plan"], ["apply", "--yes"]]


@pytest.fixture
def bench(tmp_path):
    """A project with a phone for each registration."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.devices(TOKENS)
    return project


def lines(tokens):
    return "".join(f"{text}\n" for text in tokens).encode()


def zstd(data):
    """A frame with one block that is not compressed (RFC 8878)."""
    assert len(data) < 1 << 17
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data)) + struct.pack("<I", len(data) << 3 | 1)[:3] + data


def put(project, path, data):
    path = project.folder / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def refused(project, *fragments):
    for command in COMMANDS:
        project.herald(*command).expect(65, *fragments)
    assert project.log.sends() == []


@pytest.mark.parametrize("name, data", [
    ("all.txt.gz", gzip.compress(lines(TOKENS))),
    ("all.txt.gz", gzip.compress(lines(TOKENS[:3])) + gzip.compress(lines(TOKENS[3:]))),
    ("all.txt.zst", zstd(lines(TOKENS))),
    ("all.txt", zstd(lines(TOKENS[:3])) + b"\x50\x2a\x4d\x18\x02\x00\x00\x00hi" + zstd(lines(TOKENS[3:]))),
], ids=["gzip", "gzip members", "zstd", "zstd frames"])
def test_sends_to_a_compressed_list(bench, name, data):
    put(bench, f"lists/{name}", data)
    bench.campaign("call", f"{{ registrations: lists/{name} }}")
    bench.apply().expect(0, "6 accepted")
    assert dict(bench.log.accepted()) == {text: 1 for text in TOKENS}


def test_a_compressed_list_is_the_same_list_as_the_plain_one(bench):
    put(bench, "lists/all.txt", lines(TOKENS))
    bench.campaign("call", "{ registrations: lists/all.txt }")
    before = bench.plan()["digest"]
    put(bench, "lists/all.txt", gzip.compress(lines(TOKENS)))
    assert bench.plan()["digest"] == before


@pytest.mark.parametrize("data, reason", [
    (gzip.compress(lines(TOKENS))[:-1], "its gzip data ends too early"),
    (zstd(lines(TOKENS))[:-1], "its zstd data ends too early"),
    (gzip.compress(lines(TOKENS)) + b"\n", "other data follows its gzip data"),
    (gzip.compress(lines(TOKENS))[:-6] + b"\0" * 6, "its gzip data is damaged at byte"),
    (gzip.compress(b"#" * (64 << 20)), "more than 1,000 times the size of the compressed file"),
    (b"\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", "needs a window of more than 128 MiB"),
], ids=["short gzip", "short zstd", "trailing", "damaged", "bomb", "window"])
def test_refuses_compressed_data_that_is_not_whole(bench, data, reason):
    put(bench, "lists/all.txt.gz", data)
    bench.campaign("call", "{ registrations: lists/all.txt.gz }")
    refused(bench, "unreadable-file", "lists/all.txt.gz", reason)


def test_sends_to_all_files_of_a_pattern(bench):
    for number, text in enumerate(TOKENS):
        put(bench, f"lists/part-{number}.txt.gz", gzip.compress(lines([text])))
    put(bench, "lists/.part-9.txt.gz", b"not a list")
    bench.campaign("call", '{ registrations: "lists/part-*.txt.gz" }')
    bench.apply().expect(0, "6 accepted")
    assert dict(bench.log.accepted()) == {text: 1 for text in TOKENS}
    put(bench, "lists/part-9.txt.gz", gzip.compress(lines([TOKENS[0]])))
    bench.herald("validate").expect(65, "lists/part-9.txt.gz:1 repeats the registration of lists/part-0.txt.gz:1")


@pytest.mark.parametrize("pattern, rule, reason", [
    ("lists/**/a.txt", "unknown-value", "`**` is not supported"),
    ("lists/[a.txt", "unknown-value", "no closing bracket"),
    ("lists/x*.txt", "unreadable-file", "no file matches it"),
    ("lists/*", "unreadable-file", "lists/b.csv: its name is that of a csv list"),
])
def test_refuses_patterns_that_name_no_list(bench, pattern, rule, reason):
    put(bench, "lists/a.txt", lines(TOKENS))
    put(bench, "lists/b.csv", b"registration\n")
    bench.campaign("call", f'{{ registrations: "{pattern}" }}')
    refused(bench, rule, reason)


def test_a_pattern_does_not_leave_the_project(bench, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_bytes(lines(TOKENS))
    bench.campaign("call", f'{{ registrations: "{outside}/*.txt" }}')
    refused(bench, "outside of the project", "--allow-path DIR")
    bench.herald("validate", "--allow-path", outside).expect(0)
    (bench.folder / "lists").symlink_to(outside)
    bench.campaign("call", '{ registrations: "*/a.txt" }')
    refused(bench, "lists/a.txt", "outside of the project")
    (bench.folder / "lists").unlink()
    (bench.folder / "lists").mkdir()
    os.mkfifo(bench.folder / "lists/a.txt")
    refused(bench, "lists/a.txt", "it is not a regular file")


def test_a_file_whose_name_is_a_pattern_can_be_named(bench):
    put(bench, "lists/a[1].txt", lines(TOKENS))
    bench.campaign("call", "{ registrations: 'lists/a\\[1].txt' }")
    bench.apply().expect(0, "6 accepted")
    bench.herald("registrations", "fingerprint", "lists/a[1].txt").expect(0)


# MARK: errors in lists


A, B = (text.encode() for text in TOKENS[:2])
HEAD = b"registration,user,note\n"
GOOD = b'{"registration": "' + A + b'", "user": 1}\n'
TWICE = b'{"registration": "' + B + b'", "user": 2, '
SPELT = "is a number that can be spelt in several ways; put it in quotation marks"


def broken(name, line, reason, column, *parts):
    """A list whose error is where the part after the separator `None` begins."""
    before, after = (b"".join(half) for half in (parts[:parts.index(None)], parts[parts.index(None) + 1:]))
    return name, before + after, f"lists/{name}:{line} {reason} (column {column}, byte {len(before) + 1})"


BROKEN = {
    "too few fields": broken("l.csv", 2, "is invalid: it has 2 fields, and the header line has 3", 3, HEAD, A, b",ana", None, b"\n"),
    "too many fields": broken(
        "l.csv", 3, "is invalid: it has 4 fields, and the header line has 3", 4,
        HEAD, A, b",ana,x\n", B, b",bo,x,", None, b"y\n"),
    "unterminated quote": broken(
        "l.csv", 2, "is invalid: a quoted field is not closed", "`user`", HEAD, A, b",", None, b'"ana,x\n', B, b",bo,x\n"),
    "NUL in CSV": broken(
        "l.csv", 2, "is invalid: it contains the character NUL", 3, HEAD, A, b",ana,x", None, b"\0\n"),
    "NUL in text": broken(
        "l.txt", 2, "is not a registration: it contains the character NUL", 3, A, b"\n# ", None, b"\0\n"),
    "NUL in JSON": broken(
        "l.ndjson", 1, "is invalid: it contains the character NUL", 1 + len(b'{"note": "'),
        b'{"note": "', None, b'\\u0000", "registration": "', A, b'", "user": 1}\n'),
    "duplicate header": broken(
        "l.csv", 1, f"is invalid: the header line has the same name twice, first in column 3, byte {len(HEAD) - 4}", 4,
        HEAD[:-1], b",", None, b"note\n", A, b",ana,x,y\n"),
    "duplicate key": broken(
        "l.ndjson", 2, f"is invalid: it has the same key twice, first at byte {len(GOOD + TWICE) + 1}", len(TWICE) + 9,
        GOOD, TWICE, b'"y": 2, ', None, b'"y": 3}\n'),
    "number with a fraction": broken(
        "l.ndjson", 1, f"is invalid: its `user` {SPELT}", "`user`",
        b'{"registration": "', A, b'", "user": ', None, b"7.0}\n"),
    "number with an exponent": broken(
        "l.ndjson", 1, f"is invalid: its `user` {SPELT}", "`user`",
        b'{"registration": "', A, b'", "user": ', None, b"1e3}\n"),
    "bytes that are not UTF-8": broken("l.csv", 2, "is invalid: it is not UTF-8", 3, HEAD, A, b",ana,\xc3\xa9", None, b"\xff\n"),
    "row over 1 MiB": broken(
        "l.csv", 2, "is invalid: it is longer than 1 MiB", "`registration`",
        HEAD, None, A, b",ana,", *(b"%07d" % n for n in range(150_000)), b"\n"),
    "empty identity": broken("l.csv", 2, "is invalid: it has no `user`", "`user`", HEAD, A, b",", None, b",x\n"),
}


@pytest.mark.parametrize("name, data, fragment", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("is_compressed", [False, True], ids=["plain", "gzip"])
def test_a_broken_row_is_reported_with_its_place_and_nothing_is_sent(bench, name, data, fragment, is_compressed):
    put(bench, f"lists/{name}", gzip.compress(data) if is_compressed else data)
    keys = "" if name.endswith(".txt") else ", identity: user"
    bench.campaign("call", f"{{ registrations: {{ file: lists/{name}{keys} }} }}")
    refused(bench, f"error[broken-list-line]: {fragment}")


def test_a_locale_in_another_notation_is_reported_with_its_place(bench):
    name, data, fragment = broken(
        "l.csv", 3, "is invalid: its `lang` is `nb_NO` instead of the language tag `nb-NO`", "`lang`",
        b"registration,lang\n", A, b",pt\n", B, b",", None, b"nb_NO\n")
    put(bench, f"lists/{name}", data)
    bench.campaign("call", f"{{ registrations: {{ file: lists/{name}, locale: lang }} }}")
    refused(bench, fragment)


def test_an_empty_identity_far_down_a_list(bench):
    # `make soak` reads more than seven million lines.
    line = 54_321 if SOAK == 1 else 7_654_321
    path = bench.folder / "lists/l.csv"
    path.parent.mkdir()
    with path.open("wb") as file:
        file.write(b"registration,user\n")
        for first in range(2, line, 10_000):
            file.write(b"".join(b"a:%d,u\n" % n for n in range(first, min(first + 10_000, line))))
        file.write(b"a:%d," % line)
        byte = file.tell() + 1
        file.write(b"\na:0,u\n")
    bench.campaign("call", "{ registrations: { file: lists/l.csv, identity: user } }")
    refused(bench, f"error[broken-list-line]: lists/l.csv:{line} is invalid: it has no `user` (column `user`, byte {byte})")


def test_a_list_that_is_a_pipe_is_not_read(bench):
    (bench.folder / "lists").mkdir()
    os.mkfifo(bench.folder / "lists/all.txt")
    bench.campaign("call", "{ registrations: lists/all.txt }")
    refused(bench, "unreadable-file", "lists/all.txt", "it is not a regular file")


@pytest.mark.parametrize("name", ["all.txt", "all.csv", "all.csv.gz"])
def test_a_list_that_changes_while_it_is_read_is_refused(bench, name):
    rows = b"registration\n" * (".csv" in name) + b"".join(b"a:%d-%064d\n" % (n, n) for n in range(200_000))
    put(bench, f"lists/{name}", gzip.compress(rows, 1) if name.endswith(".gz") else rows)
    bench.campaign("call", f"{{ registrations: lists/{name} }}")
    path, done = bench.folder / f"lists/{name}", threading.Event()

    def touch():
        for time in range(1, 1 << 60):
            os.utime(path, ns=(time, time))
            if done.is_set():
                return

    thread = threading.Thread(target=touch)
    thread.start()
    try:
        refused(bench, "unreadable-file", f"lists/{name}", "it changed while it was read")
    finally:
        done.set()
        thread.join()
