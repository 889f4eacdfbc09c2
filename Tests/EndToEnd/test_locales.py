"""Campaigns with `locales`: each row gets the text for its locale. test_rendering.py has the larger amounts."""

import csv
import io
import json
import random

import pytest

import rendering_reference as reference
from herald import Emulator, Project, token
from rendering_reference import merged

COUNT = 600
MESSAGE = {"notification": {"title": "Hello {{name}}", "body": "The cup is on"}, "data": {"screen": "cup", "lang": "en"}}
LOCALES = {
    "pt": {"notification": {"title": "Olá {{name}}", "body": "Taça: {{boat}}"}, "data": {"lang": "pt"}},
    "pt-BR": {"notification": {"title": "Oi \"{{name}}\""}, "data": {"lang": "pt-BR"}},
    "zh-Hant": {"notification": {"body": "{{boat}} 盃"}},
    "ar": {"notification": {"title": "مرحبا {{name}}"}, "data": {"lang": "ar"}},
    "de-CH-1901": {"data": {"lang": "de"}},
    "nl": {},
}
TAGS = ["pt", "PT-pt", "pt-BR", "pt-br-x-tide", "zh-Hant-TW", "zh-hant", "zh-Hans", "ar-EG", "de-CH-1901", "de-CH", "nl-BE", "en", ""]


def expected(row):
    return reference.expected(row, MESSAGE, LOCALES)


def rows(tags, **columns):
    return [{"registration": token(n), "name": f"N{n} \"{{{{x}}}}\"", "boat": f"B\\{n}", "locale": tag, **columns}
            for n, tag in enumerate(tags)]


def as_csv(table):
    text = io.StringIO()
    writer = csv.DictWriter(text, table[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


def as_ndjson(table):
    return "".join(json.dumps(row) + "\n" for row in table)


FORMATS = {"csv": as_csv, "ndjson": as_ndjson}


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def write(project, table, locales=LOCALES, others=True, form="csv", message=MESSAGE, more="", registrations=None):
    (project.folder / f"people.{form}").write_bytes(FORMATS[form](table).encode())
    patches = locales | ({"*": {}} if others else {})
    project.write("campaigns/call.yaml",
                  f"audience: people\nregistrations: {registrations or f'people.{form}'}\n{more}---\n"
                  f"campaign: call\naudience: people\nmessage: {json.dumps(message)}\nlocales: {json.dumps(patches)}\n")


def sent(project):
    return {e["body"]["message"]["token"]: e["body"]["message"] for e in project.log.sends()}


def shown(message):
    """The message without the fields that Herald adds."""
    return {key: message[key] for key in ("notification", "data")}


@pytest.mark.parametrize("form", FORMATS)
def test_each_row_gets_the_text_for_its_locale(bench, form):
    chance = random.Random(5)
    table = rows([chance.choice(TAGS) for _ in range(COUNT)])
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table, form=form)
    bench.herald("validate").expect(0)
    bench.apply().expect(0, f"{COUNT:,} accepted")
    messages = sent(bench)
    assert len(bench.log.sends()) == len(messages) == COUNT
    for row in table:
        assert shown(messages[row["registration"]]) == expected(row), row["locale"]
    bench.apply().expect(0, "No changes.")


def test_the_plan_counts_and_shows_each_text(bench):
    table = rows(["pt", "pt-PT", "pt-BR", "", "ja", "nl"])
    bench.emulator.install([row["registration"] for row in table])
    locales = {key: LOCALES[key] for key in ("pt", "pt-BR", "nl")}
    write(bench, table, locales)
    counts = "Texts by locale: 2 registrations get pt, 1 gets pt-BR and 1 gets nl."
    own = "2 registrations get the campaign's own text, because locales has no entry for their locale."
    bench.herald("plan").expect(0, counts, own, "title in pt: “Olá {{name}}”", "title in pt-BR: “Oi")
    bench.herald("plan", "--format", "markdown").expect(0, counts, own, "Shown in pt on")
    page = bench.herald("plan", "--format", "html").expect(0, counts, "<strong>pt</strong>: 2 registrations").out
    assert page.count('class="phones"') == 4
    plan = json.loads(bench.herald("plan", "--format", "json").expect(0).out)
    texts = {each["locale"]: each for each in plan["campaigns"][0]["locales"]}
    assert {key: each["registrations"] for key, each in texts.items()} == {None: 2, "pt": 2, "pt-BR": 1, "nl": 1}
    assert texts["pt"]["message"]["notification"]["title"] == "Olá {{name}}"
    requests = [(r["body"]["message"]["data"]["lang"], r["registrations"]["count"]) for r in plan["requests"]]
    assert sorted(requests) == [("en", 1), ("en", 2), ("pt", 2), ("pt-BR", 1)]


def test_a_killed_send_continues_with_the_text_of_each_row(bench):
    chance = random.Random(6)
    table = rows([chance.choice(TAGS) for _ in range(1_500)])
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table)
    with bench.start("apply", "--yes", "--parallelism", "16") as apply:
        bench.log.wait_for(200)
        apply.kill()
    # The rest is sent with the stored texts to the stored rows.
    changed = {key: merged(patch, {"notification": {"title": "changed"}}) for key, patch in LOCALES.items()}
    write(bench, [dict(row, locale="ar") for row in table], changed)
    bench.herald("plan").expect(0, "Texts by locale: ")
    bench.apply()
    by_registration = {row["registration"]: row for row in table}
    sends = bench.log.sends()
    assert len(sends) >= 1_400
    for send in sends:
        message = send["body"]["message"]
        assert shown(message) == expected(by_registration[message["token"]])


