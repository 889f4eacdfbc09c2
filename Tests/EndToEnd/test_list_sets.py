"""Sets of lists: the addressed registrations equal those that an independent reference computes from the same files."""

import csv
import io
import random

import pytest

from herald import Emulator, Project, token

PEOPLE = {"anglers": 900, "sailors": 600, "staff": 120}


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def rows(seed=5):
    """Returns lists that share phones and people. A person has up to three phones, each in any of the lists."""
    chance = random.Random(seed)
    lists = {name: [] for name in PEOPLE}
    for name, count in PEOPLE.items():
        for person in chance.sample(range(1_000), count):
            for phone in chance.sample(range(3), chance.randint(1, 2)):
                lists[name].append({"registration": token(person * 3 + phone), "user": f"u{person}",
                                    "name": f"{name} {person}"})
    return lists


def write(project, lists, identity=True):
    """Writes each list as CSV, and a text file if there is no identity."""
    documents = []
    for name, table in lists.items():
        if identity:
            text = io.StringIO()
            writer = csv.DictWriter(text, ["registration", "user", "name"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)
            project.write(f"lists/{name}.csv", text.getvalue())
            documents.append(f"audience: {name}\nregistrations: {{ file: lists/{name}.csv, identity: user }}\n")
        else:
            project.write(f"lists/{name}.txt", "".join(f"{row['registration']}\n" for row in table))
            documents.append(f"audience: {name}\nregistrations: lists/{name}.txt\n")
    project.write("campaigns/lists.yaml", "---\n".join(documents))


def call(project, audience, message="{ data: { call: '1' } }", more=""):
    project.write("campaigns/call.yaml", f"campaign: call\naudience: {audience}\nmessage: {message}\n{more}")


def crew(project, keys):
    project.write("campaigns/crew.yaml", f"audience: crew\n{keys}\n")


def reference(lists, operation, names, excluded=(), key="registration"):
    """Returns the registrations in their order, with the row that each comes from."""
    common = set.intersection(*({row[key] for row in lists[name]} for name in names))
    out = {row[key] for name in excluded for row in lists[name]}
    phones_out = {row["registration"] for name in excluded for row in lists[name]}
    found = {}
    for name in names:
        for row in lists[name]:
            if operation == "all_of" and row[key] not in common:
                continue
            found.setdefault(row["registration"], row)
    return {phone: row for phone, row in found.items() if row[key] not in out and phone not in phones_out}


def install(project, lists):
    project.emulator.install(sorted({row["registration"] for table in lists.values() for row in table}))


@pytest.mark.parametrize("identity", [True, False])
@pytest.mark.parametrize("operation", ["union", "all_of"])
def test_a_set_reaches_what_the_reference_computes(bench, operation, identity):
    lists = rows()
    install(bench, lists)
    write(bench, lists, identity)
    crew(bench, f"{operation}: [anglers, sailors]\nexcept: [staff]")
    call(bench, "crew")
    wanted = reference(lists, operation, ["anglers", "sailors"], ["staff"], "user" if identity else "registration")
    kind = {"union": "union", "all_of": "intersection"}[operation]
    basis = "identity (user)" if identity else "registration"
    bench.herald("validate").expect(0)
    bench.herald("plan").expect(
        0, f"The list is the {kind} of anglers and sailors, except staff, compared by {basis}:",
        f"= {len(wanted):,} registrations")
    found = bench.plan()["campaigns"][0]["set"]
    assert found["registrations"] == len(wanted) and found["identity"] == (["user"] if identity else [])
    assert [part["registrations"] for part in found["lists"]] == [len(lists["anglers"]), len(lists["sailors"])]
    sizes = sum(part["registrations"] for part in found["lists"])
    assert sizes - found["unmatched"] - found["repeated"] - found["excluded"] == len(wanted)
    assert found.get("people") == (len({row["user"] for row in wanted.values()}) if identity else None)
    bench.apply().expect(0, f"{len(wanted):,} accepted")
    assert bench.log.accepted() == dict.fromkeys(wanted, 1)
    bench.apply().expect(0, "No changes.")


def test_values_come_from_the_first_list_that_has_the_row(bench):
    lists = rows()
    install(bench, lists)
    write(bench, lists)
    crew(bench, "union: [sailors, anglers]")
    call(bench, "crew", "{ notification: { title: 'Hello {{name}}' } }")
    wanted = reference(lists, "union", ["sailors", "anglers"])
    bench.apply().expect(0, f"{len(wanted):,} accepted")
    sent = {e["body"]["message"]["token"]: e["body"]["message"]["notification"]["title"] for e in bench.log.sends()}
    assert sent == {phone: f"Hello {row['name']}" for phone, row in wanted.items()}


def test_a_missing_value_names_the_file_of_its_list(bench):
    lists = {name: table[:5] for name, table in rows().items()}
    lists["sailors"][2]["name"] = ""
    lists["sailors"][2]["registration"] = token(9_999)
    write(bench, lists)
    crew(bench, "union: [anglers, sailors]")
    call(bench, "crew", "{ notification: { title: 'Hello {{name}}' } }")
    bench.herald("validate").expect(65, "1 row has no `name`, the first at lists/sailors.csv:4")
    call(bench, "crew", "{ notification: { title: 'Hello {{nam}}' } }")
    bench.herald("validate").expect(65, "no list of the set has a column `nam`", "did you mean `name`?")
    bench.apply().expect(65)
    assert bench.log.sends() == []


def test_a_preview_shows_a_row_of_the_set(bench):
    lists = {name: table[:5] for name, table in rows().items()}
    write(bench, lists)
    crew(bench, "union: [anglers, sailors]\nexcept: [staff]")
    call(bench, "crew", "{ notification: { title: 'Hello {{name}}' } }")
    wanted = list(reference(lists, "union", ["anglers", "sailors"], ["staff"], "user").values())
    for number in (1, len(wanted)):
        bench.herald("preview", "call", "--row", number).expect(
            0, f"{len(wanted)} registrations of crew, row {number}", f"Hello {wanted[number - 1]['name']}")
    bench.herald("preview", "call", "--row", len(wanted) + 1).expect(
        64, f"the list has {len(wanted)} registrations, but no row {len(wanted) + 1}")


def test_each_row_of_a_set_gets_the_text_of_its_own_locale_column(bench):
    """The columns of the locales have different names, and a row of both lists has the locale of the first."""
    phones = [token(n) for n in range(5)]
    bench.emulator.install(phones)
    bench.write("a.csv", f"registration,lang\n{phones[0]},pt-BR\n{phones[1]},nl\n{phones[2]},pt\n")
    bench.write("b.csv", f"registration,locale\n{phones[2]},nl\n{phones[3]},PT\n{phones[4]},\n")
    bench.write("campaigns/lists.yaml", "audience: a\nregistrations: { file: a.csv, locale: lang }\n---\n"
                "audience: b\nregistrations: b.csv\n---\naudience: both\nunion: [a, b]\n")
    texts = "locales: { pt: { notification: { title: Ola } }%s }\n"
    call(bench, "both", "{ notification: { title: Hello } }", texts % "")
    bench.herald("validate").expect(
        65, "no text of `call` covers the locale `nl` (1 row, at a.csv:3)", "no locale: 1 row, at b.csv:4")
    call(bench, "both", "{ notification: { title: Hello } }", texts % ', "*": {}')
    bench.herald("plan").expect(
        0, "Texts by locale: 3 registrations get pt.",
        "2 registrations get the campaign's own text, because locales has no entry for their locale.")
    bench.apply().expect(0, "5 accepted")
    sent = {e["body"]["message"]["token"]: e["body"]["message"]["notification"]["title"] for e in bench.log.sends()}
    assert sent == dict(zip(phones, ["Ola", "Hello", "Ola", "Ola", "Hello"]))


def test_an_environment_replaces_a_list_of_a_set(bench):
    lists = {name: table[:40] for name, table in rows().items()}
    other = {name: table[40:80] for name, table in rows().items()}
    install(bench, other)
    write(bench, lists, identity=False)
    for name, table in other.items():
        bench.write(f"lists/staging-{name}.txt", "".join(f"{row['registration']}\n" for row in table))
    files = ", ".join(f"{name}: lists/staging-{name}.txt" for name in other)
    bench.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                f"  staging: {{ emulator: {{ url: '{bench.emulator.url}' }}, lists: {{ {files} }} }}\n")
    crew(bench, "union: [anglers, sailors]\nexcept: [staff]")
    call(bench, "crew")
    wanted = reference(other, "union", ["anglers", "sailors"], ["staff"])
    bench.apply("-e", "staging").expect(0, f"{len(wanted)} accepted")
    assert bench.log.accepted() == dict.fromkeys(wanted, 1)


