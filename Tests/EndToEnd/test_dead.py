"""Dead registrations are recorded, never addressed again, pruned from lists, and revived."""

import os
import stat

import pytest

from herald import SOAK, Emulator, Project, token

# `make soak` sends to 100,000 registrations.
COUNT = 2_500 if SOAK == 1 else 100_000
# Two of every 25 registrations are dead: 8 %.
DEAD = [n for n in range(COUNT) if n % 25 in (7, 19)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def install(project, tokens):
    for first in range(0, len(tokens), 10_000):
        project.emulator.install(tokens[first:first + 10_000])


def sent_to(project, begin=0):
    sends = [e for e in project.log.requests(begin) if e["path"].endswith("/messages:send")]
    return sorted(e["body"]["message"]["token"] for e in sends)


@pytest.mark.covers("F1.7-unregistered-drop")
def test_skips_dead_registrations_in_all_lists(bench):
    tokens = [token(n) for n in range(COUNT)]
    dead = {tokens[n] for n in DEAD}
    install(bench, [text for text in tokens if text not in dead])
    bench.campaign("first", f"{{ registrations: {bench.list('all', tokens)} }}")
    living, count = f"{COUNT - len(dead):,}", f"{len(dead):,}"
    bench.apply().expect(0, f"{living} accepted, {count} rejected")
    bench.campaign("second", f"{{ registrations: {bench.list('others', tokens[::-1])} }}")
    bench.herald("plan").expect(0, f"{count} of {COUNT:,} registrations are dead and are skipped",
                                f"{living} requests")
    begin = len(bench.log.bytes())
    bench.apply().expect(0, f"{living} accepted, {count} dead, not addressed")
    assert sent_to(bench, begin) == sorted(set(tokens) - dead)
    kept = bench.rows("SELECT count, accepted, suppressed FROM occurrences JOIN units ON units.id = unit "
                      "WHERE campaign = 'second'")
    assert kept == [(COUNT, COUNT - len(dead), len(dead))]


@pytest.mark.covers("F1.7-sender-id")
def test_wrong_list_is_held_and_marks_no_registration_dead(bench):
    tokens = [token(n) for n in range(COUNT)]
    install(bench, tokens)
    bench.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": [
        {"match": {"registration_share": 0.3}, "answer": {"error": "SENDER_ID_MISMATCH"}}]})
    bench.campaign("call", f"{{ registrations: {bench.list('all', tokens)} }}")
    bench.apply().expect(3, "held      call/once/1", "No registration was marked as dead")
    assert bench.rows("SELECT count(*) FROM dead") == [(0,)]
    assert len(bench.log.sends()) < 1_100


CSV = '''\ufeffuser,registration,note
1,{0},"two
lines, and a ""quote"""

2,{1},plain\r
3,{2},"{2}
"
4,{3},last'''


@pytest.fixture
def pruned(bench):
    """A list of four registrations; FCM reported the first and third as unregistered."""
    tokens = [token(n) for n in range(4)]
    bench.emulator.install(tokens[1::2])
    bench.campaign("first", f"{{ registrations: {bench.list('four', tokens)} }}")
    bench.apply().expect(0)
    bench.tokens = tokens
    return bench


def test_prune_splits_a_text_list_byte_for_byte(pruned):
    a, b, c, d = pruned.tokens
    folder = pruned.folder / "campaigns/registrations"
    text = f"# anglers\n\n{a}\n{b}\r\n# more\n{c}\n\n{d}"
    (folder / "four.txt").write_bytes(text.encode())
    name = "campaigns/registrations/four"
    pruned.herald("registrations", "prune", f"{name}.txt").expect(0, "4 registrations: 2 dead, 2 live.")
    assert (folder / "four.pruned.txt").read_bytes().decode() == f"# anglers\n\n{b}\r\n# more\n\n{d}"
    assert (folder / "four.removed.txt").read_bytes().decode() == f"{a}\n{c}\n"
    assert (folder / "four.txt").read_bytes() == text.encode()
    for part in ("pruned", "removed"):
        assert stat.S_IMODE(os.stat(folder / f"four.{part}.txt").st_mode) == 0o600
    pruned.herald("registrations", "prune", f"{name}.txt").expect(1, "four.pruned.txt already exists", "--force")
    pruned.herald("registrations", "prune", f"{name}.txt", "--output", folder / "four.txt", "--force").expect(0)
    assert (folder / "four.txt").read_bytes().decode() == f"# anglers\n\n{b}\r\n# more\n\n{d}"


def test_prune_splits_csv_records_and_ndjson_lines(pruned):
    a, b, c, d = pruned.tokens
    folder = pruned.folder / "campaigns/registrations"
    (folder / "four.csv").write_bytes(CSV.format(a, b, c, d).encode())
    out, removed = pruned.folder / "out.csv", pruned.folder / "removed.csv"
    pruned.herald("registrations", "prune", "campaigns/registrations/four.csv",
                  "--output", out, "--removed", removed).expect(0, "2 dead, 2 live.")
    assert out.read_bytes().decode() == f"\ufeffuser,registration,note\n\n2,{b},plain\r\n4,{d},last"
    assert removed.read_bytes().decode() == (
        f'\ufeffuser,registration,note\n1,{a},"two\nlines, and a ""quote"""\n3,{c},"{c}\n"\n')
    lines = [f'{{"registration": "{text}", "n": {n}}}\n' for n, text in enumerate(pruned.tokens)]
    pruned.write("four.ndjson", "".join(lines))
    pruned.herald("registrations", "prune", "four.ndjson").expect(0)
    assert (pruned.folder / "four.pruned.ndjson").read_text() == lines[1] + lines[3]
    assert (pruned.folder / "four.removed.ndjson").read_text() == lines[0] + lines[2]


def test_sends_to_revived_registrations_again(pruned):
    a, b, c, d = pruned.tokens
    names = {text: name for name, text in pruned.fingerprints(pruned.tokens).items()}
    pruned.emulator.install([a])
    pruned.campaign("second", f"{{ registrations: {pruned.list('again', pruned.tokens)} }}")
    assert [c["requests"] for c in pruned.plan()["campaigns"] if c["campaign"] == "second"] == [2]
    pruned.write("mended.txt", f"# lines of another system\r\n{names[a]}\r\n{b}\r\n")
    pruned.herald("registrations", "revive", f"@{pruned.folder}/mended.txt").expect(0, "Revived 1 registration")
    pruned.herald("registrations", "revive", names[a]).expect(0, "None of the given registrations is dead.")
    pruned.herald("registrations", "revive", a.replace("APA91b", "APA9lb")).expect(64, "@FILE")
    notices = [n for n in pruned.plan()["notices"] if n["notice"] == "dead-registrations"]
    assert notices == [{"notice": "dead-registrations", "campaign": "second", "count": 1, "of": 4}]
    begin = len(pruned.log.bytes())
    pruned.apply().expect(0, "3 accepted, 1 dead, not addressed")
    assert sent_to(pruned, begin) == sorted([a, b, d])
