"""A team that reviews plans: several clones of one repository share one state, and apply performs exactly the
reviewed plan.

State and lists are in a directory to which both clones link, as for a team that uses SQLite. Sends are read only
from the emulator's log.
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
    """A repository with two clones: Ada writes campaigns, and CI applies the main branch."""

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
        project = Project.of(folder)
        project.allow_path(self.shared)
        return project

    def list(self, tokens):
        (self.shared / "lists").mkdir(exist_ok=True)
        (self.shared / "lists/vip.txt").write_text("".join(f"{text}\n" for text in tokens))

    def write(self, path, text):
        self.ada.write(path, text)

    def campaign(self, name, audience="{ registrations: lists/vip.txt }", title="hello", more=""):
        self.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {audience}\n"
                   f"message: {{ notification: {{ title: {title} }} }}\n{more}")

    def push(self):
        """Pushes Ada's files to main, which CI pulls."""
        self.git(self.ada.folder, "add", "--all")
        self.git(self.ada.folder, "commit", "--quiet", "--message", "A campaign")
        self.git(self.ada.folder, "push", "--quiet", "origin", "HEAD:main")

    def merge(self):
        """Pushes a branch with Ada's files, reviews and merges it, and pulls it in CI."""
        self.git(self.ada.folder, "checkout", "--quiet", "-B", "spring")
        self.git(self.ada.folder, "add", "--all")
        self.git(self.ada.folder, "commit", "--quiet", "--message", "A campaign")
        self.git(self.ada.folder, "push", "--quiet", "--force", "origin", "spring")
        self.git(self.ada.folder, "checkout", "--quiet", "-B", "main", "origin/main")
        self.git(self.ada.folder, "merge", "--quiet", "--no-ff", "--no-edit", "spring")
        self.git(self.ada.folder, "push", "--quiet", "origin", "main")
        self.git(self.ci.folder, "pull", "--quiet")

    def reviewed(self, now=NOW, *arguments):
        """Returns the digest of Ada's plan."""
        return digest(self.ada.herald("plan", *arguments, now=now).expect(0).out)

    def apply(self, *arguments, now=NOW, **options):
        """Applies in CI, without a prompt."""
        return self.ci.herald("apply", "--no-input", *arguments, now=now, **options)

    def rows(self, sql):
        return self.ci.rows(sql)

    def copy_of_state(self, project):
        copy = self.folder / f"{project.folder.name}.sqlite"
        with sqlite3.connect(project.folder / ".herald/local.sqlite") as connection, sqlite3.connect(copy) as backup:
            connection.backup(backup)
        return copy

    def put_state(self, copy):
        """Replaces the team's state with another one, or deletes it."""
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


def test_applies_a_reviewed_plan_once(team):
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


def test_apply_without_a_digest_records_its_own(team):
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    team.apply("--yes").expect(0, "3 accepted")
    assert team.rows("SELECT digest FROM runs") == [(reviewed.split("@")[0],)]
    team.apply("--expect", reviewed).expect(0, "Already applied")


def test_names_a_list_that_changed_since_the_review(team):
    team.campaign("sale")
    team.write("campaigns/vips.yaml", "audience: vips\nregistrations: lists/vip.txt\nsubscribe: [tides]\n")
    reviewed = team.reviewed(NOW, "--out", team.folder / "plan.json")
    team.merge()
    old, new = [hashlib.sha256("".join(f"{text}\n" for text in tokens).encode()).hexdigest()[:12]
                for tokens in (VIPS, VIPS + [token(9)])]
    team.list(VIPS + [token(9)])
    for given in (reviewed, reviewed.split("@")[0], team.folder / "plan.json"):
        result = team.apply("--expect", given).expect(
            5, "nothing was done: the current plan differs from the reviewed plan",
            "list lists/vip.txt of campaign sale: "
            f"3 registrations, content {old} → 4 registrations, content {new}",
            f"list of audience vips: 3 registrations, content {old} → 4 registrations, content {new}",
            "audience vips, topic tides: 3 join → 4 join")
        assert_nothing_is_sent(team, result, b"")
    team.list(VIPS)
    team.apply("--expect", reviewed).expect(0, "3 accepted")


def test_list_growth_is_a_change_only_before_the_send(team):
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


def test_shows_both_texts_of_a_changed_message(team):
    team.campaign("sale", title="one")
    team.campaign("other")
    reviewed = team.reviewed()
    team.campaign("sale", title="two")
    (team.ada.folder / "campaigns/other.yaml").unlink()
    team.campaign("third", "{ topic: tides }")
    team.merge()
    result = team.apply("--expect", reviewed).expect(
        5, 'campaign sale: message.notification.title: "one" → "two"',
        "campaign other: was reviewed; it has no changes now",
        "campaign third: was not reviewed; it is sent or scheduled", "run `herald plan`, have the new plan reviewed")
    assert_nothing_is_sent(team, result, b"")