def test_an_uncovered_locale_is_an_error_before_anything_is_sent(bench):
    table = rows(["pt", "fr-CA", "fr-ca", "", "ja"])
    bench.emulator.install([row["registration"] for row in table])
    locales = {"pt": LOCALES["pt"]}
    write(bench, table, locales, others=False)
    bench.herald("validate").expect(
        65, "error[uncovered-locale]",
        "no text of `call` covers the locale `fr-CA` (2 rows, the first at people.csv:3)",
        "no locale: 1 row, at people.csv:5", "`ja`: 1 row, at people.csv:6", "add the key `fr`, or add `\"*\": {}`")
    bench.apply().expect(65)
    assert bench.log.sends() == []
    write(bench, table, locales | {"fr": {}, "ja": {}}, others=False, more="columns: { locale: { default: pt } }\n")
    bench.apply().expect(0, "5 accepted")
    messages = sent(bench)
    assert [messages[row["registration"]]["data"]["lang"] for row in table] == ["pt", "en", "en", "pt", "en"]


def test_a_row_needs_only_the_values_of_its_own_text(bench):
    table = rows(["pt", "en"])
    table[1]["boat"] = ""
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table)
    bench.apply().expect(0, "2 accepted")
    table[0]["boat"] = ""
    write(bench, table)
    bench.herald("validate").expect(65, "1 row has no `boat`, the first at people.csv:2")


@pytest.mark.parametrize("declared", [False, True])
def test_a_malformed_locale_is_reported_with_its_place(bench, declared):
    table = rows(["pt", "nb_NO"])
    text = as_csv(table)
    (bench.folder / "people.csv").write_bytes(text.encode())
    campaign = 'message: { notification: { title: "Hello" } }\n'
    campaign += "" if declared else "locales: { pt: { notification: { title: Olá } }, '*': {} }\n"
    registrations = "{ file: people.csv, locale: locale }" if declared else "people.csv"
    bench.write("campaigns/call.yaml",
                f"audience: people\nregistrations: {registrations}\n---\ncampaign: call\naudience: people\n{campaign}")
    byte = len(text[:text.index("nb_NO")].encode()) + 1
    bench.herald("validate").expect(
        65, "error[broken-list-line]: people.csv:3 is invalid: its `locale` is `nb_NO` instead of the language tag "
        f"`nb-NO` (column `locale`, byte {byte})")
    bench.apply().expect(65)
    assert bench.log.sends() == []


def test_the_list_names_the_column_of_the_locales(bench):
    table = [{"lang": row.pop("locale")} | row for row in rows(["pt-PT", "nl"])]
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table)
    bench.herald("validate").expect(65, "the list people.csv has no column `locale`")
    write(bench, table, registrations="{ file: people.csv, locale: lang }")
    bench.apply().expect(0, "2 accepted")
    messages = sent(bench)
    assert [messages[row["registration"]]["data"]["lang"] for row in table] == ["pt", "en"]


