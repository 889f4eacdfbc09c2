"""A slice of `make crash`: no way of killing herald loses or repeats a request silently."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Crash"))
import crash  # noqa: E402
import forgetting  # noqa: E402
import judge  # noqa: E402
import mutant_build  # noqa: E402
import mutants  # noqa: E402
import rendering_reference as reference  # noqa: E402
from runs import Run, Spec  # noqa: E402

CONFIGURATIONS = (("http1", 8), ("tls-h2", 64))
WAYS = ("random", "pwrite64", "fdatasync", "sendto", "recvfrom", "forget", "random", "forget-sync", "forget-release",
        "two", "random", "random")


def test_no_kill_loses_or_repeats_a_request_silently(tmp_path):
    bench = crash.Bench(tmp_path, workers=12, seconds=60)
    for configuration in CONFIGURATIONS:
        bench.calibrate(*configuration)
    todo = [Spec(number, *CONFIGURATIONS[number % 2], way) for number, way in enumerate(WAYS)]
    results = bench.play_all(todo)
    assert [(str(result.spec), problem) for result in results for problem in result.problems] == []
    assert len(results) == len(todo) and sum(result.kills for result in results) >= 8
    assert {result.edited for result in results} & {"locales", "patches"}


def test_the_sources_have_a_place_for_each_mutant():
    changed = mutant_build.mutated(mutant_build.swift_sources(mutant_build.ROOT / "Sources"))
    hunted = {*mutants.HUNTS, *mutants.CHECKS}
    switched = {name for name in hunted for text in changed.values() if f'isMutant("{name}")' in text}
    assert switched == hunted == set(mutant_build.MUTANTS)
    assert not set(mutants.HUNTS) & set(mutants.CHECKS)


@pytest.mark.parametrize("count", [0, 2])
def test_a_mutant_without_exactly_one_place_is_refused(count):
    sources = mutant_build.swift_sources(mutant_build.ROOT / "Sources")
    (text, _), *_ = mutant_build.MUTANTS["no-lock"]
    path, = [path for path, content in sources.items() if text in content]
    with pytest.raises(mutant_build.Stale, match=f"no-lock: found in {count} places"):
        mutant_build.mutated(sources | {path: sources[path].replace(text, text * count)})


# MARK: the judgement itself


class Recorded:
    """A run with given requests, of which the harness killed one apply at a given time."""

    def __init__(self, entries, death, parallelism=64, layer=None, is_displayed=False):
        self.spec = Spec(1, "http1", parallelism)
        self.script = {"rules": [{"id": "late", "delivery": {"delay_milliseconds": 500}},
                                 {"id": "never", "delivery": {"never": True}}]}
        self.deaths, self.marks = [death], [len(entries)]
        self.layer, self.is_displayed = layer, is_displayed
        self.campaigns = {"call": [judge.target(entry) for entry in entries]}
        self.log, self.result = self, self
        self.entries, self.problems = entries, []

    def requests(self):
        return self.entries


def entry(name, second, rule=None, status=200):
    fault = {"fault": {"rule": rule, "effect": "performed", "concealed": {"status": 200}}} if rule else {}
    return {"time": f"2037-03-20T07:30:{second:06.3f}Z", "path": "/v1/projects/e2e/messages:send", "status": status,
            "body": {"message": {"token": name}}} | fault


KILLED = judge.seconds(entry("", 10))


@pytest.mark.parametrize("second, rule, count, is_allowed", [
    (9.0, None, 16, True), (9.0, None, 17, False),  # read a second before the kill
    (9.6, None, 17, True),  # answered within the last 500 ms
    (9.2, "late", 17, True), (8.9, "late", 17, False),  # answered 500 ms later
    (1.0, "never", 17, True),
])
def test_a_kill_makes_only_unread_answers_unknown(second, rule, count, is_allowed):
    names = [f"d{number}" for number in range(count)]
    run = Recorded([entry(name, second, rule) for name in names], KILLED)
    judge.judge_bound(run, set(names))
    assert (run.problems == []) == is_allowed


@pytest.mark.parametrize("count, layer, is_allowed", [(16, None, True), (17, None, False), (128, True, True), (129, True, False)])
def test_a_power_failure_may_make_twice_the_open_requests_unknown(count, layer, is_allowed):
    run = Recorded([entry("d", 1.0)], KILLED, layer=layer)
    judge.judge_bound(run, {f"x{number}" for number in range(count)})
    assert (run.problems == []) == is_allowed


@pytest.mark.parametrize("status, is_displayed, is_allowed", [
    (503, False, False), (503, True, True), (200, False, False), (429, False, True)])
def test_only_a_replaced_message_may_be_repeated(status, is_displayed, is_allowed):
    run = Recorded([entry("d", 1.0, status=status), entry("d", 15.0)], KILLED, is_displayed=is_displayed)
    judge.judge_repeats(run, run.entries)
    assert (run.problems == []) == is_allowed


def test_the_whole_message_of_each_request_is_compared(tmp_path):
    run = Run(Spec(1, profile="locales"), tmp_path)
    chosen = {run.rows[name]["locale"]: name for name in run.tokens}
    name, other = chosen["pt-PT"], chosen["en"]

    def problems(*messages):
        run.result.problems = []
        judge.judge_text(run, [{"body": {"message": message}} for message in messages])
        return run.result.problems

    right = run.expected(name) | {"token": name}
    assert right != run.expected(other) | {"token": name} and problems(right, run.expected(other) | {"token": other}) == []
    own = reference.filled(run.content, run.rows[name]) | {"token": name}
    more = right | {"fcm_options": {}}
    for wrong in (own, more, {"token": name}, run.expected(other) | {"token": name}):
        assert problems(right, wrong) == [f"sent with another text: 1, ['{name}']"]


def test_a_power_failure_changes_the_boot_id(tmp_path):
    layer = forgetting.Layer(forgetting.build(tmp_path), tmp_path / "root", tmp_path / "journal")

    def boot():
        return subprocess.run(
            ["cat", "/proc/sys/kernel/random/boot_id"], env={"PATH": os.environ["PATH"], **layer.environment()},
            capture_output=True, text=True, check=True).stdout

    first = boot()
    assert first == boot() != Path("/proc/sys/kernel/random/boot_id").read_text()
    layer.lose_power()
    assert boot() != first
