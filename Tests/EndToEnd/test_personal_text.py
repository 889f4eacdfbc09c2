"""Texts with values of a list. test_rendering.py has the larger amounts."""

import csv
import io
import json
import random

import pytest

from herald import Emulator, Project, token
from rendering_reference import filled

COUNT = 2_000
COLUMNS = ["name", "first name", "boat", "port", "note", "score"]
PIECES = ["Ana", "O'Brien", '"', "\\", "\n", "\r\n", "\t", ",", ";", "{{name}}", "{{", "}}", "{", "%s", "$", "🌊", "👩‍👧",
          "مرحبا", "שלום", "ẞ", "\u2028", "</script>", "&amp;", " ", "null", "0", "é"]
MESSAGE = {
    "notification": {"title": "{{name}}: {{boat}}", "body": "Hello {{ first name }},\n\"{{note}}\" {{name}}"},
    "data": {"port": "{{port}}", "deep": "{\"score\":\"{{score}}\"}", "plain": "no value"},
    "android": {"notification": {"tag": "t-{{score}}"}},
    "apns": {"payload": {"aps": {"sound": "default"}, "own": {"list": ["{{boat}}", "{{boat}}"]}}},
}


def rows(count, seed=7):
    chance = random.Random(seed)

    def value():
        return "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 4)))
    # A field of spaces only or an empty one is allowed only where a default is declared.
    return [{"registration": token(n), **{c: value() for c in COLUMNS}, "unused": "x"} for n in range(count)]


def as_csv(table):
    text = io.StringIO()
    writer = csv.DictWriter(text, table[0].keys(), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def as_ndjson(table):
    return "".join(json.dumps(row, ensure_ascii=row["registration"][-1] in "02468") + "\n" for row in table)


FORMATS = {"csv": as_csv, "ndjson": as_ndjson}


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def write(project, table, form, message=None, more=""):
    (project.folder / f"people.{form}").write_bytes(FORMATS[form](table).encode())
    project.write("campaigns/call.yaml",
                  f"audience: people\nregistrations: people.{form}\n{more}---\n"
                  f"campaign: call\naudience: people\nmessage: {json.dumps(message or MESSAGE)}\n")


def bodies(project):
    return {e["body"]["message"]["token"]: e["body"]["message"] for e in project.log.sends()}


def shown(message):
    """The message without the fields that Herald adds."""
    kept = {key: message.get(key) for key in ("notification", "data")}
    kept["own"] = message["apns"]["payload"]["own"]
    kept["tag"] = message["android"]["notification"]["tag"]
    return kept


@pytest.mark.parametrize("form", FORMATS)
def test_each_body_equals_the_reference(bench, form):
    table = rows(COUNT)
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table, form)
    bench.herald("validate").expect(0)
    bench.herald("plan").expect(0, f"{COUNT:,} requests")
    bench.apply().expect(0, f"{COUNT:,} accepted")
    sent = bodies(bench)
    assert len(bench.log.sends()) == len(sent) == COUNT
    for row in table:
        assert shown(sent[row["registration"]]) == shown(filled(MESSAGE, row)), row["registration"]
    bench.apply().expect(0, "No changes.")


def test_a_killed_send_continues_with_the_text_of_each_registration(bench):
    table = rows(1_500)
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table, "csv")
    with bench.start("apply", "--yes", "--parallelism", "16") as apply:
        bench.log.wait_for(200)
        apply.kill()
    # The rest is sent from the stored rows, not from the file.
    write(bench, [dict(row, name="changed") for row in table], "csv")
    bench.apply()
    by_registration = {row["registration"]: row for row in table}
    sends = bench.log.sends()
    assert len(sends) >= 1_400
    for send in sends:
        message = send["body"]["message"]
        assert shown(message) == shown(filled(MESSAGE, by_registration[message["token"]]))


def test_a_missing_value_is_an_error_or_uses_the_default(bench):
    table = [{"registration": token(n), "name": name} for n, name in enumerate(["Ana", "", "Rui", ""])]
    bench.emulator.install([row["registration"] for row in table])
    message = {"notification": {"title": "Hello {{name}}"}}
    write(bench, table, "csv", message)
    bench.herald("validate").expect(65, "2 rows have no `name`, the first at people.csv:3", "default")
    bench.apply().expect(65)
    assert bench.log.sends() == []
    write(bench, table, "csv", message, more='columns: { name: { default: "angler" } }\n')
    bench.herald("plan", "--format", "markdown").expect(
        0, "2 of 4 rows have no value for `name` and get `angler`.", "**Example:** `title` `Hello angler`")
    bench.herald("plan").expect(0, "2 of 4 rows have no value for “name” and get “angler”.", "title: “Hello angler”")
    bench.apply().expect(0, "4 accepted")
    assert [bodies(bench)[row["registration"]]["notification"]["title"] for row in table] == [
        "Hello Ana", "Hello angler", "Hello Rui", "Hello angler"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_column_that_the_list_does_not_have_is_an_error(bench, form):
    table = [{"registration": token(0), "name": "Ana"}]
    write(bench, table, form, {"notification": {"title": "Hello {{nam}}"}})
    bench.herald("validate").expect(65, f"the list people.{form} has no column `nam`", "did you mean `name`?")
    assert bench.apply().code == 65 and bench.log.sends() == []


def test_the_longest_row_must_fit(bench):
    table = [{"registration": token(n), "name": "n" * length} for n, length in enumerate([10, 5_000, 20])]
    write(bench, table, "csv", {"notification": {"title": "Hello {{name}}"}})
    bench.herald("validate").expect(65, "in the row at people.csv:3")
    bench.apply().expect(65)
    assert bench.log.sends() == []


@pytest.mark.covers("F1.3-fid-list")
def test_installation_ids_are_sent_as_such(bench):
    people = [f"fid{n:019d}" for n in range(3)]
    (bench.folder / "people.csv").write_text("registration,name\n" + "".join(f"{p},N{p[-1]}\n" for p in people))
    bench.write("campaigns/call.yaml",
                "audience: people\nregistrations: { file: people.csv, kind: fid }\n---\n"
                'campaign: call\naudience: people\nmessage: { notification: { title: "Hello {{name}}" } }\n')
    bench.apply()
    sent = {e["body"]["message"]["fid"]: e["body"]["message"] for e in bench.log.sends()}
    assert {fid: m["notification"]["title"] for fid, m in sent.items()} == {p: f"Hello N{p[-1]}" for p in people}
    assert not any("token" in message for message in sent.values())


def test_a_described_list_is_joined(bench):
    bench.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    table = [{"registration": token(n), "name": "x"} for n in range(40)]
    bench.emulator.install([row["registration"] for row in table])
    (bench.folder / "people.csv").write_text(as_csv(table))
    bench.write("campaigns/people.yaml", "audience: people\nregistrations: people.csv\nsubscribe: [tides]\n")
    bench.apply().expect(0, "40 joined")
    assert all(bench.emulator.topics(row["registration"]) == {"tides"} for row in table)


def test_no_value_of_a_row_is_in_the_output(bench):
    table = [{"registration": token(n), "name": f"Secretname{n}"} for n in range(5)]
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table, "csv", {"notification": {"title": "Hello {{name}}"}})
    said = [bench.herald("validate"), bench.herald("plan"), bench.herald("plan", "--format", "json"),
            bench.herald("preview", "call"), bench.apply(), bench.herald("status", "--all"), bench.herald("history", 1)]
    assert not any("Secretname" in each.out + each.err for each in said)
    assert len(bodies(bench)) == 5
