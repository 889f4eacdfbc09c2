"""A team that reviews plans: real clones of one repository, one state, and what was reviewed is what is applied.

The state and the lists lie in a folder that both clones link to, as a team with SQLite has it. What was
sent is read from the emulator's log alone.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess

import pytest

from herald import DEADLINE, SECRET, Emulator, Log, Project, token, variables

NOW = "2037-01-01T12:00:00Z"
VIPS = [token(n) for n in range(3)]
HEADER = "version: 1\nproject: tidewatch\ntimezone: UTC\ntopics: { tides: {} }\n"


class Team:
    """Ada writes campaigns; the second clone stands for CI, which applies what is on main."""

    def __init__(self, folder):
        self.folder = folder
        self.shared = folder / "shared"
        (self.shared / "state/emulator").mkdir(parents=True)
        self.list(VIPS)
        self.git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
        self.ada = self.clone("ada")
        self.write("herald.yaml", HEADER)
        self.write(".gitignore", ".herald\nlists\n")
        self.write("campaigns/devices.yaml", "devices: bench\nphones:\n" + "".join(
            f'  - {{ name: d{n}, platform: android, registration: "{text}" }}\n' for n, text in enumerate(VIPS)))
        self.push()
        self.ci = self.clone("ci")
        self.log = Log(self.shared / "state/emulator/requests.ndjson")

    def git(self, where, *arguments):
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", "Ada"), ("EMAIL", "ada@tidewatch.example"))}
        done = subprocess.run(["git", *arguments], cwd=where, capture_output=True, text=True, timeout=DEADLINE,
                              env=variables(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", **who))
        assert done.returncode == 0, f"git {arguments}: {done.stderr}"

    def clone(self, name):
        self.git(self.folder, "clone", "--quiet", "origin.git", name)
        folder = self.folder / name
        (folder / "campaigns").mkdir(exist_ok=True)
        (folder / ".herald").symlink_to(self.shared / "state")
        (folder / "lists").symlink_to(self.shared / "lists")
        return Project.of(folder)

    def list(self, tokens):
        (self.shared / "lists").mkdir(exist_ok=True)
        (self.shared / "lists/vip.txt").write_text("".join(f"{text}\n" for text in tokens))

    def write(self, path, text):
        self.ada.write(path, text)

    def campaign(self, name, audience="{ registrations: lists/vip.txt }", title="hello", more=""):
        self.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {audience}\n"
                   f"message: {{ notification: {{ title: {title} }} }}\n{more}")

    def push(self):
        """Ada's files become main, which CI has then."""
        self.git(self.ada.folder, "add", "--all")
        self.git(self.ada.folder, "commit", "--quiet", "--message", "A campaign")
        self.git(self.ada.folder, "push", "--quiet", "origin", "HEAD:main")

    def merge(self):
        """A branch with Ada's files is pushed, reviewed, merged, and pulled by CI."""
        self.git(self.ada.folder, "checkout", "--quiet", "-B", "spring")
        self.git(self.ada.folder, "add", "--all")
        self.git(self.ada.folder, "commit", "--quiet", "--message", "A campaign")
        self.git(self.ada.folder, "push", "--quiet", "--force", "origin", "spring")
        self.git(self.ada.folder, "checkout", "--quiet", "-B", "main", "origin/main")
        self.git(self.ada.folder, "merge", "--quiet", "--no-ff", "--no-edit", "spring")
        self.git(self.ada.folder, "push", "--quiet", "origin", "main")
        self.git(self.ci.folder, "pull", "--quiet")

    def reviewed(self, now=NOW, *arguments):
        """The digest that Ada's plan ends with."""
        return digest(self.ada.herald("plan", *arguments, now=now).expect(0).out)

    def apply(self, *arguments, now=NOW, **options):
        """CI asks nobody."""
        return self.ci.herald("apply", "--no-input", *arguments, now=now, **options)

    def rows(self, sql):
        return self.ci.rows(sql)

    def copy_of_state(self, project):
        copy = self.folder / f"{project.folder.name}.sqlite"
        with sqlite3.connect(project.folder / ".herald/local.sqlite") as connection, sqlite3.connect(copy) as backup:
            connection.backup(backup)
        return copy

    def put_state(self, copy):
        """Puts another state in the place of the team's, or none."""
        for file in (self.shared / "state").glob("local.sqlite*"):
            file.unlink()
        if copy:
            shutil.copyfile(copy, self.shared / "state/local.sqlite")