def test_apply_between_review_and_apply(team):
    """An apply of another campaign does not change the digest; an apply of the same campaign does."""
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
        5, "campaign first: was reviewed; it has no changes now")
    assert_nothing_is_sent(team, result, before)
    assert "campaign second" not in result.err
    team.apply("--expect", alone).expect(0, "1 accepted")
    assert team.log.accepted() == {"tides": 2}


def test_applies_of_other_campaigns_keep_the_digest(team):
    """Bo's campaign is applied during the review of Ada's plan, which stays valid."""
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


def test_digest_does_not_depend_on_time(team):
    """The due times of an applied rule, a new rule and an `at` schedule pass. The digest stays the same."""
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


def test_refuses_a_modified_plan_file(team):
    team.campaign("sale", title="harmless")
    path = team.folder / "plan.json"
    team.reviewed(NOW, "--out", path)
    team.merge()
    written = path.read_text()
    plan = json.loads(written)
    checksum = plan.pop("checksum")
    rest = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(rest.encode()).hexdigest() == checksum
    # Edits of both parts, of the part that only people read, and of the part that is only compared.
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


def test_refuses_an_older_state(team):
    """The older copy does not contain the first campaign's send."""
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
    # A machine that has never seen the state detects it by the digest alone.
    fresh = {"XDG_STATE_HOME": str(team.folder / "fresh")}
    result = team.apply("--expect", reviewed, env=fresh).expect(
        1, "made from serial 1 of the state, but the state has serial 0", "restore the newest state")
    assert_nothing_is_sent(team, result, before)


def test_refuses_a_state_that_herald_yaml_does_not_name(team):
    """The lineage is committed with the first campaign. Then CI gets another team's state, and then no state."""
    team.ada.herald("state", "init", now=NOW).expect(0, "created")
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    own = team.copy_of_state(team.ci)
    team.put_state(None)
    result = team.apply("--expect", reviewed).expect(1, "is missing: herald.yaml names lineage")
    assert_nothing_is_sent(team, result, b"")
    other = Project(team.folder / "other")
    other.herald("plan", now=NOW).expect(0)
    team.put_state(team.copy_of_state(other))
    result = team.apply("--expect", reviewed).expect(1, "has lineage", "but herald.yaml names lineage")
    assert_nothing_is_sent(team, result, b"")
    team.put_state(own)
    team.apply("--expect", reviewed).expect(0, "3 accepted")


def test_names_the_target_of_a_plan_for_another_target(team):
    team.write("herald.yaml", HEADER + "environments: { local: { emulator: {} }, staging: { emulator: {} } }\n")
    team.campaign("sale")
    path = team.folder / "plan.json"
    staging = team.reviewed(NOW, "-e", "staging", "--out", path)
    team.merge()
    team.apply("--expect", path).expect(
        5, "for another project, environment or state", "environment: staging, here local", "choose the environment")
    unknown = team.apply("--expect", staging).expect(5, "is not recorded here", "plan --out")
    assert staging in unknown.err
    team.reviewed(NOW, "--out", path)
    team.write("herald.yaml", HEADER.replace("tidewatch", "stormwatch"))
    team.merge()
    team.apply("--expect", path).expect(
        5, "for another project, environment or state", "project: tidewatch, here stormwatch")
    team.write("herald.yaml", HEADER)
    team.merge()
    team.put_state(None)
    result = team.apply("--expect", path).expect(1, "is missing: this machine has seen it there")
    assert_nothing_is_sent(team, result, b"")
    # Another machine has not seen the state, but the plan is for another lineage.
    fresh = {"XDG_STATE_HOME": str(team.folder / "fresh")}
    result = team.apply("--expect", path, env=fresh).expect(
        5, "for another project, environment or state", "lineage of the state: ")
    assert_nothing_is_sent(team, result, b"")


def test_concurrent_applies_perform_the_plan_once(team):
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    two = [team.ci.start("apply", "--expect", reviewed, now=NOW) for _ in range(2)]
    ends = sorted(one.finish().expect(0).out.splitlines()[-1].split(":")[0] for one in two)
    assert ends == ["Already applied", "Applied"]
    assert team.log.accepted() == dict.fromkeys(VIPS, 1)


def test_dry_run_compares_the_plan_with_the_digest(team):
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    team.apply("--dry-run", "--expect", reviewed).expect(0, "Nothing was sent or recorded")
    team.apply("--dry-run", "--expect", "0" * 40).expect(5, "is not recorded here")
    assert team.log.accepted() == {} or all(e["body"].get("validate_only") for e in team.log.sends())


@pytest.mark.parametrize("given", ["", "abc", "nowhere.json", "0" * 39, "0" * 41, "0" * 40 + "@", "0" * 40 + "@x"])
def test_rejects_values_that_are_neither_digest_nor_file(team, given):
    team.apply("--expect", given).expect(64, "is neither a digest nor a file")


