"""People behind registrations, the message of one row, and lists that Git tracks."""

import gzip
import json
import re
import subprocess

import pytest

from herald import SECRET, Emulator, Project, token

TOKENS = [token(n) for n in range(6)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def people(project, rows, keys="identity: user", more=""):
    """Writes a list with these columns and a campaign to it; a row is a dictionary."""
    names = ["registration", *[name for name in rows[0] if name != "registration"]]
    lines = [names] + [[row[name] for name in names] for row in rows]
    project.write("people.csv", "".join(",".join(line) + "\n" for line in lines))
    project.write("campaigns/call.yaml",
                  f"audience: people\nregistrations: {{ file: people.csv, {keys} }}\n{more}---\n"
                  "campaign: call\naudience: people\n"
                  "message: { notification: { title: Storm warning } }\ndelivery: { ttl: 4h }\n")


def row(number, user, **more):
    return {"registration": TOKENS[number], "user": user, **more}


# MARK: counts


def test_people_are_counted_in_every_view(bench):
    people(bench, [row(0, "ana"), row(1, "ana"), row(2, "rui"), row(3, "ana")])
    bench.herald("validate").expect(
        0, "note[device-group-fits]", "1 person has several registrations in this list",
        "2 people, 4 registrations by the `identity` column")
    bench.herald("plan").expect(0, "4 registrations of people", "2 people, 4 devices.")
    markdown = bench.herald("plan", "--format", "markdown").expect(0, "2 people, 4 devices.").out
    assert re.search(r"<summary>.*2 people", markdown)
    bench.herald("plan", "--format", "html").expect(0, "2 people, 4 devices.")
    campaign, = bench.plan()["campaigns"]
    assert (campaign["audience"]["registrations"], campaign["audience"]["people"]) == (4, 2)
    bench.herald("preview", "call").expect(0, "call to 2 people with 4 registrations of people")
    # Without the column, people are unknown.
    people(bench, [row(0, "ana"), row(1, "ana")], keys="column: registration")
    assert "people" not in bench.plan()["campaigns"][0]["audience"]
    assert "devices." not in bench.herald("plan").expect(0, "2 registrations of people").out


def test_rows_of_one_person_that_differ_are_a_warning(bench):
    people(bench, [row(0, "ana", tz="Atlantic/Azores", lang="pt"), row(1, "rui", tz="UTC", lang="pt"),
                   row(2, "ana", tz="Europe/Lisbon", lang="PT"), row(3, "rui", tz="UTC", lang="en")],
           keys="identity: user, timezone: tz, locale: lang")
    result = bench.herald("validate").expect(
        0, "warning[inconsistent-person]",
        "1 person has rows with different values of `tz`, the first at people.csv:4 and line 2",
        "1 person has rows with different values of `lang`, the first at people.csv:5 and line 3")
    assert "Lisbon" not in result.out
    bench.emulator.install(TOKENS)
    bench.apply().expect(0, "2 unchanged warnings not shown again")


@pytest.mark.parametrize("zone, reason", [
    ("Mars/Olympus", "is a time zone that tzdata does not know"), ("+02:00", "is not an IANA time zone"),
    ("CET", "is not an IANA time zone")])
def test_an_unknown_time_zone_is_a_broken_line(bench, zone, reason):
    rows = [row(0, "ana", tz="Atlantic/Azores"), row(1, "rui", tz=""), row(2, "eva", tz=zone)]
    people(bench, rows, keys="identity: user, timezone: tz")
    text = (bench.folder / "people.csv").read_bytes()
    place = f"column `tz`, byte {text.index(zone.encode()) + 1}"
    for command in (["validate"], ["plan"], ["apply", "--yes"]):
        result = bench.herald(*command).expect(65, f"people.csv:4 is invalid: its `tz` {reason}", place)
        assert zone not in result.out + result.err
    assert bench.log.sends() == []
    people(bench, rows[:2], keys="identity: user, timezone: tz")
    bench.herald("validate").expect(0)
    people(bench, rows, keys="identity: user")
    bench.herald("validate").expect(0)


def test_a_list_may_have_public_keys_without_encrypted_messages(bench):
    people(bench, [row(0, "ana", key="3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08")], keys="public_key: key")
    bench.herald("validate").expect(0)
    people(bench, [row(0, "ana", key="k")], keys="public_key: key")
    bench.herald("validate").expect(65, "people.csv:2", "its `key` is not base64")
    people(bench, [row(0, "ana")], keys="public_key: key")
    bench.herald("validate").expect(65, "people.csv:1 has no column `key`", "in `public_key`")


# MARK: one row


PERSONAL = ("campaign: hello\naudience: people\n"
            "message: { notification: { title: 'Hello {{name}}', body: 'A \"{{user}}\" {{name}}' } }\n")


@pytest.fixture
def rows(bench):
    people(bench, [row(0, "ana", name="Ana"), row(1, "rui", name=""), row(2, "eva", name="Eva \\ {{user}}")],
           more="columns: { name: { default: angler } }\n")
    bench.write("campaigns/hello.yaml", PERSONAL)
    bench.emulator.install(TOKENS[:3])
    return bench


def shown(project, *arguments):
    preview = json.loads(project.herald("preview", "hello", "--format", "json", *arguments).expect(0).out)
    assert preview["request"]["body"]["message"]["token"] == "<registration>"
    return preview


def test_a_preview_shows_exactly_what_a_row_gets(rows):
    previews = [shown(rows, "--row", number) for number in (1, 2, 3)]
    assert [preview["row"] for preview in previews] == [1, 2, 3]
    assert "row" not in shown(rows)
    rows.apply("--only", "hello").expect(0, "3 accepted")
    sent = {send["body"]["message"].pop("token"): send["body"]["message"] for send in rows.log.sends()}
    for number, preview in enumerate(previews):
        message = preview["request"]["body"]["message"]
        del message["token"]
        assert message == sent[TOKENS[number]]
    text = rows.herald("preview", "hello", "--row", "2").expect(0, "row 2", "Hello angler").out
    assert SECRET not in text


def test_a_preview_finds_the_row_of_a_registration(rows):
    (rows.folder / "phone.txt").write_text(f"# mine\n{TOKENS[2]}\n")
    expected = shown(rows, "--row", 3)
    assert shown(rows, "--registration", f"@{rows.folder}/phone.txt") == expected
    result = rows.herald("preview", "hello", "--format", "json", "--registration", "-", input=TOKENS[2])
    assert json.loads(result.expect(0).out) == expected
    # A fingerprint needs the state's key.
    (rows.folder / "one.txt").write_text(TOKENS[0] + "\n")
    assert rows.herald("preview", "hello", "--registration", "0123456789abcdef").code == 1
    rows.apply("--only", "hello").expect(0)
    name = next(name for name, text in rows.fingerprints(TOKENS).items() if text == TOKENS[2])
    assert shown(rows, "--registration", name) == expected


def test_a_row_that_does_not_exist_is_an_error(rows):
    rows.herald("preview", "hello", "--row", "4").expect(64, "the list has 3 registrations, but no row 4")
    rows.herald("preview", "hello", "--row", "0").expect(64, "rows count from 1")
    rows.herald("preview", "hello", "--row", "1", "--registration", "-").expect(64, "cannot be combined")
    rows.herald("preview", "hello", "--registration", "-", input=TOKENS[5]).expect(
        64, "the list does not contain that registration")
    rows.herald("preview", "hello", "--registration", "-", input="\n".join(TOKENS[:2])).expect(
        64, "names 2 registrations")
    rows.campaign("all", "{ group: family-7 }")
    rows.herald("preview", "all", "--row", "1").expect(64, "is not sent to a list of registrations")


# MARK: Git


FCM = ("environments:\n  production: { fcm: { project_id: harbour-b5ae1 } }\n"
       "  staging: { emulator: {} }\n")


def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=ada", "-c", "user.email=ada@tidewatch.example", "-C", folder, *arguments],
                   capture_output=True, check=True)