def test_exclude_is_reviewed_and_stored(bench):
    lists = rows()
    install(bench, lists)
    write(bench, lists)
    bench.campaign("later", "{ topic: tides }", schedule="2037-03-20 07:30")
    bench.apply().expect(0)
    call(bench, "anglers")
    whole = bench.plan()
    call(bench, "anglers", more="exclude: [staff]\n")
    wanted = reference(lists, "union", ["anglers"], ["staff"], "user")
    plan = bench.plan()
    assert plan["digest"] != whole["digest"]
    bench.herald("plan").expect(0, "of anglers without staff")
    # The file of an excluded list changes after the review, without an effect on the rows.
    bench.write("lists/staff.csv", (bench.folder / "lists/staff.csv").read_text() + f"{token(7_777)},stranger,x\n")
    bench.apply("--expect", plan["digest"]).expect(5)
    assert bench.log.sends() == []
    bench.apply("--expect", bench.plan()["digest"]).expect(0)
    assert bench.log.accepted() == dict.fromkeys(wanted, 1)


def test_a_killed_send_continues_with_the_stored_set(bench):
    lists = rows()
    install(bench, lists)
    write(bench, lists)
    call(bench, "anglers", more="exclude: [staff]\n")
    wanted = reference(lists, "union", ["anglers"], ["staff"], "user")
    with bench.start("apply", "--yes", "--parallelism", "16") as apply:
        bench.log.wait_for(100)
        apply.kill()
    # The rest is sent from the stored rows, not from the files: staff is not addressed.
    bench.write("lists/staff.csv", f"registration,user,name\n{token(7_777)},stranger,x\n")
    bench.apply()
    sent = {send["body"]["message"]["token"] for send in bench.log.sends()}
    assert len(sent) >= len(wanted) - 100 and sent <= set(wanted)