@pytest.fixture
def team(tmp_path):
    return Team(tmp_path)


def digest(out):
    last = out.splitlines()[-1]
    assert re.fullmatch("Digest [0-9a-f]{40}@[0-9]+", last), last
    return last.split()[1]


def assert_nothing_is_sent(team, result, before):
    assert team.log.bytes() == before, result


def test_what_was_reviewed_is_applied_once(team):
    team.campaign("sale")
    team.write("campaigns/vips.yaml", "audience: vips\nregistrations: lists/vip.txt\nsubscribe: [tides]\n")
    reviewed = team.reviewed()
    team.merge()
    assert digest(team.ci.herald("plan", now=NOW).out) == reviewed
    team.apply("--expect", reviewed).expect(0, "3 joined", "3 accepted")
    assert team.log.accepted() == dict.fromkeys(VIPS, 1)
    before = team.log.bytes()
    assert len(team.log.changes()) == 4  # one batch of joins and three sends
    for again in (reviewed, reviewed.split("@")[0], reviewed.upper()):
        result = team.apply("--expect", again).expect(0, "Already applied: run 1, 2037-01-01T12:00:00Z, by ")
        assert_nothing_is_sent(team, result, before)
    assert team.rows("SELECT status, digest FROM runs") == [(1, reviewed.split("@")[0])]


def test_an_apply_without_a_digest_records_its_own(team):
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    team.apply("--yes").expect(0, "3 accepted")
    assert team.rows("SELECT digest FROM runs") == [(reviewed.split("@")[0],)]
    team.apply("--expect", reviewed).expect(0, "Already applied")


def test_a_list_that_changed_since_is_named(team):
    team.campaign("sale")
    team.write("campaigns/vips.yaml", "audience: vips\nregistrations: lists/vip.txt\nsubscribe: [tides]\n")
    reviewed = team.reviewed(NOW, "--out", team.folder / "plan.json")
    team.merge()
    old, new = [hashlib.sha256("".join(f"{text}\n" for text in tokens).encode()).hexdigest()[:12]
                for tokens in (VIPS, VIPS + [token(9)])]
    team.list(VIPS + [token(9)])
    for given in (reviewed, reviewed.split("@")[0], team.folder / "plan.json"):
        result = team.apply("--expect", given).expect(
            5, "nothing was done: this is not the plan that was reviewed",
            "list lists/vip.txt of campaign sale: "
            f"3 registrations, content {old} → 4 registrations, content {new}",
            f"list of audience vips: 3 registrations, content {old} → 4 registrations, content {new}",
            "audience vips, topic tides: 3 join → 4 join")
        assert_nothing_is_sent(team, result, b"")
    team.list(VIPS)
    team.apply("--expect", reviewed).expect(0, "3 accepted")


def test_a_list_that_grew_is_a_change_until_the_campaign_was_sent(team):
    team.campaign("sale")
    team.campaign("later", more='schedule: { at: "2037-01-05 09:00" }\n')
    team.campaign("daily", more='schedule: { cron: "0 9 * * *" }\n')
    team.push()
    team.git(team.ci.folder, "pull", "--quiet")
    team.apply("--yes").expect(0, "3 accepted")
    team.list(VIPS + [token(9)])
    plan = team.ci.plan(now=NOW)
    changed = {c["campaign"]: [change["path"] for change in c["changes"]] for c in plan["campaigns"] if "changes" in c}
    assert changed == {"later": ["list.count", "list.id"], "daily": ["list.count", "list.id"]}
    assert [c["campaign"] for c in plan["reviewed"]["campaigns"]] == ["daily", "later"]