@pytest.fixture
def repository(tmp_path):
    project = Project(tmp_path / "project", header=FCM)
    project.write(".gitignore", "/.herald/\n")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    project.write("campaigns/team.yaml",
                  f"audience: team\nregistrations: {project.list('team', TOKENS[:1])}\ntest: true\n")
    git(project.folder, "init", "--quiet")
    return project


LIST = "campaigns/registrations/all.txt"


def test_a_tracked_list_is_a_warning(repository):
    # A list that Git does not track, or ignores, is not reported.
    assert "tracked-list" not in repository.herald("validate").expect(0).out
    git(repository.folder, "add", "--all")
    result = repository.herald("validate").expect(
        0, "warning[tracked-list]", f"Git tracks the list {LIST}", f"`git rm --cached {LIST}`",
        "add the file to .gitignore")
    assert result.out.count("warning[tracked-list]") == 1
    repository.herald("validate", "--deny-warnings").expect(65)
    # Only `validate` queries Git.
    assert "tracked-list" not in repository.herald("preview", "call").expect(0).err
    git(repository.folder, "rm", "--quiet", "--cached", LIST)
    assert "tracked-list" not in repository.herald("validate").expect(0).out


def test_a_tracked_list_may_be_allowed(repository):
    git(repository.folder, "add", "--all")
    text = (repository.folder / "campaigns/call.yaml").read_text()
    repository.write("campaigns/call.yaml", "# herald: allow tracked-list, these are test phones\n" + text)
    result = repository.herald("validate").expect(0)
    assert "tracked-list" not in result.out and "unused-allow" not in result.out
    assert "unused-allow" not in repository.herald("preview", "call").expect(0).err
    git(repository.folder, "rm", "--quiet", "--cached", LIST)
    repository.herald("validate").expect(0, "warning[unused-allow]")


