"""The pull request flow of `Documentation/Guide/CI`, played with runners that share nothing but the database.

Each job has its own clone and its own home, as on a runner that keeps nothing. The jobs, their variables and their
scripts are those of the guide's YAML. What was sent is judged from the emulator's log.
"""

import json
import os
import re
import signal
import subprocess

import pytest
import yaml

from herald import DEADLINE, ROOT, SECRET, Emulator, Project, run, token, variables
from postgres import program
from runner import GitHub, GitHubRunner, GitLab, GitLabRunner, evaluated, included
from test_ci import FORM, git, pull_request, root  # noqa: F401
from test_postgres_state import database  # noqa: F401 (fixture)

CREW = [token(n) for n in range(5)]
SECRETS = ("HERALD_REVIEW_STATE_URL", "HERALD_APPLY_STATE_URL")
E = ("-e", "production")


def documented(page, key):
    """Returns the YAML blocks with this top-level key in a page of the guide."""
    text = (ROOT / f"Documentation/Guide/CI/{page}.md").read_text()
    blocks = [yaml.safe_load(block) for block in re.findall("^```yaml\n(.*?)^```", text, re.S | re.M)]
    return [block for block in blocks if key in block]


class Team:
    """A repository, its platform, and a database with a role for each kind of job."""

    def __init__(self, folder, root, forge, emulator, database):  # noqa: F811
        self.folder, self.root, self.forge, self.emulator, self.database = folder, root, forge, emulator, database
        self.log, self.jobs, self.branch = emulator.project.log, 0, "main"
        git(folder, "init", "--quiet", "--bare", "origin")
        git(folder, "clone", "--quiet", "origin", "author")
        self.project = Project(
            folder / "author", topics=["tides"],
            header=f"environments: {{ production: {{ emulator: {{ url: '{emulator.url}' }}, settle: 0s, "
            'state: { postgres: "${HERALD_STATE_URL}" }, guard: { require_reviewed_plan: true } } }\n')
        self.project.list("crew", CREW)
        self.project.write(".gitignore", "/.herald/\n/herald.env\n/herald-plan.*\n")
        owner = {"HERALD_STATE_URL": database.url}
        self.project.herald("state", "init", *E, env=owner).expect(0, "Wrote to herald.yaml")
        self.secrets = {}
        for name, purpose in zip(SECRETS, ("plan", "apply")):
            role = f"{purpose}_{database.name}"
            database.psql(f"CREATE ROLE {role} LOGIN")
            database.psql(self.run("herald", "state", "grants", purpose, role))
            self.secrets[name] = database.url.replace("herald:", f"{role}:")
        self.push("main")

    def run(self, *command):
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=DEADLINE,
            env=variables(PATH=f"{self.root / 'bin'}:{os.environ['PATH']}"))
        assert done.returncode == 0, done.stderr
        return done.stdout

    def push(self, branch):
        git(self.project.folder, "checkout", "--quiet", "-B", branch)
        git(self.project.folder, "add", "--all")
        git(self.project.folder, "commit", "--quiet", "--message", "more")
        git(self.project.folder, "push", "--quiet", "--force", "origin", branch)
        self.branch = branch

    def propose(self, name, audience):
        self.project.campaign(name, audience, title=name)
        self.push(f"add-{name}")

    def merge(self):
        git(self.project.folder, "checkout", "--quiet", "main")
        git(self.project.folder, "merge", "--quiet", "--no-ff", "--message", "merge", self.branch)
        git(self.project.folder, "push", "--quiet", "origin", "main")
        self.branch = "main"
        commit = git(self.project.folder, "rev-parse", "HEAD")
        self.forge.merged[commit] = [self.request(commit)]

    def runner(self):
        """Returns the clone, the commit and the variables of a new runner: no file of it existed before."""
        self.jobs += 1
        home = self.folder / f"runner-{self.jobs}"
        home.mkdir()
        git(home, "clone", "--quiet", "--branch", self.branch, self.folder / "origin", "work")
        own = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config")}
        return home / "work", git(home / "work", "rev-parse", "HEAD"), own

    def comment(self):
        [comment] = self.forge.comments
        return comment["body"]