def test_the_digest_covers_each_text_and_the_choice_of_each_row(bench):
    def digest(*arguments, **options):
        write(bench, *arguments, **options)
        return json.loads(bench.herald("plan", "--format", "json").expect(0).out)["digest"].split("@")[0]

    table = rows(["pt", "pt-BR"])
    digests = [
        digest(table), digest(table, merged(LOCALES, {"pt": {"data": {"lang": "other"}}})), digest(rows(["pt", "pt"])),
        digest(table, message=merged(MESSAGE, {"data": {"screen": "other"}}))]
    assert len(set(digests)) == 4
    # The same key covers both locales.
    assert digest(rows(["pt-PT", "pt-BR"])) == digests[0]


def test_preview_shows_the_text_for_a_locale(bench):
    write(bench, rows(["pt"]), others=False)
    bench.herald("preview", "call", "--locale", "pt-PT").expect(
        0, "locale pt-PT: the text of `locales.pt`", "Olá {{name}}", "locales.pt.notification.title", "data.screen")
    shown = json.loads(bench.herald("preview", "call", "--locale", "PT-br", "--format", "json").expect(0).out)
    assert shown["locale"] == {"requested": "PT-br", "key": "pt-BR"}
    assert shown["request"]["body"]["message"]["data"] == {"screen": "cup", "lang": "pt-BR"}
    fields = {f["field"]: f["origin"] for f in shown["platforms"]["android"]["fields"]}
    assert fields["notification.title"] == "locales.pt-BR.notification.title"
    assert fields["notification.body"] == "notification.body"
    bench.herald("preview", "call").expect(0, "the campaign's own text; for the others (pt, pt-BR,", "--locale")
    bench.herald("preview", "call", "--locale", "ja").expect(64, "no text of `call` covers the locale `ja`")
    bench.herald("preview", "call", "--locale", "nb_NO").expect(64, "`nb_NO` is not a language tag", "write `nb-NO`")


def test_preview_shows_a_row_in_every_locale(bench):
    table = rows(["pt", "", "ar-EG", "en"])
    del table[3]["boat"]
    write(bench, table, form="ndjson")
    (bench.folder / "phone").write_text(table[2]["registration"] + "\n")

    def preview(*arguments):
        result = bench.herald("preview", "call", *arguments, "--format", "json").expect(0)
        return json.loads(result.out)["request"]["body"]["message"]

    for number, row in enumerate(table, 1):
        assert shown(preview("--row", number)) == expected(row)
    for number, row in enumerate(table[:3], 1):
        for tag in TAGS[:-1]:
            assert shown(preview("--row", number, "--locale", tag)) == expected(dict(row, locale=tag)), (number, tag)
    for tag in ("pt-PT", "zh-Hant", "en"):
        one = preview("--registration", f"@{bench.folder / 'phone'}", "--locale", tag)
        assert shown(one) == expected(dict(table[2], locale=tag))
    assert shown(preview("--row", 4, "--locale", "nl")) == expected(dict(table[3], locale="nl"))
    bench.herald("preview", "call", "--row", 4, "--locale", "pt").expect(64, "row 4 has no `boat`, which this text contains")


def test_a_test_message_has_the_text_for_a_locale(bench):
    table = rows(["pt"])
    bench.emulator.install([row["registration"] for row in table])
    write(bench, table)
    (bench.folder / "phone").write_text(table[0]["registration"] + "\n")
    phone = f"@{bench.folder / 'phone'}"
    bench.herald("send", "call", "--to", phone, "--locale", "pt-PT").expect(0)
    bench.herald("send", "call", "--to", phone).expect(0)
    assert [e["body"]["message"]["data"]["lang"] for e in bench.log.sends()] == ["pt", "en"]


def test_the_longest_row_of_each_text_must_fit(bench):
    table = rows(["en", "pt", "en"])
    table[0]["boat"] = table[2]["boat"] = "b" * 5_000
    write(bench, table)
    # Only the text of `pt` contains the column.
    bench.herald("validate").expect(0)
    table[1]["boat"] = "b" * 5_000
    write(bench, table)
    bench.herald("validate").expect(65, "in the row at people.csv:3")


def test_a_star_with_a_text_is_an_error(bench):
    write(bench, rows(["pt"]), LOCALES | {"*": {"data": {"lang": "xx"}}}, others=False)
    bench.herald("validate").expect(65, "error[conflicting-keys]", "under `locales` contains a text")
