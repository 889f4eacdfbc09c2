"""Staging and production of one repository in continuous integration: nothing meant for one reaches the other.

Each environment has its own Firebase project, server, service account, lists, defaults and campaigns. The servers are
emulators in separate processes. Their request logs on disk are the only evidence of what was sent.
"""

import json
import shutil
from collections import Counter
from contextlib import ExitStack

import pytest

from accounts import make_key
from herald import Emulator, Project, token
from runner import GitHub, GitHubRunner, GitLab, GitLabRunner
from test_ci import git, pull_request, root  # noqa: F401

STAGING, PRODUCTION = "staging", "production"
# The Firebase project of each environment.
FIREBASE = {STAGING: "harbour-staging", PRODUCTION: "harbour-b5ae1"}
# The registrations that each environment may address. No environment may address the last one: it is in the lists
# that the `audience:` documents name, which `lists:` replaces.
S1, S2, S3 = (token(number, "staging") for number in (1, 2, 3))
P1, P2, P3, P4 = (token(number, "production") for number in (1, 2, 3, 4))
UNUSED = token(1, "unused")
MAY_ADDRESS = {STAGING: {S1, S2, S3}, PRODUCTION: {P1, P2, P3, P4}}

LISTS = {"staging-anglers": [S1, S2], "staging-skippers": [S3], "anglers": [P1, P2, P3], "skippers": [P4],
         "unused": [UNUSED]}
FILES = {
    "herald.yaml": """\
version: 1
project: harbour
topics: { tides: { reach: 100 }, drills: { reach: 10 }, regatta: { reach: 100 } }
defaults: { delivery: { ttl: 4h, priority: high } }
environments:
  staging:
    fcm: { project_id: harbour-staging, credentials: env:STAGING_KEY, endpoint: 'URL-OF-STAGING' }
    settle: 0s
    lists:
      anglers: campaigns/registrations/staging-anglers.txt
      skippers: campaigns/registrations/staging-skippers.txt
    defaults: { delivery: { ttl: 1h }, message: { android: { priority: NORMAL } } }
    except: { labels: { size: large } }
  production:
    fcm: { project_id: harbour-b5ae1, credentials: application-default, endpoint: 'URL-OF-PRODUCTION' }
    settle: 0s
    protected: true
    guard: { require_reviewed_plan: true }
    lists:
      anglers: campaigns/registrations/anglers.txt
      skippers: campaigns/registrations/skippers.txt
    only: { labels: { stage: ready } }
""",
    "campaigns/anglers.yaml":
        "audience: anglers\nregistrations: campaigns/registrations/unused.txt\nsubscribe: [tides]\n",
    "campaigns/skippers.yaml":
        "audience: skippers\nregistrations: campaigns/registrations/unused.txt\nsubscribe: [regatta]\n",
}
# The keys of each campaign except `campaign` and `message`. The message's title is the campaign's name.
CAMPAIGNS = {
    "alert": "labels: { stage: ready }\naudience: anglers\n",
    "tide": "labels: { stage: ready }\naudience: { topic: tides }\ndelivery: { ttl: 2h }\n",
    "idea": "audience: anglers\n",
    "probe": "labels: { stage: ready }\nenvironments: [staging]\naudience: skippers\n",
    "drill": "labels: { stage: ready }\nenvironments: [staging]\naudience: { topic: drills }\n",
    "gala": "labels: { stage: ready, size: large }\naudience: skippers\n",
    "race": "labels: { stage: ready, size: large }\naudience: { topic: regatta }\n",
}


@pytest.fixture
def servers(tmp_path):
    """Returns the emulator of each environment, which accepts only tokens of the environment's service account.

    Each emulator has all registrations, so it would accept a message that is meant for the other one.
    """
    with ExitStack() as stack:
        found = {}
        for name, firebase in FIREBASE.items():
            project = Project(tmp_path / f"fcm-{name}/project")
            found[name] = stack.enter_context(Emulator(project, arguments=["--require-tokens"]))
            found[name].install([S1, S2, S3, P1, P2, P3, P4, UNUSED])
            found[name].key, _ = make_key(project, f"robot@{firebase}.iam.gserviceaccount.com")
        yield found