class OnGitHub(Team):
    def request(self, commit):
        return {"number": 7, "merged_at": "2037-03-20T07:30:00Z", "merge_commit_sha": commit}

    def job(self, name, event, secrets, **more):
        [workflow] = [block for block in documented("GitHub", "jobs") if name in block["jobs"]]
        job = workflow["jobs"][name]
        [inputs] = [step["with"] for step in job["steps"] if step.get("uses") == "OWNER/herald@COMMIT"]
        clone, commit, own = self.runner()
        state = {key: evaluated(value, {"secrets": secrets}) for key, value in job["env"].items()}
        runner = GitHubRunner(self.root, clone, self.forge, clone.parent, more=own | state)
        return runner.run(event, commit, **inputs, **more)

    def review(self):
        return self.job("review", pull_request(), {SECRETS[0]: self.secrets[SECRETS[0]]})

    def apply(self):
        return self.job("apply", {"ref": "refs/heads/main"}, {SECRETS[1]: self.secrets[SECRETS[1]]})

    def review_of_fork(self, address="", refresh="false"):
        return self.job("review", pull_request(fork=True), {SECRETS[0]: address}, refresh=refresh)

    def scheduled(self):
        """Returns the script of the scheduled job, and the variable with the state's address."""
        [campaigns, workflow] = documented("GitHub", "jobs")
        # YAML 1.1 reads the key `on` as true.
        assert workflow[True] == {"schedule": [{"cron": "*/5 * * * *"}]}
        job, apply = workflow["jobs"]["send"], campaigns["jobs"]["apply"]
        assert all(job[key] == apply[key] for key in ("concurrency", "environment", "runs-on"))
        assert not [step for step in job["steps"] if "checkout" in step.get("uses", "")]
        [script] = [step["run"] for step in job["steps"] if "run" in step]
        return script, evaluated(job["env"]["HERALD_STATE_URL"], {"secrets": {SECRETS[1]: self.secrets[SECRETS[1]]}})