def test_a_changed_message_is_named_with_both_texts(team):
    team.campaign("sale", title="one")
    team.campaign("other")
    reviewed = team.reviewed()
    team.campaign("sale", title="two")
    (team.ada.folder / "campaigns/other.yaml").unlink()
    team.campaign("third", "{ topic: tides }")
    team.merge()
    result = team.apply("--expect", reviewed).expect(
        5, 'campaign sale: message.notification.title: "one" → "two"',
        "campaign other: was reviewed; there is nothing to do for it now",
        "campaign third: was not reviewed; it is sent or scheduled", "`herald plan` shows what would be done now")
    assert_nothing_is_sent(team, result, b"")


def test_another_apply_between(team):
    """Of other campaigns it makes no difference; of the same one it does."""
    team.campaign("first", "{ topic: tides }")
    both = team.reviewed()
    team.merge()
    team.campaign("second", "{ topic: tides }")
    reviewed = team.reviewed()
    team.apply("--expect", both).expect(0, "1 accepted")
    alone = team.reviewed()
    team.merge()
    before = team.log.bytes()
    result = team.apply("--expect", reviewed).expect(
        5, "campaign first: was reviewed; there is nothing to do for it now")
    assert_nothing_is_sent(team, result, before)
    assert "campaign second" not in result.err
    team.apply("--expect", alone).expect(0, "1 accepted")
    assert team.log.accepted() == {"tides": 2}


def test_what_others_applied_meanwhile_does_not_matter(team):
    """Bo's campaign is applied while Ada's is reviewed: her plan stays what it is."""
    team.campaign("adas", "{ topic: tides }")
    reviewed = team.reviewed()
    (team.ada.folder / "campaigns/adas.yaml").rename(team.folder / "adas.yaml")
    team.campaign("bos", "{ topic: tides }")
    team.merge()
    team.apply("--yes").expect(0, "1 accepted")
    (team.folder / "adas.yaml").rename(team.ada.folder / "campaigns/adas.yaml")
    team.merge()
    team.apply("--expect", reviewed).expect(0, "1 accepted")
    assert team.log.accepted() == {"tides": 2}


def test_time_that_passes_makes_no_difference(team):
    """Over the moment of a rule that is applied, of one that is not, and of an `at`: nothing else is reviewed."""
    team.campaign("hourly", "{ topic: tides }", more='schedule: { cron: "0 * * * *", timezone: UTC }\n')
    team.push()
    team.git(team.ci.folder, "pull", "--quiet")
    team.apply("--yes").expect(0)
    team.campaign("at", "{ topic: tides }", more='schedule: { at: "2037-01-01 12:58", timezone: UTC }\n')
    team.campaign("cron", "{ topic: tides }", more='schedule: { cron: "59 * * * *", timezone: UTC }\n')
    team.campaign("expires", "{ topic: tides }", more='delivery: { expires: "2037-01-01 12:30" }\n')
    reviewed = team.reviewed()
    team.merge()
    later = [team.reviewed(now) for now in ("2037-01-01T12:58:30Z", "2037-01-01T13:05:00Z", "2037-02-01T00:00:00Z")]
    assert later == [reviewed] * 3
    # 12:58 is seven minutes ago, which is not late; 12:59 had no rule yet, 13:00 is due, and one has expired.
    result = team.apply("--expect", reviewed, now="2037-01-01T13:05:00Z").expect(3, "2 accepted", "expires/once/1")
    keys = [entry["body"]["message"]["android"]["notification"]["tag"] for entry in team.log.sends()]
    due = ("at/once/1", "hourly/2037-01-01T13:00/1")
    assert sorted(keys) == sorted(hashlib.sha256(id.encode()).hexdigest()[:16] for id in due), result
    before = team.log.bytes()
    again = team.apply("--expect", reviewed, now="2037-01-01T13:06:00Z").expect(0, "Already applied")
    assert_nothing_is_sent(team, again, before)


