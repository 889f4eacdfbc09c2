"""The repository has the layout that its README describes."""

import pytest

from herald import ROOT


@pytest.mark.covers("M03")
def test_top_level_has_the_expected_files():
    for name in ("Package.swift", "Makefile", "README.md", "LICENSE"):
        assert (ROOT / name).is_file(), name
    for name in ("Sources", "Tests", "campaigns", "schemas"):
        assert any((ROOT / name).iterdir()), name