class Team:
    """A repository with its platform, and a runner that keeps the states of both environments."""

    def __init__(self, folder, servers, forge):
        self.servers, self.forge = servers, forge
        self.logs = {name: server.project.log for name, server in servers.items()}
        git(folder, "init", "--quiet", "--bare", "origin")
        git(folder, "clone", "--quiet", "origin", "author")
        git(folder, "clone", "--quiet", "origin", "runner")
        self.project, self.clone = Project(folder / "author"), folder / "runner"
        for name, registrations in LISTS.items():
            self.project.list(name, registrations)
        for path, text in FILES.items():
            for name, server in servers.items():
                text = text.replace(f"URL-OF-{name.upper()}", server.url)
            self.project.write(path, text)
        self.project.write(".gitignore", "/.herald/\n/herald.env\n/herald-plan.*\n")
        self.push("main")
        Project.of(self.clone).name_states(*FIREBASE)
        shutil.copy(self.clone / "herald.yaml", self.project.folder)
        self.push("main")
        # Every job has the credentials of both environments.
        self.variables = {
            "STAGING_KEY": servers[STAGING].key.read_text(),
            "GOOGLE_APPLICATION_CREDENTIALS": str(servers[PRODUCTION].key)}

    def push(self, branch):
        """Pushes the author's files. The runner checks them out and keeps its other files."""
        author = self.project.folder
        git(author, "checkout", "--quiet", "-B", branch)
        git(author, "add", "--all")
        git(author, "commit", "--quiet", "--message", "more")
        git(author, "push", "--quiet", "--force", "origin", branch)
        self.checkout()

    def checkout(self):
        self.commit = git(self.project.folder, "rev-parse", "HEAD")
        git(self.clone, "fetch", "--quiet", "origin")
        git(self.clone, "checkout", "--quiet", "--force", "--detach", self.commit)

    def propose(self, *names):
        """Pushes campaigns to the branch of the request."""
        for name in names:
            self.project.write(
                f"campaigns/{name}.yaml",
                f"campaign: {name}\n{CAMPAIGNS[name]}message: {{ notification: {{ title: {name} }} }}\n")
        self.push("change")

    def merge(self):
        author = self.project.folder
        git(author, "checkout", "--quiet", "main")
        git(author, "merge", "--quiet", "--no-ff", "--message", "merge", "change")
        git(author, "push", "--quiet", "origin", "main")
        self.checkout()
        self.forge.merged[self.commit] = [self.merged_request()]

    def edit(self, path, before, after):
        file = self.project.folder / path
        assert file.read_text().count(before) == 1
        file.write_text(file.read_text().replace(before, after))

    def sent(self, name):
        """Returns how often each title was accepted for each target of an environment's server."""
        messages = [entry["body"]["message"] for entry in self.logs[name].sends() if entry["status"] == 200]
        return Counter(
            (message.get("token") or message["topic"], message["notification"]["title"]) for message in messages)


class OnGitHub(Team):
    def __init__(self, folder, servers, forge, root):
        super().__init__(folder, servers, forge)
        self.runner = GitHubRunner(root, self.clone, forge, folder, more=self.variables)

    def merged_request(self):
        return {"number": 7, "merged_at": "2037-03-20T07:30:00Z", "merge_commit_sha": self.commit}

    def review(self, environment, **inputs):
        return self.runner.run(pull_request(), self.commit, environment=environment, **inputs)

    def apply(self, environment, **inputs):
        event = {"ref": "refs/heads/main"}
        return self.runner.run(event, self.commit, command="apply", environment=environment, **inputs)


class OnGitLab(Team):
    def __init__(self, folder, servers, forge, root):
        super().__init__(folder, servers, forge)
        self.runner = GitLabRunner(root, self.clone, forge)

    def merged_request(self):
        return {"iid": 7, "state": "merged"}

    def review(self, environment, **inputs):
        return self.run("herald review", environment, inputs, CI_MERGE_REQUEST_IID="7")

    def apply(self, environment, **inputs):
        return self.run("herald apply", environment, inputs)

    def run(self, job, environment, inputs, **more):
        return self.runner.run(job, environment, inputs, CI_COMMIT_SHA=self.commit, **self.variables, **more)


@pytest.fixture(params=[(GitHub, OnGitHub), (GitLab, OnGitLab)], ids=["github", "gitlab"])
def team(request, tmp_path, servers, root):
    platform, kind = request.param
    with platform() as forge:
        yield kind(tmp_path, servers, forge, root)


