#!/usr/bin/python3
"""Compares Herald with `ssh-keygen -Y verify` on 2,000 approvals, half of them broken.

    .venv/bin/python Tests/Approvals/agree.py                    2,000 approvals
    .venv/bin/python Tests/Approvals/agree.py --count 200        what CI runs

The exit code is 1 if the two differ about an approval, if a broken one is accepted or a good one refused, if `herald
apply` passes with any or all of the broken ones, or if it does not pass with good ones.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
import samples  # noqa: E402
from herald import Emulator, Project  # noqa: E402

# The applies with a single broken approval.
SINGLE = 60


def make_project(folder, signers):
    """Returns a project whose signers are recorded, and the approved subject of its next plan."""
    project = Project(folder / "project")
    project.write("allowed", signers.allowed_text)
    project.write("revoked", signers.revoked_text)
    project.write(
        "herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: { reach: 10 } }\nenvironments:\n"
        "  local: { emulator: {}, guard: { approvals: { need: 1, signers: allowed, revoked: revoked } } }\n")
    project.campaign("first", "{ topic: tides }")
    with Emulator(project):
        project.apply(now=samples.NOW).expect(0)
    project.campaign("second", "{ topic: tides }")
    plan = project.folder.parent / "plan.json"
    project.herald("plan", "--out", plan, now=samples.NOW).expect(0)
    content = json.loads(plan.read_text())
    return project, samples.Subject(content["digest"], content["lineage"])


def accepted_by_ssh_keygen(sample, subject, folder):
    (folder / "signature").write_text(sample.signature)
    done = subprocess.run(
        ["ssh-keygen", "-Y", "verify", "-f", folder / "project/allowed", "-r", folder / "project/revoked",
         "-I", sample.principal, "-n", "herald", "-s", folder / "signature", "-O", "verify-time=20270301120000Z"],
        input=subject.text(sample.principal).encode(), capture_output=True, timeout=60)
    return done.returncode == 0


def found_by_herald(project, subject, drawn, folder):
    """Returns Herald's verdicts, in the order of the samples."""
    file = folder / "approvals.txt"
    file.write_text("".join(sample.file for sample in drawn))
    done = project.herald(
        "approve", subject.digest, "--check", "--json", "--approvals", file, now=samples.NOW)
    verdicts = json.loads(done.out)["approvals"]
    assert len(verdicts) == len(drawn), f"herald found {len(verdicts)} of {len(drawn)} approvals"
    return verdicts


def disagreements(drawn, verdicts, subject, folder):
    ways = collections.Counter()
    for number, (sample, verdict) in enumerate(zip(drawn, verdicts, strict=True)):
        by_ssh_keygen, by_herald = accepted_by_ssh_keygen(sample, subject, folder), verdict["refusal"] is None
        ways[sample.way] += 1
        if not by_ssh_keygen == by_herald == sample.is_good:
            yield (f"{number}, {sample.way}, {sample.principal}: ssh-keygen {by_ssh_keygen}, "
                   f"herald {verdict['refusal'] or 'accepts'}\n{sample.file}")
    print(f"ssh-keygen and herald judged {len(drawn):,} approvals:")
    for way, count in sorted(ways.items()):
        print(f"  {count:5,} {way}")


def wrong_applies(project, subject, drawn, folder):
    """Applies the plan with broken approvals only, and then with a good one."""
    broken = [sample for sample in drawn if not sample.is_good]
    one_of_each = {sample.way: sample for sample in broken}.values()
    trials = [[sample] for sample in [*one_of_each, *broken][:SINGLE]] + [broken]
    good = next(sample for sample in drawn if sample.is_good)
    file = folder / "apply.txt"

    def apply(trial):
        file.write_text("".join(sample.file for sample in trial))
        return project.herald("apply", "--expect", subject.digest, "--approvals", file, now=samples.NOW)

    with Emulator(project):
        before = len(project.log.sends())
        for trial in trials:
            done = apply(trial)
            if done.code != 6 or len(project.log.sends()) != before:
                yield f"apply exits with {done.code} for {', '.join(sorted({sample.way for sample in trial}))}"
        done = apply([good])
        if done.code != 0 or len(project.log.sends()) != before + 1:
            yield f"apply exits with {done.code} for a good approval: {done.err}"
    signers, = project.rows("SELECT approvals FROM runs ORDER BY id DESC LIMIT 1")
    if [signer["principal"] for signer in json.loads(signers[0])] != [good.principal]:
        yield f"the history does not name {good.principal}: {signers}"
    print(f"apply refused {len(trials)} sets of broken approvals, then passed with a good one")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2_000, help="number of approvals (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the draw (default: 1)")
    options = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        signers = samples.Signers(folder)
        project, subject = make_project(folder, signers)
        drawn = samples.Draw(signers, subject, options.seed).samples(options.count)
        verdicts = found_by_herald(project, subject, drawn, folder)
        problems = [*disagreements(drawn, verdicts, subject, folder)]
        problems += wrong_applies(project, subject, drawn, folder)
    print(*problems, sep="\n")
    print(f"{len(problems)} disagreements; seed {options.seed}, {time.monotonic() - begin:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
