"""`herald emulator adopt` and `--adopt-lists`: a rehearsal with the project's own lists."""

import json

import pytest

from herald import Emulator, token

TOKENS = [token(n, "real") for n in range(40)]


@pytest.fixture
def rehearsal(project):
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    return project


def received(project):
    found = json.loads(project.herald("emulator", "assert", "--at-least", "0", "--json").expect(0).out)
    return found["matches"]


def test_adopted_registrations_receive_the_campaign(rehearsal):
    path = "campaigns/registrations/all.txt"
    rehearsal.herald("emulator", "adopt", path).expect(0)
    again = rehearsal.herald("emulator", "adopt", path, "--platform", "apple").expect(0)
    assert "40 had one before" in again.out
    rehearsal.apply().expect(0)
    assert received(rehearsal) == len(TOKENS)


def test_unknown_registrations_are_explained(rehearsal):
    result = rehearsal.apply()
    assert result.code == 3
    assert "herald emulator adopt LIST" in result.out and "--adopt-lists" in result.out
    assert received(rehearsal) == 0


def test_emulator_adopts_all_lists_at_its_start(rehearsal):
    with Emulator(rehearsal, arguments=["--adopt-lists"]) as emulator:
        devices = emulator.get("/emulator/v1/search/devices?text=adopted")
        assert devices["total"] == len(TOKENS)
        rehearsal.apply().expect(0)
        assert emulator.get("/emulator/v1/assert?count=40")["matches"] == 40


def test_adopts_a_hundred_thousand_registrations(project):
    with Emulator(project) as emulator:
        tokens = [token(n, "many") for n in range(100_000)]
        project.write("many.txt", "\n".join(tokens) + "\n")
        project.herald("emulator", "adopt", str(project.folder / "many.txt")).expect(0)
        assert emulator.get("/emulator/v1/search/devices?limit=1")["total"] == 100_000