# How often each title is accepted for each target.
SENT = {
    STAGING: {
        (S1, "alert"): 1, (S2, "alert"): 1, (S1, "idea"): 1, (S2, "idea"): 1, (S3, "probe"): 1,
        ("tides", "tide"): 1, ("drills", "drill"): 1},
    PRODUCTION: {
        (P1, "alert"): 1, (P2, "alert"): 1, (P3, "alert"): 1, (P4, "gala"): 1,
        ("tides", "tide"): 1, ("regatta", "race"): 1}}
JOINED = {
    STAGING: {"/topics/tides": [S1, S2], "/topics/regatta": [S3]},
    PRODUCTION: {"/topics/tides": [P1, P2, P3], "/topics/regatta": [P4]}}
# The lifetime and Android's priority of each title: a campaign's own value, otherwise the environment's default,
# otherwise the project's default.
VALUES = {
    STAGING: {
        "alert": ("3600s", "NORMAL"), "idea": ("3600s", "NORMAL"), "probe": ("3600s", "NORMAL"),
        "tide": ("7200s", "NORMAL"), "drill": ("3600s", "NORMAL")},
    PRODUCTION: {
        "alert": ("14400s", "HIGH"), "gala": ("14400s", "HIGH"), "tide": ("7200s", "HIGH"), "race": ("14400s", "HIGH")}}


def assert_requests_name_only_their_environment(team, name):
    """Checks every request of any kind that reached an environment's server."""
    other = PRODUCTION if name == STAGING else STAGING
    text = json.dumps(team.logs[name].requests())
    assert not [registration for registration in MAY_ADDRESS[other] | {UNUSED} if registration in text]
    assert FIREBASE[name] in text and FIREBASE[other] not in text
    assert {(entry["path"], entry["status"]) for entry in team.logs[name].sends()} == {
        (f"/v1/projects/{FIREBASE[name]}/messages:send", 200)}
    accounts = {one["account"] for one in team.servers[name].get("/emulator/v1/auth/tokens")["tokens"]}
    assert accounts == {f"robot@{FIREBASE[name]}.iam.gserviceaccount.com"}


@pytest.mark.covers("M12", "M13")
def test_nothing_meant_for_one_environment_reaches_the_other(team):
    team.propose(*CAMPAIGNS)
    for name in FIREBASE:
        team.review(name).expect(0)
    team.merge()
    assert [log.requests() for log in team.logs.values()] == [[], []]

    team.apply(PRODUCTION).expect(0, "4 joined, 6 accepted")
    assert team.logs[STAGING].requests() == []
    before = team.logs[PRODUCTION].bytes()
    team.apply(STAGING).expect(0, "3 joined, 7 accepted")
    assert team.logs[PRODUCTION].bytes() == before

    for name, log in team.logs.items():
        assert team.sent(name) == SENT[name]
        joined = {body["to"]: body["registration_tokens"] for body in log.batches("batchAdd")}
        assert joined == JOINED[name] and log.batches("batchRemove") == []
        assert set(log.asked()) == MAY_ADDRESS[name]
        messages = [entry["body"]["message"] for entry in log.sends()]
        found = {(one["notification"]["title"], one["android"]["ttl"], one["android"]["priority"]) for one in messages}
        assert found == {(title, *values) for title, values in VALUES[name].items()}
        assert_requests_name_only_their_environment(team, name)


def visible(comment):
    """Returns the lines of a comment that a reader sees."""
    return [line for line in comment["body"].splitlines() if line and not line.startswith("<!--")]


def destination(team, name):
    protection = "protected" if name == PRODUCTION else "not protected"
    return f"Destination: `{name}`, project ID `{FIREBASE[name]}`, `{team.servers[name].url}`, **{protection}**"


def named(comment):
    """Returns the campaigns that a comment names."""
    return {name for name in CAMPAIGNS if f"<b><code>{name}</code></b>" in comment["body"]}


@pytest.mark.covers("M12")
def test_each_environment_keeps_its_own_comment(team):
    team.propose(*CAMPAIGNS)
    team.review(STAGING).expect(0)
    [staging] = team.forge.comments
    first = staging["body"]
    team.review(PRODUCTION).expect(0)
    [same, production] = team.forge.comments
    assert same is staging and staging["body"] == first
    assert visible(staging)[:2] == [destination(team, STAGING), "### Plan for `staging` of `harbour`"]
    assert visible(production)[:2] == [destination(team, PRODUCTION), "### Plan for `production` of `harbour`"]
    assert named(staging) == {"alert", "tide", "idea", "probe", "drill"}
    assert named(production) == {"alert", "tide", "gala", "race"}

    # Only staging's plan changes. Each review updates the comment of its environment.
    team.edit("herald.yaml", "ttl: 1h", "ttl: 3h")
    team.push("change")
    before = production["body"]
    team.review(STAGING).expect(0)
    assert "kept up to 3h" in staging["body"] and "kept up to 3h" not in first
    assert production["body"] == before
    second = staging["body"]
    team.review(PRODUCTION).expect(0)
    assert staging["body"] == second
    assert production["body"].splitlines()[:2] == before.splitlines()[:2], "the digest covers no value of staging"
    assert len(team.forge.comments) == 2
    assert [method for method in team.forge.writes() if method == "POST"] == ["POST", "POST"]