def test_a_plan_file_that_was_tampered_with_is_refused(team):
    team.campaign("sale", title="harmless")
    path = team.folder / "plan.json"
    team.reviewed(NOW, "--out", path)
    team.merge()
    written = path.read_text()
    plan = json.loads(written)
    checksum = plan.pop("checksum")
    rest = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(rest.encode()).hexdigest() == checksum
    # Everywhere, in what people read alone, and in what is compared alone.
    edits = [
        written.replace("harmless", "harmful"), written.replace("harmless", "harmful", 1),
        written.replace('"has_changes": true', '"has_changes": false'),
        written.replace('"requests": 3', '"requests": 1', 1),
        re.sub('"digest": "....', '"digest": "0000', written), re.sub('("digest": ".*)@0"', r'\1@1"', written),
    ]
    for tampered in edits:
        assert tampered != written
        path.write_text(tampered)
        result = team.apply("--expect", path).expect(1, "was modified")
        assert_nothing_is_sent(team, result, b"")
    for other, code, words in [("{}", 1, "is not a plan"), ("", 1, "is not a plan")]:
        path.write_text(other)
        team.apply("--expect", path).expect(code, words)
    path.write_text(written)
    team.apply("--expect", path).expect(0, "3 accepted")


def test_a_database_that_was_put_back_is_refused(team):
    """The older copy has forgotten that the first campaign was sent."""
    team.campaign("first", "{ topic: tides }")
    reviewed = team.reviewed()
    team.merge()
    copy = team.copy_of_state(team.ci)
    team.apply("--expect", reviewed).expect(0, "1 accepted")
    team.campaign("second", "{ topic: tides }")
    reviewed = team.reviewed()
    assert reviewed.endswith("@1")
    team.merge()
    team.put_state(copy)
    before = team.log.bytes()
    for given in ("--yes", f"--expect={reviewed}"):
        result = team.apply(given).expect(1, "older than one seen here", "its serial is 0, the highest seen is 1")
        assert_nothing_is_sent(team, result, before)
    # A machine that has never seen the state knows by the digest alone.
    fresh = {"XDG_STATE_HOME": str(team.folder / "fresh")}
    result = team.apply("--expect", reviewed, env=fresh).expect(
        1, "made from serial 1 of the state, and the state is at 0", "put the newest state in its place")
    assert_nothing_is_sent(team, result, before)


def test_a_state_that_herald_yaml_does_not_name_is_refused(team):
    """The lineage is committed with the first campaign; then CI is given another team's state, and none."""
    team.ada.herald("state", "init", now=NOW).expect(0, "created")
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    own = team.copy_of_state(team.ci)
    team.put_state(None)
    result = team.apply("--expect", reviewed).expect(1, "is missing, and herald.yaml names its lineage")
    assert_nothing_is_sent(team, result, b"")
    other = Project(team.folder / "other")
    other.herald("plan", now=NOW).expect(0)
    team.put_state(team.copy_of_state(other))
    result = team.apply("--expect", reviewed).expect(1, "is another one: its lineage is")
    assert_nothing_is_sent(team, result, b"")
    team.put_state(own)
    team.apply("--expect", reviewed).expect(0, "3 accepted")


def test_a_plan_for_something_else_is_named_as_such(team):
    team.write("herald.yaml", HEADER + "environments: { local: { emulator: {} }, staging: { emulator: {} } }\n")
    team.campaign("sale")
    path = team.folder / "plan.json"
    staging = team.reviewed(NOW, "-e", "staging", "--out", path)
    team.merge()
    team.apply("--expect", path).expect(
        5, "for something else", "environment: staging, here local", "choose the environment")
    unknown = team.apply("--expect", staging).expect(5, "is not known here", "plan --out")
    assert staging in unknown.err
    team.reviewed(NOW, "--out", path)
    team.write("herald.yaml", HEADER.replace("tidewatch", "stormwatch"))
    team.merge()
    team.apply("--expect", path).expect(5, "for something else", "project: tidewatch, here stormwatch")
    team.write("herald.yaml", HEADER)
    team.merge()
    team.put_state(None)
    result = team.apply("--expect", path).expect(5, "for something else", "lineage of the state: ")
    assert_nothing_is_sent(team, result, b"")


