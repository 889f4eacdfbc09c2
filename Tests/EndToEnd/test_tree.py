"""The repository has the layout that its README describes."""

import re
import subprocess
import tarfile

import pytest

from herald import DEADLINE, ROOT


@pytest.mark.covers("M03")
def test_top_level_has_the_expected_files():
    for name in ("Package.swift", "Makefile", "README.md", "LICENSE"):
        assert (ROOT / name).is_file(), name
    for name in ("Sources", "Tests", "campaigns", "schemas"):
        assert any((ROOT / name).iterdir()), name


def test_python_scripts_run_with_debians_python():
    scripts = [path for folder in ("Scripts", "Tests", "Benchmarks") for path in (ROOT / folder).rglob("*.py")]
    starts = {path.name: line for path in scripts if (line := path.read_text().splitlines()[0]).startswith("#!")}
    assert set(starts.values()) == {"#!/usr/bin/python3"}, starts
    for path in [ROOT / "Makefile", *(ROOT / "Scripts").glob("*.sh")]:
        assert not re.findall(r"(?<!/usr/bin/)\bpython3? +[-\w/]*(?:-m|\.py)\b", path.read_text()), path


def test_the_fuzz_corpus_is_packed_reproducibly(tmp_path):
    """Sorted, without times and owners; packing its inputs again changes no byte."""
    archive = ROOT / "Fuzzing/corpus.tar.gz"
    with tarfile.open(archive) as corpus:
        entries = corpus.getmembers()
    names = [entry.name for entry in entries]
    assert names == sorted(names) and {name.split("/")[0] for name in names} == {
        "compressed", "conditions", "csv", "loader", "ndjson", "schedules", "templates"}
    assert {(entry.mtime, entry.uid, entry.gid, entry.mode, entry.isfile()) for entry in entries} == {(0, 0, 0, 0o644, True)}
    (tmp_path / "Scripts").mkdir()
    (tmp_path / "Fuzzing").mkdir()
    for path in ("Scripts/pack-corpus.sh", "Fuzzing/corpus.tar.gz"):
        (tmp_path / path).write_bytes((ROOT / path).read_bytes())
    subprocess.run(["tar", "-xf", archive, "-C", tmp_path], check=True, timeout=DEADLINE)
    subprocess.run(
        ["bash", tmp_path / "Scripts/pack-corpus.sh", "loader", tmp_path / "loader"], check=True, timeout=DEADLINE)
    assert (tmp_path / "Fuzzing/corpus.tar.gz").read_bytes() == archive.read_bytes()