class OnGitLab(Team):
    def request(self, _):
        return {"iid": 7, "state": "merged"}

    def job(self, name, secrets, **more):
        [block] = documented("GitLab", "include")
        [include] = block["include"]
        assert include["inputs"] == {"environment": "production"}
        assert f"{name} production" in included(environment="production")
        given = block[f"{name} production"]["variables"]
        clone, commit, own = self.runner()
        state = {key: re.sub(r"\$(\w+)", lambda found: secrets[found[1]], value) for key, value in given.items()}
        return GitLabRunner(self.root, clone, self.forge).run(
            name, "production", CI_COMMIT_SHA=commit, **own, **state, **more)

    def review(self):
        return self.job("herald review", {SECRETS[0]: self.secrets[SECRETS[0]]}, CI_MERGE_REQUEST_IID="7")

    def apply(self):
        return self.job("herald apply", {SECRETS[1]: self.secrets[SECRETS[1]]})

    def review_of_fork(self, address="", refresh="false"):
        projects = {"CI_MERGE_REQUEST_PROJECT_ID": "12", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "13"}
        return self.job(
            "herald review", {SECRETS[0]: address}, settings={"refresh": refresh}, CI_MERGE_REQUEST_IID="7", **projects)

    def scheduled(self):
        [block] = documented("GitLab", "herald send production")
        job = block["herald send production"]
        assert job["variables"]["GIT_STRATEGY"] == "none" and job["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "schedule"'}]
        apply = included(environment="production")["herald apply production"]
        assert job["resource_group"] == apply["resource_group"]
        [rule] = apply["rules"]
        assert rule["if"].endswith('&& $CI_PIPELINE_SOURCE != "schedule"')
        return job["script"], job["variables"]["HERALD_STATE_URL"].replace(f"${SECRETS[1]}", self.secrets[SECRETS[1]])


@pytest.fixture
def emulator(tmp_path):
    """An emulator with the phones of the crew; its project is outside of all clones."""
    with Emulator(Project(tmp_path / "fcm/project")) as emulator:
        emulator.install(CREW)
        yield emulator


@pytest.fixture(params=[(GitHub, OnGitHub), (GitLab, OnGitLab)], ids=["github", "gitlab"])
def team(request, tmp_path, root, emulator, database):  # noqa: F811
    platform, kind = request.param
    with platform() as forge:
        yield kind(tmp_path, root, forge, emulator, database)


@pytest.fixture
def hub(tmp_path, root, emulator, database):  # noqa: F811
    with GitHub() as forge:
        yield OnGitHub(tmp_path, root, forge, emulator, database)


def digest(done):
    return done.outputs.get("digest") or done.outputs.get("HERALD_DIGEST")


def plan(done):
    with open(done.outputs.get("plan-file") or done.outputs["HERALD_PLAN_FILE"]) as file:
        return json.load(file)


def actions(done):
    return {each["campaign"]: each["action"] for each in plan(done)["campaigns"]}


def assert_no_secret(team, *results):
    for done in results:
        assert not [text for text in team.secrets.values() if text in done.out + done.err + done.summary]


# MARK: The flow


@pytest.mark.covers("M12", "M13")
def test_runners_share_only_the_database(team):
    path = "campaigns/registrations/crew.txt"
    team.propose("alert", f"{{ registrations: {path} }}")
    first = team.review().expect(0)
    assert FORM.fullmatch(digest(first)) and actions(first) == {"alert": "send"}
    assert f"<!-- digest {digest(first)} -->" == team.comment().splitlines()[1]
    assert team.log.requests() == []
    # The review has recorded nothing, not even itself.
    assert team.database.psql("SELECT (SELECT count(*) FROM herald.worker), (SELECT count(*) FROM herald.plans)") == "0|0"

    team.merge()
    applied = team.apply().expect(0, "5 accepted")
    assert team.log.accepted() == dict.fromkeys(CREW, 1)

    # The second plan depends on what another runner applied.
    team.propose("tide", "{ topic: tides }")
    second = team.review().expect(0)
    assert actions(second) == {"alert": "unchanged", "tide": "send"}
    assert {request["campaign"] for request in plan(second)["requests"]} == {"tide"}
    assert digest(second).split("@")[1] == "1" and digest(first).split("@")[1] == "0"
    team.merge()
    again = team.apply().expect(0, "1 accepted")
    assert team.log.accepted() == dict.fromkeys(CREW, 1) | {"tides": 1}

    # A job that is started twice, on a third machine.
    team.apply().expect(0, "Already applied")
    assert team.log.accepted() == dict.fromkeys(CREW, 1) | {"tides": 1}
    assert_no_secret(team, first, applied, second, again)
    assert not list(team.folder.glob("runner-*/work/.herald/*.sqlite"))


def test_a_merge_after_another_one_is_stale_on_any_runner(team):
    team.propose("alert", "{ topic: tides }")
    team.review().expect(0)
    team.project.campaign("other", "{ topic: tides }")
    git(team.project.folder, "checkout", "--quiet", "main")
    team.push("main")
    team.branch = "add-alert"
    team.merge()
    team.apply().expect(5, "is not recorded here")
    assert team.log.sends() == []


def test_a_scheduled_job_sends_what_another_runner_applied(team, tmp_path):
    team.project.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30")
    team.push("main")
    clone, _, own = team.runner()
    address = {"HERALD_STATE_URL": team.secrets[SECRETS[1]]}
    before, due = "2037-03-01T12:00:00Z", "2037-03-20T07:34:00Z"
    copy = Project.of(clone)
    expected = copy.plan(*E, now=before, env=own | address)["digest"]
    copy.herald("apply", "--expect", expected, *E, now=before, env=own | address).expect(0)

    script, state = team.scheduled()
    assert state == team.secrets[SECRETS[1]]
    for words in ("1 accepted", "Nothing is due."):
        empty = tmp_path / f"empty-{words[0]}"
        empty.mkdir()
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=empty, capture_output=True, text=True, timeout=DEADLINE,
            env=variables(due, PATH=f"{team.root / 'bin'}:{os.environ['PATH']}", HOME=str(empty), XDG_STATE_HOME=str(empty),
                          HERALD_STATE_URL=state))
        assert done.returncode == 0 and words in done.stdout, done.stdout + done.stderr
    assert team.log.accepted() == {"tides": 1}


# MARK: Forks


def test_a_fork_gets_a_plan_without_the_state(team):
    team.propose("alert", "{ registrations: campaigns/registrations/crew.txt }")
    team.review().expect(0)
    team.merge()
    team.apply().expect(0, "5 accepted")
    comments, asked = [dict(each) for each in team.forge.comments], list(team.forge.asked)
    before = team.log.bytes()

    team.propose("stranger", "{ topic: tides }")
    # An address is not even read: nothing listens there. Memberships are never read from FCM.
    for address, refresh in (("", "false"), ("", "true"), ("postgres://nobody.invalid/push", "false"), ("no address", "false")):
        done = team.review_of_fork(address, refresh).expect(0)
        shown = done.summary or (team.folder / f"runner-{team.jobs}" / "work" / "herald-plan.md").read_text()
        assert "Planned without the state" in shown and "cannot be applied" in shown and "Digest" not in shown
        assert not FORM.search(shown)
        found = plan(done)
        assert found["state"] == "unknown" and not {"digest", "lineage", "reviewed"} & set(found)
        # It does not know that the first campaign was sent.
        assert actions(done) == {"alert": "send", "stranger": "send"}
        assert not digest(done)
    # No comment, no request, and no plan that an apply would accept.
    assert (team.forge.comments, team.forge.asked) == (comments, asked) and team.log.bytes() == before
    clone, _, own = team.runner()
    (clone / "fork.json").write_text(json.dumps(found))
    env = own | {"HERALD_STATE_URL": team.secrets[SECRETS[1]]}
    Project.of(clone).herald("apply", "--expect", clone / "fork.json", *E, env=env).expect(
        1, "was planned without the state")
    assert team.log.bytes() == before


