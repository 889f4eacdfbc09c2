"""The repository is laid out as its README says."""

import pytest

from herald import ROOT


@pytest.mark.covers("M03")
def test_the_top_level_has_what_a_reader_looks_for():
    for name in ("Package.swift", "Makefile", "README.md", "LICENSE"):
        assert (ROOT / name).is_file(), name
    for name in ("Sources", "Tests", "campaigns", "schemas"):
        assert any((ROOT / name).iterdir()), name
