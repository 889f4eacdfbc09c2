"""Sends over TLS and HTTP/2: one connection carries many requests, and a reset affects only its own request.

A refused stream, and a stream above the last stream of a GOAWAY, was not processed (RFC 9113, sections 6.8 and
8.7), so it is retried. Over HTTP/1.1 the same faults cut the connection and leave the outcome unknown, so the
counts also prove which HTTP version was used.
"""

import json
import re

import pytest

from herald import Emulator, Project, token

COUNT = 300
TOKENS = [token(n) for n in range(COUNT)]


@pytest.fixture
def bench(tmp_path, request):
    project = Project(tmp_path / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project, arguments=["--tls-port", "0", *getattr(request, "param", [])]) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        address = json.loads((project.folder / ".herald/emulator/running.json").read_text())["tls_url"]
        environment(project, f"url: '{address}', ca: .herald/emulator/ca.pem")
        yield project


def environment(project, emulator):
    project.write("herald.yaml", f"version: 1\nproject: e2e\nenvironments: {{ tls: {{ emulator: {{ {emulator} }} }} }}\n")


def faults(bench, *rules):
    bench.emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, **rule} for rule in rules]})


def apply(bench):
    return bench.apply("-e", "tls")


def assert_each_accepted_once(bench):
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def unknown(text):
    return len(re.findall(r"^  unknown   call/once/1  ", text, re.MULTILINE))


def with_arguments(*arguments):
    return pytest.mark.parametrize("bench", [arguments], indirect=True, ids=lambda each: " ".join(each))


def test_sends_each_message_once(bench):
    apply(bench).expect(0, "300 accepted")
    assert_each_accepted_once(bench)


@with_arguments("--max-streams", "1")
def test_respects_a_limit_of_one_stream(bench):
    apply(bench).expect(0, "300 accepted")
    assert_each_accepted_once(bench)


@pytest.mark.covers("F4-streams")
def test_more_requests_than_streams_of_a_connection_are_accepted_once(bench):
    """Each answer waits, so that all requests are open at once; a connection has 100 streams."""
    faults(bench, {"delivery": {"delay_milliseconds": 1_000}})
    bench.apply("-e", "tls", "--parallelism", "300").expect(0, "300 accepted")
    assert_each_accepted_once(bench)


@pytest.mark.covers("F1.7-timeout")
def test_waits_more_than_10_seconds_for_an_answer(bench):
    """Google advises 10 seconds or more; an answer after 11 is neither a failure nor a reason to repeat."""
    bench.campaign("call", f"{{ registrations: {bench.list('one', TOKENS[:1])} }}")
    faults(bench, {"delivery": {"delay_milliseconds": 11_000}})
    apply(bench).expect(0, "1 accepted")
    assert bench.log.count() == 1


@with_arguments("--no-content-length")
def test_accepts_answers_without_content_length(bench):
    apply(bench).expect(0, "300 accepted")
    assert_each_accepted_once(bench)


def test_retries_refused_streams_without_duplicates(bench):
    faults(bench, {"when": {"every": 40}, "delivery": {"reset_stream": "REFUSED_STREAM"}})
    apply(bench).expect(0, "300 accepted")
    assert_each_accepted_once(bench)


def test_retries_streams_above_the_last_stream_of_a_goaway(bench):
    faults(bench, {"when": {"nth": 50}, "delivery": {"go_away": {"last_stream": "BEFORE_THIS"}}},
           {"when": {"nth": 150}, "delivery": {"go_away": {"last_stream": "THIS"}}})
    apply(bench).expect(0, "300 accepted")
    assert_each_accepted_once(bench)


@pytest.mark.parametrize("code", ["INTERNAL_ERROR", "CANCEL", "NO_ERROR"])
def test_other_stream_resets_are_unknown(bench, code):
    faults(bench, {"when": {"nth": 20}, "accepted": True, "delivery": {"reset_stream": code}},
           {"when": {"nth": 70}, "delivery": {"reset_stream": code}})
    result = apply(bench).expect(4, "298 accepted", "2 unknown")
    assert unknown(result.out) == 2
    apply(bench).expect(0, "No changes.")
    assert sum(bench.log.accepted().values()) == 298
    assert bench.log.count() == COUNT


def test_cut_connection_is_unknown_and_another_sends_the_rest(bench):
    faults(bench, {"when": {"nth": 100}, "accepted": True, "delivery": {"reset_connection": True}})
    result = apply(bench)
    result.expect(4, "unknown")
    lost = unknown(result.out)
    assert 1 <= lost <= 128
    assert f"{COUNT - lost} accepted" in result.out
    accepted = bench.log.accepted()
    assert max(accepted.values()) == 1 and COUNT - lost <= len(accepted)


def test_truncated_answer_is_unknown(bench):
    faults(bench, {"when": {"nth": 30}, "accepted": True, "delivery": {"truncate_after_bytes": 9}})
    apply(bench).expect(4, "299 accepted", "1 unknown")


def test_sends_nothing_with_a_wrong_certificate_authority(bench):
    bench.write("other.pem", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n")
    url = json.loads((bench.folder / ".herald/emulator/running.json").read_text())["tls_url"]
    environment(bench, f"url: '{url}', ca: other.pem")
    apply(bench).expect(1, "cannot be reached")
    environment(bench, f"url: '{url}', ca: missing.pem")
    apply(bench).expect(1, "missing.pem cannot be read")
    environment(bench, f"url: '{url}'")
    apply(bench).expect(1, "cannot be reached")
    assert bench.log.count() == 0
