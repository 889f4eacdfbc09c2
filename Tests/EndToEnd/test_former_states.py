"""Current binaries open states of older formats, show the same data, and continue the work."""

import sqlite3

import pytest

import herald
from former_states import CALLED, CREW, FORMATS, NOW, NOTED, PHONES, STRANGERS, declare, everything, said, unknown, unpack
from herald import SECRET, Emulator, Project


@pytest.fixture
def state(tmp_path, request, monkeypatch):
    # The same state is unpacked repeatedly, so known serials are reset.
    monkeypatch.setattr(herald, "STATE_HOME", str(tmp_path / "seen"))
    project = unpack(request.param, tmp_path / "project")
    with Emulator(Project(tmp_path / "fcm")) as emulator:
        emulator.install(PHONES)
        declare(project, emulator.url)
        project.emulator, project.format = emulator, request.param
        yield project


every_format = pytest.mark.parametrize("state", FORMATS, indirect=True, ids=lambda number: f"format-{number}")


def version(project):
    return project.rows("PRAGMA user_version")[0][0]


def test_every_older_format_has_a_test_state(project):
    project.plan()
    assert FORMATS == list(range(1, version(project)))


@every_format
def test_older_state_shows_the_same_data_as_before(state):
    assert version(state) == state.format
    told = said(state.format)
    del told["unknown"]
    assert everything(state, state.format) == told
    assert version(state) == max(FORMATS) + 1


@every_format
def test_resumes_a_send_that_an_older_binary_started(state):
    [(open_requests,)] = state.rows("SELECT count - released FROM units WHERE count = 300")
    assert open_requests in range(1, 300)
    gone_on = state.apply("--quiet", now=NOW).expect(4, "An earlier run was cut off")
    assert unknown(gone_on.out) == said(state.format)["unknown"]
    accepted = state.emulator.project.log.accepted()
    assert set(accepted) <= set(CALLED) | {t for t in PHONES if t.startswith("flood")}
    assert len([t for t in accepted if t in set(CALLED)]) == open_requests
    assert set(accepted.values()) == {1}
    [(left,)] = state.rows("SELECT intended + returned FROM units WHERE count = 300")
    assert left == 0
    state.list("crew", CREW[:25] + STRANGERS)
    assert "5 left" in state.apply("--quiet", now=NOW).out


@pytest.mark.parametrize("state", [2], indirect=True, ids=["format-2"])
def test_keeps_ids_pauses_and_requested_resolutions(state):
    ids = state.herald("history", "3", "--ids", now=NOW).expect(0).out.splitlines()
    assert len(ids) == len(NOTED) and all("/messages/" in line for line in ids)
    state.herald("status", now=NOW).expect(0, "later", "paused")
    state.apply("--quiet", now=NOW).expect(4, "doubt/once/1")
    assert state.rows("SELECT unknown, cancelled FROM units WHERE id = 1") == [(0, 1)]


@every_format
def test_encrypts_an_older_state_without_changing_its_data(state):
    said_before = everything(state, state.format)
    project = (state.folder / "herald.yaml").read_text()
    state.write("herald.yaml", project.replace("} } }", "}, state: { encryption: { key: keys/state } } } }"))
    state.write("keys/state", "5f" * 32)
    (state.folder / "keys/state").chmod(0o600)
    state.herald("plan", now=NOW).expect(1, "is not encrypted")
    assert SECRET.encode() in (state.folder / ".herald/local.sqlite").read_bytes()
    state.herald("state", "init", now=NOW).expect(0, "encrypted now")
    held = [path.name for path in (state.folder / ".herald").rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert held == []
    assert everything(state, state.format) == said_before
    gone_on = state.apply("--quiet", now=NOW).expect(4)
    assert unknown(gone_on.out) == said(state.format)["unknown"]


@every_format
def test_rejects_a_newer_format_and_leaves_it_unchanged(state):
    path = state.folder / ".herald/local.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    for command in ["plan"], ["apply", "--yes"], ["status"], ["history"]:
        state.herald(*command, now=NOW).expect(1, "has format 99", "use the newer Herald")
    assert path.read_bytes() == before
