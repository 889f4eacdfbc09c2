"""A slice of `make crash`: no way of killing herald loses or repeats a request silently."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Crash"))
import crash  # noqa: E402
import mutant_build  # noqa: E402
import mutants  # noqa: E402
from runs import Spec  # noqa: E402

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
