"""Lists in compressed files and lists of several files."""

import gzip
import os
import struct

import pytest

from herald import Project, token

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