# MARK: plan --out


def test_plan_file_is_private_and_contains_no_registration(team):
    team.write("campaigns/inline.yaml", "campaign: inline\naudience: { registrations: ["
               + ", ".join(f'"{text}"' for text in VIPS) + "] }\nmessage: { notification: { title: t } }\n")
    team.campaign("sale")
    team.write("campaigns/vips.yaml", "audience: vips\nregistrations: lists/vip.txt\nsubscribe: [tides]\n")
    path = team.folder / "plan.json"
    before = os.umask(0)
    try:
        reviewed = team.reviewed(NOW, "--out", path)
    finally:
        os.umask(before)
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


def test_plan_out_overwrites_only_plan_files(team):
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
    team.ada.herald("plan", "--out", team.folder / "no/plan.json", now=NOW).expect(1, "cannot be written")
    assert sorted(p.name for p in team.folder.glob("*.json")) == ["link.json", "plan.json"]
    assert list(team.folder.glob(".herald-new*")) == []


# MARK: killed


def test_killed_apply_resumes_with_the_same_digest(team):
    """SIGKILL in the middle of a list of 1,500: the same command resumes, completes, and then reports completion."""
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
        # An apply with another digest resumes nothing.
        other = team.apply("--expect", "0" * 40).expect(5)
        assert sum(team.log.accepted().values()) == sent
        result = team.apply("--expect", reviewed)
        assert "Resuming the reviewed plan" in result.err, result
        unknown = len(re.findall("^  unknown ", other.out + result.out, re.M))
        # Even if the refused apply was the one that found the unknown requests.
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


def test_killed_apply_does_not_resume_with_changed_files(team):
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


def test_killed_apply_resumes_with_an_edited_list_only_if_that_was_reviewed(team):
    """The edit does not change what is sent, so a reviewer must approve the rest. That review survives a kill."""
    people = [token(n, "crowd") for n in range(1_500)]
    team.list(people)
    team.write("campaigns/devices.yaml", "devices: none\nphones: []\n")
    team.campaign("sale")
    reviewed = team.reviewed()
    team.merge()
    with Emulator(team.ci) as emulator:
        emulator.install(people)
        with team.ci.start("apply", "--expect", reviewed, now=NOW) as apply:
            team.log.wait_for(200)
            apply.kill()
        team.log.settle()
        team.list(people[:-3] + [token(n, "new") for n in range(2)])
        # Recording the unknown requests, as the next apply does, leaves this digest unchanged.
        edited = team.reviewed()
        assert edited.split("@")[0] != reviewed.split("@")[0]
        before = team.log.bytes()
        refused = team.apply("--expect", reviewed).expect(
            5, "campaign sale: no interrupted send with an edited list → sale/once/1 continues with an edited list",
            "3 of them to removed registrations; 2 new registrations")
        assert_nothing_is_sent(team, refused, before)
        with team.ci.start("apply", "--expect", edited, now=NOW) as apply:
            team.log.wait_for(team.log.count() + 200)
            killed, _ = apply.kill()
        team.log.settle()
        assert sum(team.log.accepted().values()) < 1_500
        result = team.apply("--expect", edited)
        assert "Resuming the reviewed plan" in result.err, result
        unknown = len(re.findall("^  unknown ", refused.out + killed + result.out, re.M))
        assert result.code == (4 if unknown else 0), result
        accepted = team.log.accepted()
        assert set(accepted.values()) == {1} and set(accepted) <= set(people)
        assert len(people) - unknown <= len(accepted)
        assert set(people[-3:]) <= set(accepted)
        team.apply("--expect", edited).expect(0, "Already applied")


def test_killed_membership_apply_resumes_only_the_reviewed_plan(team):
    """SIGKILL during the joins. Then a user subscribes to fewer topics or selects a part: neither was reviewed."""
    people = [token(n, "crowd") for n in range(5_000)]
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
            # With nothing joined yet, the selected part would be the whole reviewed plan.
            while not (team.log.batches("batchAdd") and team.rows("SELECT 1 FROM memberships WHERE status = 1")):
                assert apply.process.poll() is None
            apply.kill()
        team.log.settle()
        assert not team.rows("SELECT 1 FROM memberships JOIN scopes ON id = scope WHERE topic = 'beta'")
        before = team.log.bytes()
        subscribe("tides")
        team.merge()
        assert_nothing_is_sent(team, team.apply("--expect", reviewed).expect(5, "crowd", "beta"), before)
        subscribe("tides, beta")
        team.merge()
        assert_nothing_is_sent(team, team.apply("--expect", reviewed, "--only", "news").expect(5), before)
        team.apply("--expect", reviewed).expect(0, "1 accepted")
        assert team.rows("SELECT status, count(*) FROM memberships GROUP BY status") == [(1, 10_000)]
        assert team.log.accepted() == {"tides": 1}
        team.apply("--expect", reviewed).expect(0, "Already applied")
