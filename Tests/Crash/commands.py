"""Promises about single commands, for the mutants that no kill shows."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import Project  # noqa: E402
from traces import trace, written_files  # noqa: E402

# `beta` is a test topic. A condition may name it in any place.
CONDITIONS = (
    "'beta' in topics || 'tides' in topics", "'tides' in topics || 'beta' in topics",
    "'tides' in topics && ('azores' in topics || 'beta' in topics)")
# What must happen to a file that another file replaces, in this order.
SAFELY_REPLACED = ["written", "synced", "named", "name synced"]


def environment(mutant):
    return {"HERALD_MUTANT": mutant} if mutant else {}


def test_topic_problems(folder, mutant=None):
    """Returns the conditions with a test topic that a protected environment accepts."""
    project = Project(Path(folder) / "project")
    project.write(
        "herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, azores: {}, beta: { test: true } }\n"
        "environments: { local: { emulator: {}, protected: true } }\n")
    for number, condition in enumerate(CONDITIONS):
        project.campaign(f"c{number}", f'{{ condition: "{condition}" }}')
    plan = project.herald("plan", "--format", "json", env=environment(mutant)).expect(0)
    refused = {each["campaign"] for each in json.loads(plan.out)["guards"]
               if each["guard"] == "test-audience" and each["outcome"] == "refused"}
    return [f"a test topic is accepted in a protected environment: {condition}"
            for number, condition in enumerate(CONDITIONS) if f"c{number}" not in refused]


def plan_file_problems(folder, mutant=None):
    """Returns a problem if `plan --out` replaces the file before the new one is on the disk."""
    project = Project(Path(folder) / "project", topics=["tides"])
    project.campaign("news", "{ topic: tides }")
    out = project.folder / "plan.json"
    # The second plan replaces the first.
    problems = []
    for number in range(2):
        path = Path(folder) / f"trace-{number}"
        trace(project, "openat,write,fsync,fdatasync,?rename,?renameat,?renameat2", path,
              command=("plan", "--out", out), env=environment(mutant)).expect(0)
        steps = written_files(path).get(str(out), [])
        if steps != SAFELY_REPLACED:
            problems.append(f"plan {number + 1} is {steps}, and not {SAFELY_REPLACED}")
        assert json.loads(out.read_text())["digest"]
    return problems