def test_the_members_of_a_set_are_joined_and_leave(bench):
    lists = {name: table[:60] for name, table in rows().items()}
    install(bench, lists)
    write(bench, lists, identity=False)
    crew(bench, "union: [anglers, sailors]\nsubscribe: [tides]")
    wanted = reference(lists, "union", ["anglers", "sailors"])
    bench.herald("plan").expect(0, "The list is the union of anglers and sailors, compared by registration:")
    bench.apply().expect(0, f"{len(wanted)} joined")
    assert all(bench.emulator.topics(phone) == {"tides"} for phone in wanted)
    crew(bench, "union: [anglers, sailors]\nexcept: [sailors]\nsubscribe: [tides]")
    staying = reference(lists, "union", ["anglers", "sailors"], ["sailors"])
    bench.apply().expect(0)
    assert {phone for phone in wanted if bench.emulator.topics(phone)} == set(staying)


@pytest.mark.parametrize("keys, messages", [
    ("union: [anglers, crew]", ["list-set", "the set `crew` contains itself: crew → crew"]),
    ("union: [anglers, stuff]", ["there is no audience `stuff`", "did you mean `staff`?"]),
    ("all_of: [anglers, phones]", ["a set cannot mix registration tokens and installation IDs"]),
    ("union: [anglers]\nexcept: [anglers]", ["the set contains no registrations"]),
    ("union: [anglers]\nall_of: [sailors]", ["cannot have both `union` and `all_of`"]),
    ("except: [anglers]", ["needs exactly one kind"]),
])
def test_a_set_that_cannot_be_formed_is_an_error(bench, keys, messages):
    write(bench, {name: table[:5] for name, table in rows().items()})
    bench.write("lists/phones.csv", "registration\nfid0000000000000000001\n")
    bench.write("campaigns/phones.yaml", "audience: phones\nregistrations: { file: lists/phones.csv, kind: fid }\n")
    crew(bench, keys)
    call(bench, "crew")
    bench.herald("validate").expect(65, *messages)
    bench.apply().expect(65)
    assert bench.log.sends() == []


def test_commands_read_the_list_of_a_set(bench):
    lists = {name: table[:20] for name, table in rows().items()}
    install(bench, lists)
    write(bench, lists)
    crew(bench, "union: [anglers, sailors]")
    call(bench, "crew")
    bench.apply().expect(0)
    wanted = reference(lists, "union", ["anglers", "sailors"])
    printed = bench.herald("registrations", "fingerprint", "crew", "--columns", "name").expect(0).out
    names = bench.fingerprints(wanted)
    assert {names[line.split("\t")[0]]: line.split("\t")[1] for line in printed.splitlines()} == {
        phone: row["name"] for phone, row in wanted.items()}
    bench.herald("registrations", "prune", "crew").expect(64, "crew is a set of lists, not a separate file")