def test_a_fork_with_invalid_files_fails(hub):
    hub.propose("alert", "{ topic: tydes }")
    done = hub.review_of_fork().expect(65)
    assert any("tydes" in line for line in done.annotations) and hub.forge.comments == []


def test_a_plan_without_the_state_shows_past_times_as_not_sent(hub):
    hub.project.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30")
    due = "2037-03-20T07:31:00Z"
    writing = {"HERALD_STATE_URL": hub.secrets[SECRETS[1]]}
    expected = hub.project.plan(*E, now=due, env=writing)["digest"]
    hub.project.herald("apply", "--expect", expected, *E, now=due, env=writing).expect(0, "1 accepted")
    later = "2037-03-21T12:00:00Z"
    [known] = hub.project.plan(*E, now=later, env=writing)["campaigns"]
    assert known["action"] == "unchanged"
    hub.project.herald("plan", "--without-state", *E, now=later).expect(
        0, "tide is too late; nothing is sent", "passed appears as not sent")
    [unknown] = hub.project.plan("--without-state", *E, now=later)["campaigns"]
    assert unknown["action"] == "expire"


@pytest.mark.parametrize("kind, words", [
    ("text", "No digest: planned without the state."), ("markdown", "**Planned without the state"),
    ("html", "<strong>Planned without the state"), ("json", '"state": "unknown"')])
def test_each_format_says_that_the_state_is_unknown(hub, kind, words, tmp_path):
    hub.project.campaign("alert", "{ topic: tides }")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    first = hub.project.herald("plan", "--without-state", "--format", kind, *E, env={"TMPDIR": str(temporary)})
    assert not FORM.search(first.expect(0, words).out) and not list(temporary.iterdir())
    hub.project.herald("plan", "--without-state", "--detailed-exitcode", *E).expect(2)
    hub.project.herald("plan", "--without-state", "--refresh", *E).expect(64, "--refresh needs the state")
    # A plan in the same place may be replaced.
    for _ in range(2):
        hub.project.herald("plan", "--without-state", "--out", "plan.json", *E, cwd=hub.project.folder).expect(0, "Wrote")


# MARK: Roles


def as_role(team, name, sql):
    """Runs SQL as the role of a job."""
    return subprocess.run(
        [program("psql"), "-X", "-q", "-A", "-t", "-d", team.secrets[name], "-c", sql], capture_output=True, text=True,
        timeout=DEADLINE)


def tables(team):
    return team.database.psql(
        "SELECT relname FROM pg_class WHERE relnamespace = 'herald'::regnamespace AND relkind IN ('r', 'p')").split()


def test_the_review_role_reads_no_registration_and_writes_nothing(hub):
    hub.project.write(
        "campaigns/crew.yaml", "audience: crew\nregistrations: campaigns/registrations/crew.txt\nsubscribe: [tides]\n")
    hub.propose("alert", "{ registrations: campaigns/registrations/crew.txt }")
    hub.review().expect(0)
    hub.merge()
    hub.apply().expect(0, "5 joined", "5 accepted")
    # The beginning of a stored registration: the state packs them.
    packed = hub.database.psql("SELECT encode(substring(registrations FROM 10 FOR 20), 'hex') FROM herald.registration_pages")
    assert len(packed) == 40
    readable = set()
    for table in tables(hub):
        columns = hub.database.psql(
            f"SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = 'herald.{table}'::regclass "
            f"AND attnum > 0 AND has_column_privilege('plan_{hub.database.name}', attrelid, attnum, 'SELECT')")
        refused = as_role(hub, SECRETS[0], f"DELETE FROM herald.{table}")
        assert refused.returncode and "permission denied" in refused.stderr, table
        if not columns:
            refused = as_role(hub, SECRETS[0], f"SELECT * FROM herald.{table}")
            assert "permission denied" in refused.stderr, table
            continue
        readable.add(table)
        rows = as_role(hub, SECRETS[0], f"SELECT {columns} FROM herald.{table}")
        assert rows.returncode == 0 and not re.search(f"{SECRET}|{SECRET.encode().hex()}|{packed}", rows.stdout), table
    assert {"meta", "units", "membership_chunks"} <= readable
    assert not {"list_chunks", "registration_pages", "people_chunks", "message_ids", "plans"} & readable
    # It plans memberships like the owner.
    env = {"HERALD_STATE_URL": hub.secrets[SECRETS[0]]}
    hub.project.list("crew", CREW[1:])
    mine = hub.project.plan(*E, env=env)
    assert mine["digest"] == hub.project.plan(*E, env={"HERALD_STATE_URL": hub.database.url})["digest"]
    assert mine["summary"]["leaves"] == 1
    for command in (["apply", "--yes"], ["pause"], ["plan", "--refresh"]):
        hub.project.herald(*command, *E, env=env).expect(1, "lacks a privilege: permission denied for table")


