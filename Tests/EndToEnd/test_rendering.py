"""Each body of a list with personal text and locales equals what an independent reference renders from the same file."""

import itertools
import random

import pytest

import rendering_reference as reference
from generator import written
from herald import SOAK, Emulator, Project, token
from personal_campaigns import PersonalCampaign, csv_bytes, text
from sent_messages import differences, replacement_key, with_key

ROWS = 5_000 if SOAK == 1 else 200_000
CAMPAIGNS = 20 if SOAK == 1 else 200
# Campaigns of one project, which one apply sends.
TOGETHER = 5
COLUMNS = ["name", "first name", "boat", "port", "note", "score"]
MESSAGE = {
    "notification": {"title": "{{name}}: {{boat}}", "body": "Hello {{ first name }},\n\"{{note}}\" {{name}}"},
    "data": {"port": "{{port}}", "deep": "{\"score\":\"{{score}}\"}", "plain": "no value", "{{name}}": "a key"},
    "android": {"notification": {"tag": "t-{{score}}"}, "data": {"boat": "\\{{boat}}\u2028"}},
    "apns": {"headers": {"apns-collapse-id": "fixed"},
             "payload": {"aps": {"sound": "default"}, "own": {"list": ["{{boat}}", {"x": "{{boat}}}"}, 1.5, None, True]}}},
    "webpush": {"notification": {"tag": "fixed", "requireInteraction": True}},
}
LOCALES = {
    "pt": {"notification": {"title": "Olá {{name}}", "body": "Taça: {{boat}}"}, "data": {"lang": "pt"}},
    "pt-BR": {"notification": {"title": "Oi \"{{name}}\""}, "apns": {"payload": {"own": None}}},
    "zh-Hant": {"notification": {"body": "{{boat}} 盃 𠮷{{port}}"}},
    "ar": {"notification": {"title": "مرحبا {{name}}", "body": "\u200f{{note}}"}, "data": {"lang": "ar"}},
    "he": {"notification": {"title": "שלום {{first name}}"}, "data": {"plain": None}},
    "de-CH-1901": {"data": {"lang": "de", "deep": "{{note}}{{note}}"}},
    "nl": {},
    "en-GB": {"android": None},
}
TAGS = ["pt", "PT-pt", "pt-BR", "pt-br-x-tide", "zh-Hant-TW", "zh-hant", "zh-Hans", "ar-EG", "he", "he-IL", "de-CH-1901",
        "de-CH", "nl-BE", "en", "en-gb-oxendict", ""]
DEFAULTS = {"note": "{{name}} \"default\"", "locale": "he"}


@pytest.fixture
def host(tmp_path):
    """The project of an emulator, outside of the projects that send."""
    host = Project(tmp_path / "emulator/project")
    with Emulator(host) as emulator:
        host.emulator = emulator
        yield host


def project(host, folder):
    project = Project(folder)
    project.write("herald.yaml", f"version: 1\nproject: e2e\nenvironments: {{ local: {{ emulator: {{ url: '{host.emulator.url}' }} }} }}\n")
    return project


def assert_equal(*sides):
    """Fails with the first differences."""
    found = list(itertools.islice(differences(*sides), 3))
    assert not found, "\n".join(found)


def row(number, chance):
    row = {"registration": token(number), "locale": chance.choice(TAGS), "unused": "x"}
    row |= {column: text(chance) for column in COLUMNS}
    return row | ({"note": ""} if chance.random() < 0.1 else {})


def test_each_body_of_a_large_list_equals_the_reference(host, tmp_path):
    chance = random.Random(7)
    bench, path = project(host, tmp_path / "project"), tmp_path / "project/people.csv"
    table = [row(number, chance) for number in range(ROWS)]
    for first in range(0, ROWS, 10_000):
        host.emulator.install([each["registration"] for each in table[first:first + 10_000]])
    path.write_bytes(csv_bytes(table, chance))
    # From here on, the file is the only source.
    del table
    documents = [
        {"audience": "people", "registrations": "people.csv", "columns": {name: {"default": value} for name, value in DEFAULTS.items()}},
        {"campaign": "call", "audience": "people", "message": MESSAGE, "locales": LOCALES | {"*": {}}}]
    bench.write("campaigns/call.yaml", "---\n".join(written(document).lstrip("\n") for document in documents))
    with bench.start("apply", "--yes") as apply:
        apply.finish(deadline=900).expect(0, f"{ROWS:,} accepted")
    # The author wrote all replacement fields, so herald adds nothing, except for the text without `android`.
    assert_equal(reference.rows(path), host.log.each_send(), "registration", lambda row, sent: with_key(
        reference.expected(row, MESSAGE, LOCALES, DEFAULTS), sent, replacement_key("call")))


def test_generated_campaigns_equal_the_reference(host, tmp_path):
    for first in range(0, CAMPAIGNS, TOGETHER):
        bench = project(host, tmp_path / f"project-{first}")
        made = [PersonalCampaign(number, random.Random(number), 5 + number % 40) for number in range(first, first + TOGETHER)]
        originals = {each.name: each.write(bench, tmp_path) for each in made}
        host.emulator.install([row[each.registration] for each in made for row in each.table])
        begin = host.log.path.stat().st_size
        bench.apply().expect(0)
        sends = [entry for entry in host.log.requests(begin) if entry["path"].endswith("/messages:send")]
        campaign_of = {row[each.registration]: each.name for each in made for row in each.table}
        for each in made:
            entries = [entry for entry in sends if campaign_of[entry["body"]["message"]["token"]] == each.name]
            assert_equal(reference.rows(originals[each.name]), entries, each.registration, lambda row, sent: with_key(
                reference.expected(row, each.content, each.locales, each.defaults, each.locale), sent, replacement_key(each.name)))


def test_the_comparison_finds_each_kind_of_difference():
    """A comparison that finds nothing may be ineffective."""
    table = [{"registration": name, "name": name.upper()} for name in "abc"]
    message = {"notification": {"title": "Hi {{name}}"}, "data": {"a": "1"}}
    key = replacement_key("call")

    def sent(name, title=None, **more):
        body = {"notification": {"title": title or f"Hi {name.upper()}"}, "data": {"a": "1"}, "token": name}
        return {"status": 200, "body": {"message": body | more}}

    def found(*entries):
        return list(differences(table, entries, "registration", lambda row, sent: with_key(
            reference.expected(row, message), sent, key)))

    keyed = {"android": {"notification": {"tag": key}}}
    assert found(sent("b"), sent("a", **keyed), sent("c")) == []
    assert "c" in found(sent("a"), sent("b"))[0]
    assert "a was sent to twice" in found(sent("a"), sent("b"), sent("c"), sent("a"))[0]
    for other in (sent("b", "Hi A"), sent("b", "Hi b"), sent("b", data={"a": 1}), sent("b", data={}), sent("b", fcm_options={}),
                  sent("b", android={"notification": {"tag": replacement_key("other")}}), sent("b") | {"status": 404}):
        assert len(found(sent("a"), other, sent("c"))) == 1, other