def test_two_applies_at_once_apply_it_once(team):
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    two = [team.ci.start("apply", "--expect", reviewed, now=NOW) for _ in range(2)]
    ends = sorted(one.finish().expect(0).out.splitlines()[-1].split(":")[0] for one in two)
    assert ends == ["Already applied", "Applied"]
    assert team.log.accepted() == dict.fromkeys(VIPS, 1)


def test_a_dry_run_holds_the_plan_beside_what_was_reviewed(team):
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    team.apply("--dry-run", "--expect", reviewed).expect(0, "nothing was sent or recorded")
    team.apply("--dry-run", "--expect", "0" * 40).expect(5, "is not known here")
    assert team.log.accepted() == {} or all(e["body"].get("validate_only") for e in team.log.sends())


@pytest.mark.parametrize("given", ["", "abc", "nowhere.json", "0" * 39, "0" * 41, "0" * 40 + "@", "0" * 40 + "@x"])
def test_what_is_neither_a_digest_nor_a_file_is_wrong_use(team, given):
    team.apply("--expect", given).expect(64, "is neither a digest nor a file")


# MARK: plan --out


def test_a_plan_file_holds_no_registration_and_is_its_owners_alone(team):
    team.write("campaigns/inline.yaml", "campaign: inline\naudience: { registrations: ["
               + ", ".join(f'"{text}"' for text in VIPS) + "] }\nmessage: { notification: { title: t } }\n")
    team.campaign("sale")
    team.write("campaigns/vips.yaml", "audience: vips\nregistrations: lists/vip.txt\nsubscribe: [tides]\n")
    path = team.folder / "plan.json"
    os.umask(0)
    reviewed = team.reviewed(NOW, "--out", path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert SECRET not in text
    plan = json.loads(text)
    assert plan["digest"] == reviewed
    canonical = json.dumps(plan["reviewed"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest()[:40] == reviewed.split("@")[0]
    assert json.loads(team.ada.herald("plan", "--format", "json", now=NOW).out) == plan
    kept = team.rows("SELECT content FROM plans")
    assert [json.loads(content) for content, in kept] == [plan["reviewed"]] and SECRET not in str(kept)


def test_a_plan_file_replaces_a_plan_and_nothing_else(team):
    team.campaign("sale")
    path, link = team.folder / "plan.json", team.folder / "link.json"
    team.reviewed(NOW, "--out", path)
    link.symlink_to(path)
    written = path.read_bytes()
    team.ada.herald("plan", "--out", link, now=NOW).expect(1, "not a regular file")
    assert path.read_bytes() == written and link.is_symlink()
    team.campaign("sale", title="other")
    team.reviewed(NOW, "--out", path)
    assert path.read_bytes() != written
    notes = team.folder / "notes.txt"
    notes.write_text("mine")
    team.ada.herald("plan", "--out", notes, now=NOW).expect(1, "is not a plan")
    assert notes.read_text() == "mine"
    team.ada.herald("plan", "--out", team.folder, now=NOW).expect(1, "not a regular file")
    team.ada.herald("plan", "--out", team.folder / "no/plan.json", now=NOW).expect(1, "can't be written")
    assert sorted(p.name for p in team.folder.glob("*.json")) == ["link.json", "plan.json"]
    assert list(team.folder.glob(".herald-new*")) == []


# MARK: killed


def test_a_killed_apply_goes_on_under_the_same_digest(team):
    """SIGKILL in the middle of a list of 1,500: the same command goes on to the end, and then says that it is done."""
    people = [token(n, "crowd") for n in range(1_500)]
    team.list(people)
    team.write("campaigns/devices.yaml", "devices: none\nphones: []\n")
    team.campaign("sale")
    team.campaign("tides", "{ topic: tides }")
    reviewed = team.reviewed()
    team.merge()
    with Emulator(team.ci) as emulator:
        emulator.install(people)
        with team.ci.start("apply", "--expect", reviewed, now=NOW) as apply:
            team.log.wait_for(200)
            apply.kill()
        team.log.settle()
        sent = sum(team.log.accepted().values())
        assert 200 <= sent < 1_500
        # Under another digest nothing goes on.
        other = team.apply("--expect", "0" * 40).expect(5)
        assert sum(team.log.accepted().values()) == sent
        result = team.apply("--expect", reviewed)
        assert "Goes on with what is left" in result.err, result
        unknown = len(re.findall("^  unknown ", other.out + result.out, re.M))
        # Also where an apply that was refused was the one that found out.
        assert result.code == (4 if unknown else 0), result
        accepted = team.log.accepted()
        assert accepted.pop("tides") == 1
        assert set(accepted.values()) == {1} and set(accepted) <= set(people)
        assert len(people) - unknown <= len(accepted)
        before = team.log.bytes()
        again = team.apply("--expect", reviewed)
        assert again.code == 0 and "Already applied: run " in again.out, again
        assert team.log.bytes() == before
    assert len({digest for digest, in team.rows("SELECT digest FROM runs WHERE digest IS NOT NULL")}) == 1


def test_what_changed_after_a_killed_apply_is_not_gone_on_with(team):
    people = [token(n, "crowd") for n in range(1_500)]
    team.list(people)
    team.write("campaigns/devices.yaml", "devices: none\nphones: []\n")
    team.campaign("sale")
    team.campaign("tides", "{ topic: tides }", title="one")
    reviewed = team.reviewed()
    team.merge()
    with Emulator(team.ci) as emulator:
        emulator.install(people)
        with team.ci.start("apply", "--expect", reviewed, now=NOW) as apply:
            team.log.wait_for(200)
            apply.kill()
        team.log.settle()
        team.campaign("tides", "{ topic: tides }", title="two")
        team.merge()
        before = team.log.bytes()
        team.apply("--expect", reviewed).expect(5, 'campaign tides: message.notification.title: "one" → "two"')
        assert team.log.bytes() == before


def test_a_killed_apply_of_memberships_goes_on_only_with_what_was_reviewed(team):
    """SIGKILL among the joins; then somebody wants less, or chooses a part: neither is what was reviewed."""
    people = [token(n, "crowd") for n in range(12_000)]
    team.list(people)
    team.write("herald.yaml", HEADER.replace("tides: {}", "tides: {}, beta: {}"))
    team.write("campaigns/devices.yaml", "devices: none\nphones: []\n")
    team.campaign("news", "{ topic: tides }")

    def subscribe(topics):
        team.write("campaigns/crowd.yaml",
                   f"audience: crowd\nregistrations: lists/vip.txt\nsubscribe: [{topics}]\n")

    subscribe("tides, beta")
    reviewed = team.reviewed()
    team.merge()
    with Emulator(team.ci) as emulator:
        emulator.install(people)
        with team.ci.start("apply", "--expect", reviewed, now=NOW) as apply:
            while not team.log.batches("batchAdd"):
                assert apply.process.poll() is None
            apply.kill()
        team.log.settle()
        assert not team.rows("SELECT 1 FROM scopes WHERE topic = 'beta' AND members > 0")
        before = team.log.bytes()
        subscribe("tides")
        team.merge()
        assert_nothing_is_sent(team, team.apply("--expect", reviewed).expect(5, "crowd", "beta"), before)
        subscribe("tides, beta")
        team.merge()
        assert_nothing_is_sent(team, team.apply("--expect", reviewed, "--only", "news").expect(5), before)
        team.apply("--expect", reviewed).expect(0, "1 accepted")
        assert team.rows("SELECT status, count(*) FROM memberships GROUP BY status") == [(1, 24_000)]
        assert team.log.accepted() == {"tides": 1}
        team.apply("--expect", reviewed).expect(0, "Already applied")