def test_the_apply_role_changes_no_tables(hub):
    for sql in ("CREATE TABLE herald.more ()", "DROP TABLE herald.pauses", "ALTER TABLE herald.pauses ADD more int",
                "TRUNCATE herald.pauses", "CREATE SCHEMA more"):
        done = as_role(hub, SECRETS[1], sql)
        assert done.returncode and ("permission denied" in done.stderr or "must be owner" in done.stderr), (sql, done)
    hub.project.campaign("tide", "{ topic: tides }")
    env = {"HERALD_STATE_URL": hub.secrets[SECRETS[1]]}
    expected = hub.project.plan(*E, env=env)["digest"]
    hub.project.herald("apply", "--expect", expected, *E, env=env).expect(0, "1 accepted")
    for command in (["status"], ["history"], ["state", "list"], ["pause", "tide"], ["resume", "tide"], ["run", "--once"]):
        hub.project.herald(*command, *E, env=env).expect(0)
    # Its plans are kept, so that a stale digest names the differences.
    hub.project.campaign("tide", "{ topic: tides }", title="Other")
    stale = hub.project.plan(*E, env=env)["digest"]
    hub.project.campaign("tide", "{ topic: tides }", title="Third")
    hub.project.herald("apply", "--expect", stale, *E, env=env).expect(5, "differs from the reviewed plan")


def test_a_plan_that_needs_a_list_names_the_missing_right(hub):
    """The rest of an interrupted send is in the stored list."""
    crowd = [token(n, "crowd") for n in range(3_000)]
    hub.emulator.install(crowd)
    hub.project.campaign("alert", f"{{ registrations: {hub.project.list('crowd', crowd)} }}")
    reading, writing = ({"HERALD_STATE_URL": hub.secrets[name]} for name in SECRETS)
    expected = hub.project.plan(*E, env=writing)["digest"]
    with hub.project.start("apply", "--expect", expected, "--drain-timeout", 1, *E, env=writing) as apply:
        hub.log.wait_for(100)
        hub.emulator.stop_with_unread_requests()
        apply.signal(signal.SIGINT).finish(15).expect(130)
        hub.emulator.process.send_signal(signal.SIGCONT)
    refused = hub.project.herald("plan", *E, env=reading).expect(1, "lacks a privilege: permission denied for table list_chunks")
    assert "Digest" not in refused.out
    hub.project.herald("plan", *E, env=writing).expect(0, "resumes")
    # When the send has ended, a plan needs no list.
    assert hub.project.herald("apply", "--expect", expected, *E, env=writing).code in (0, 4)
    hub.project.herald("plan", *E, env=reading).expect(0, "Digest")


def test_a_plan_with_frequency_caps_needs_one_more_right(hub):
    settings = (hub.project.folder / "herald.yaml").read_text()
    hub.project.write("herald.yaml", settings.replace("guard: { ", 'guard: { per_recipient: { day: 1 }, '))
    hub.project.campaign("alert", "{ registrations: campaigns/registrations/crew.txt }")
    reading, writing = ({"HERALD_STATE_URL": hub.secrets[name]} for name in SECRETS)
    expected = hub.project.plan(*E, env=writing)["digest"]
    hub.project.herald("apply", "--expect", expected, *E, env=writing).expect(0, "5 accepted")
    hub.project.campaign("again", "{ registrations: campaigns/registrations/crew.txt }")
    hub.project.herald("plan", *E, env=reading).expect(
        1, "lacks a privilege: permission denied for table people_chunks", "--frequency-caps")
    grants = ("herald", "state", "grants", "plan", "--frequency-caps", f"plan_{hub.database.name}")
    # Running the SQL again keeps the right.
    for _ in range(2):
        hub.database.psql(hub.run(*grants))
    found = hub.project.plan(*E, env=reading)
    assert found["digest"] == hub.project.plan(*E, env=writing)["digest"]
    assert "again" in {each["campaign"] for each in found["campaigns"]}
    run("state", "grants", "apply", "--frequency-caps", "herald_apply").expect(64, "--frequency-caps requires plan")
