"""The emulator conforms to its OpenAPI file for any input.

schemathesis generates the requests: boundary values of each schema, and random requests.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from herald import DEADLINE, ROOT, SOAK, Emulator

FILE = ROOT / "schemas/emulator.openapi.json"
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "unsupported_method",
    "allow_header_conformance",
)


def test_file_is_valid_openapi():
    document = json.loads(FILE.read_text())
    assert document["openapi"].startswith("3.1.")
    validate(document)


# Per part: the paths, the least number of recorded requests, those that must succeed, and the expected statuses.
# Each part has a separate emulator, so the parts can run in parallel.
PARTS = {
    "google": (
        ["--exclude-path-regex", "^/emulator/"], 3_000,
        {"messages:send", "v1:batchAdd", "v1:batchRemove"}, {200, 400, 401, 404, 405}),
    "devices": (
        ["--include-path-regex", "^/emulator/v1/devices"], 300, {"devices"}, {200, 400, 404, 405}),
    "snapshot": (["--include-path-regex", "^/emulator/v1/snapshot"], 1_000, {"snapshot"}, {200, 400, 405}),
    "control": (
        ["--include-path-regex", "^/emulator/", "--exclude-path-regex", "^/emulator/v1/(devices|snapshot)"], 500,
        {"clock", "reset"}, {200, 400, 404, 405}),
}


@pytest.mark.parametrize("part", PARTS)
def test_every_answer_is_documented(project, tmp_path, part):
    paths, least, successes, expected = PARTS[part]
    with Emulator(project) as emulator:
        done = subprocess.run(
            [Path(sys.executable).parent / "schemathesis", "run", FILE, "--url", emulator.url, *paths,
             "--header", "Authorization: Bearer owner", "--checks", ",".join(CHECKS),
             "--phases", "coverage,fuzzing", "--max-examples", str(3 * SOAK), "--seed", "20370320",
             "--continue-on-failure", "--request-timeout", str(DEADLINE), "--warnings", "off"],
            cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE * 4 * SOAK,
            env=os.environ | {"SCHEMATHESIS_HOOKS": "openapi_hooks", "PYTHONPATH": str(Path(__file__).parent)})
        assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
        assert emulator.process.poll() is None
    entries = [json.loads(line) for line in project.log.bytes().splitlines()]
    assert len(entries) > least
    taken = {entry["path"].partition("?")[0].rsplit("/", 1)[-1] for entry in entries if entry["status"] == 200}
    assert taken >= successes
    answered = {entry["status"] for entry in entries}
    assert expected <= answered <= {200, 400, 401, 403, 404, 405, 409, 412, 429}


def test_detects_a_wrong_openapi_file(project, tmp_path):
    """Proves that the check can fail: it detects an answer that the file does not document."""
    document = json.loads(FILE.read_text())
    document["paths"] = {"/emulator/v1/clock": document["paths"]["/emulator/v1/clock"]}
    document["components"]["schemas"]["ClockReading"]["properties"]["rate"]["type"] = "string"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(document))
    with Emulator(project) as emulator:
        done = subprocess.run(
            [Path(sys.executable).parent / "schemathesis", "run", wrong, "--url", emulator.url,
             "--checks", ",".join(CHECKS), "--phases", "coverage", "--max-examples", "1"],
            cwd=tmp_path, capture_output=True, text=True, timeout=DEADLINE)
    assert done.returncode == 1
    assert "response" in done.stdout.lower()