def test_inputs_reach_herald_for_their_environment_only(team):
    """Both environments were applied, and the app of a registration on each server has unsubscribed since then."""
    team.propose("alert", "idea", "gala")
    for name in FIREBASE:
        team.review(name).expect(0)
    team.merge()
    for name in FIREBASE:
        team.apply(name).expect(0)
    team.servers[STAGING].unsubscribe(S1)
    team.servers[PRODUCTION].unsubscribe(P1)
    begin = {name: len(log.bytes()) for name, log in team.logs.items()}

    team.propose("tide", "drill", "race")
    inputs = {STAGING: {"only": "tide", "refresh": "true"}, PRODUCTION: {"except": "race"}}
    staging = team.review(STAGING, **inputs[STAGING]).expect(0)
    assert "opted out" in staging.out + staging.err
    production = team.review(PRODUCTION, **inputs[PRODUCTION]).expect(0)
    assert "opted out" not in production.out + production.err
    assert Counter(team.logs[STAGING].asked(begin[STAGING])) == {S1: 1, S2: 1, S3: 1}
    assert team.logs[PRODUCTION].requests(begin[PRODUCTION]) == []
    assert [named(comment) for comment in team.forge.comments[2:]] == [{"tide"}, {"tide"}]
    assert [visible(comment)[0] for comment in team.forge.comments[2:]] == [
        destination(team, STAGING), destination(team, PRODUCTION)]

    # `alert` and `tide` are due at the same time, which is a warning.
    shown = team.forge.comments[2]["body"]
    team.review(PRODUCTION, **inputs[PRODUCTION], **{"deny-warnings": "true"}).expect(65)
    assert visible(team.forge.comments[3]) == [
        "There is no plan for `production`: `herald validate` found problems. See the log."]
    assert team.forge.comments[2]["body"] == shown
    team.review(PRODUCTION, **inputs[PRODUCTION]).expect(0)

    team.merge()
    for name in FIREBASE:
        team.apply(name, **inputs[name]).expect(0, "1 accepted")
    assert Counter(team.logs[STAGING].asked(begin[STAGING])) == {S1: 2, S2: 2, S3: 2}
    assert team.logs[PRODUCTION].asked(begin[PRODUCTION]) == []
    assert team.sent(STAGING) == {
        (S1, "alert"): 1, (S2, "alert"): 1, (S1, "idea"): 1, (S2, "idea"): 1, ("tides", "tide"): 1}
    assert team.sent(PRODUCTION) == {
        (P1, "alert"): 1, (P2, "alert"): 1, (P3, "alert"): 1, (P4, "gala"): 1, ("tides", "tide"): 1}
    for name in FIREBASE:
        assert_requests_name_only_their_environment(team, name)


def test_audience_without_a_list_of_its_environment_fails_the_job(team):
    """The list is removed after the review, so the apply has the digest of a plan."""
    team.propose(*CAMPAIGNS)
    for name in FIREBASE:
        team.review(name).expect(0)
    team.edit("herald.yaml", "      skippers: campaigns/registrations/skippers.txt\n", "")
    team.push("change")
    team.merge()
    done = team.apply(PRODUCTION).expect(
        65, "error[environment-list]", "campaigns/skippers.yaml:1:11",
        "audience `skippers` has no list in the environment `production`",
        "add `skippers: FILE` to `lists` of `environments.production`")
    assert "accepted" not in done.out
    assert [log.requests() for log in team.logs.values()] == [[], []]

    # A review of the same commit fails, too. Its comment then has no digest, so nothing can be applied.
    assert "audience `skippers` has no list in the environment `production`" in team.review(PRODUCTION).expect(65).out
    team.apply(PRODUCTION).expect(1, "no reviewed plan was found for this commit")
    assert [log.requests() for log in team.logs.values()] == [[], []]
