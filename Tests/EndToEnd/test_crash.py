"""A slice of `make crash`: whichever way herald is killed, nothing is lost or repeated silently."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Crash"))
import crash  # noqa: E402
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
