"""Every command in the documentation and in the help runs: its commands, options and arguments exist.

A command ends with 0, or as EXPECTED states: some need a server, or something that only the reader has.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from documented import all_commands, replaced
from herald import DEADLINE, ROOT, Project, Result, binary, fingerprint, variables

# A service, an emulator, or a display runs until it is ended.
LASTING = re.compile(r"herald run (?!--once)|herald emulator($| --)|--watch")
# By a fragment of a command, the code and a fragment of the output. The first that fits counts.
UNREACHABLE = (1, "cannot be reached")
EXPECTED = [
    # They need other machines.
    ("--goog-json", 1, "goog.json"), ("doctor --network", 1, "mtalk.google.com"), ("--to '${HERALD_STATE_URL}'", *UNREACHABLE),
    ("run --state '${HERALD_STATE_URL}'", *UNREACHABLE), ("--due --state '${HERALD_STATE_URL}'", *UNREACHABLE),
    ("emulator make-phones 3 phones.csv --project-id", 1, "cannot be queried"),
    # They need a state in PostgreSQL.
    ("state migrate --to", 64, "moves a state from a file to PostgreSQL or back"),
    # They need a send with an unknown outcome, with recorded IDs, or with this list.
    ("resolve catch-log", 64, "there is no occurrence"), ("herald resolve", 1, "has no unknown outcomes"),
    ("--join registrations/beta.csv", 1, "could be joined"),
    ("history 12 --ids", 1, "recorded no message IDs"),
    # They need an experiment or a rollout that was sent, or outcomes of one.
    ("explain spring-sale --baseline", 64, "compares nothing"), ("results spring-sale", 64, "has sent no experiment"),
    ("results import purchases.csv", 1, "cannot read purchases.csv"), ("results import - -e", 65, "has no rows"),
    ("rollout continue", 1, "no rollout of"), ("rollout abort", 1, "no rollout of"),
    # It asks on a terminal only.
    ("once/1 --plan", 0, "Recall of"), ("--confirm spring-tide", 0, "Applied: 1 accepted"), ("herald recall", 64, "cannot ask for the name"),
    # They need an environment that receives messages.
    ("herald listen --http", 64, "needs --hmac-key"),
    ("herald listen", 64, "does not declare `upstream`"),
    # They need messages that a sender has sent, another emulator, or a list of the reader.
    ("--at-most 0", 0, ""), ("herald emulator assert", 1, ""), ("herald emulator wait", 1, ""), ("make-phones 3", 1, "127.0.0.1"),
    ("preview not-yet", 64, ""),
    # They need rules of approvals.
    ("herald approve", 1, "no approvals are needed in"),
    # They need messages that a sender sends while they wait, or other numbers of them.
    ("emulator wait", 1, "matching"), ("--at-most 0", 0, "0 matching"), ("emulator assert", 1, "matching"),
    # The campaigns have warnings.
    ("--deny-warnings", 65, "::warning"),
    # There are changes.
    ("--detailed-exitcode", 2, ""),
    # The state may have lost sends.
    ("state recover --rolled-back", 4, ""),
]
TOKEN = "eva-iphone:APA91b-tidewatch-0005"
PHONES = ("phone.txt", "phones.txt", "people.txt", "working.txt", "tablet.txt", "returned.txt")


def build(folder):
    """Makes the example project, with an apply and more environments and lists, below a folder."""
    project = Project(folder / "project")
    for name in ("campaigns", "populations", "schemas"):
        shutil.copytree(ROOT / name, project.folder / name, dirs_exist_ok=True)
    more = "".join(f"  {name}:\n    emulator: {{}}\n" for name in ("production", "staging", "bench"))
    project.write("herald.yaml", (ROOT / "herald.yaml").read_text() + more)
    for name in PHONES:
        project.write(name, TOKEN + "\n")
    project.write("people.txt", f"{TOKEN}\ncaro-chrome:APA91b-tidewatch-0003\n")
    project.write("beta.csv", f"registration,user,locale\n{TOKEN},ana,pt\n")
    project.write("faults.json", '{"rules": []}\n')
    project.write("goog.json", '{"prefixes": [{"ipv4Prefix": "8.8.4.0/24"}]}\n')
    for path in ("campaigns/tides.yaml", "campaigns/spring/neap.yaml", "campaigns/summer/heat.yaml"):
        name = Path(path).stem
        project.write(path, f"campaign: {name}\nlabels: {{ team: growth }}\naudience: {{ topic: tides }}\n"
                      f'message: {{ notification: {{ title: {name} }} }}\nschedule: {{ at: "2037-05-0{len(name)} 10:07" }}\n')
    for folder in ("home.local/share/bash-completion/completions", "home.config/fish/completions", "home.zfunc", "lists"):
        (project.folder / folder).mkdir(parents=True)
    for environment in ("local", "production", "staging"):
        project.apply("-e", environment).expect(0)
    project.write("campaigns/draft-wind.yaml", "campaign: wind\naudience: { topic: tides }\n"
                  'message: { notification: { title: Wind } }\nschedule: { at: "2037-05-02 11:13" }\n')
    # What pages about moving to Herald declare.
    for file, name in (("members", "LeavingPinpoint"), ("storm-warning", "LeavingAnSDKScript")):
        page = (ROOT / f"Documentation/Guide/{name}.md").read_text()
        project.write(f"campaigns/{file}.yaml", re.search(r"```yaml\n(.*?)```", page, re.DOTALL)[1])
    project.write("registrations/members.csv", f"registration,user,timezone,locale\n{TOKEN},ana,Europe/Lisbon,pt\n")
    project.write("registrations/skippers.csv", f"registration,name\n{TOKEN},Ana\n")
    project.herald("groups", "create", "family-7", "@people.txt", cwd=project.folder).expect(0)
    project.herald("state", "pull", "backup.sqlite", cwd=project.folder).expect(0)
    project.herald("state", "pull", "copy.sqlite", cwd=project.folder).expect(0)
    return project.folder


@pytest.fixture(scope="module")
def world(once, tmp_path_factory):
    return once("documented", lambda: build(tmp_path_factory.mktemp("documented")))


def last(command, folder, environment):
    """Runs a command that lasts, and ends it as a user does."""
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command}"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=DEADLINE)
    return Result(process.returncode, out, "")


@pytest.mark.parametrize("command", [command for command, _ in all_commands()])
def test_the_command_runs(world, tmp_path, command):
    folder = tmp_path / "project"
    shutil.copytree(world, folder)
    project = Project.of(folder)
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "herald").symlink_to(binary())
    # The clipboard, and a server that takes what roles need.
    for name, text in (("pbpaste", f"echo {TOKEN}"), ("psql", "grep -q GRANT")):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    environment = variables() | {
        "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "seen"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "HERALD_STATE_URL": "postgres://herald@127.0.0.1:1/push",
        "OWNER_URL": "postgres://owner@127.0.0.1:1/push"}
    seen = {"XDG_STATE_HOME": str(tmp_path / "seen")}
    named = next(iter(re.findall(r"-e (production|staging)", command)), "local")
    key = project.rows("SELECT fingerprint_key FROM meta", named)[0][0]
    line = replaced(command, project.plan("-e", named, env=seen)["digest"], fingerprint(key, TOKEN).hex()[:16])
    if line.startswith("herald apply") and not re.search("--(yes|due|expect|dry-run)", line):
        line = line.replace("herald apply", "herald apply --yes", 1)
    if re.search("--expect plan.json|approve plan.json", line):
        project.herald("plan", "--out", "plan.json", "-e", named, cwd=folder, env=seen).expect(0)
    if "--head HEAD" in line:
        line = line.replace("HEAD", re.search(r"\d+@[0-9a-f]+", project.herald("history", env=seen).out)[0])
    if "emulator wait" in line and "--timeout" not in line:
        line += " --timeout 1s"
    if "groups create" in line:
        line = line.replace("family-7", "family-8")
    if "state push" in line:
        project.herald("state", "pull", line.split()[3], "--force", "-e", named, cwd=folder, env=seen).expect(0)
    if "state pull" in line and "--force" not in line:
        (folder / line.split()[3]).unlink()
    if line.startswith("herald init"):
        folder = tmp_path / "new"
        folder.mkdir()
    if LASTING.search(line):
        result = last(line, folder, environment)
        # Another program may use the port of a default.
        assert result.code in (0, 130) or UNREACHABLE[1] in result.out or re.search("port 9099 is in use|another process listens", result.out), result
        return
    asked = line + " <<<yes" if " < " not in line and "|" not in line else line
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", asked], cwd=folder, env=environment, capture_output=True, text=True, timeout=DEADLINE * 2)
    result = Result(done.returncode, done.stdout, done.stderr)
    assert TOKEN not in done.stdout + done.stderr and "Fatal error" not in done.stderr, result
    code, message = next(((code, text) for part, code, text in EXPECTED if part in command), (0, ""))
    result.expect(code, message)