def test_a_list_that_only_emulators_use_may_be_tracked(repository):
    git(repository.folder, "add", "--all")
    repository.write("herald.yaml", "version: 1\nproject: e2e\nenvironments: { staging: { emulator: {} } }\n")
    assert "tracked-list" not in repository.herald("validate").expect(0).out


def test_the_list_of_an_environment_is_reported_in_it(repository):
    lists = "    lists: {{ all: {}, team: campaigns/registrations/team.txt }}\n"
    repository.write("campaigns/call.yaml",
                     f"audience: all\nregistrations: {LIST}\n---\ncampaign: call\naudience: all\n"
                     "message: { notification: { title: Storm warning } }\n")
    repository.list("real", TOKENS[2:])
    repository.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n  staging: { emulator: {} }\n"
                     "  production:\n    fcm: { project_id: harbour-b5ae1 }\n"
                     + lists.format("campaigns/registrations/real.txt"))
    git(repository.folder, "add", "--all")
    result = repository.herald("validate").expect(
        0, "Git tracks the list campaigns/registrations/real.txt", "in the environment `production`")
    # The other list is used only with the emulator.
    assert LIST not in result.out


def test_the_tracked_files_of_a_pattern_are_reported_once(repository):
    for number in range(3):
        (repository.folder / f"lists/part-{number}.txt.gz").parent.mkdir(exist_ok=True)
        (repository.folder / f"lists/part-{number}.txt.gz").write_bytes(gzip.compress(f"{TOKENS[number]}\n".encode()))
    repository.campaign("call", '{ registrations: "lists/part-*.txt.gz" }')
    git(repository.folder, "add", "lists/part-0.txt.gz", "lists/part-2.txt.gz")
    result = repository.herald("validate").expect(
        0, "Git tracks the list lists/part-0.txt.gz and 1 other file",
        "run `git rm --cached lists/part-0.txt.gz lists/part-2.txt.gz`, and add the files to .gitignore")
    assert result.out.count("warning[tracked-list]") == 1


def test_a_tracked_compressed_list_is_reported(repository):
    (repository.folder / "vips.csv.gz").write_bytes(gzip.compress(f"registration,user\n{TOKENS[0]},ana\n".encode()))
    repository.campaign("call", "{ registrations: { file: vips.csv.gz, identity: user } }")
    git(repository.folder, "add", "vips.csv.gz")
    repository.herald("validate").expect(0, "Git tracks the list vips.csv.gz", "`git rm --cached vips.csv.gz`")


def test_a_tracked_pattern_of_an_environment_is_reported_in_it(repository):
    repository.write("campaigns/call.yaml",
                     f"audience: all\nregistrations: {LIST}\n---\ncampaign: call\naudience: all\n"
                     "message: { notification: { title: Storm warning } }\n")
    repository.write("real/a.txt", f"{TOKENS[2]}\n")
    repository.write("real/b.txt", f"{TOKENS[3]}\n")
    repository.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n  production:\n"
                     "    fcm: { project_id: harbour-b5ae1 }\n"
                     '    lists: { all: "real/*.txt", team: campaigns/registrations/team.txt }\n')
    git(repository.folder, "add", "real")
    repository.herald("validate").expect(
        0, "Git tracks the list real/a.txt and 1 other file", "in the environment `production`")


def test_a_list_outside_of_a_repository_is_not_reported(repository, tmp_path):
    git(repository.folder, "add", "--all")
    (repository.folder / ".git").rename(tmp_path / "elsewhere")
    assert "tracked-list" not in repository.herald("validate").expect(0).out
