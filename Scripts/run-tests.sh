#!/usr/bin/env bash
# Runs every test. The last line is: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/.."
unset HERALD_GOLDENS

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
swift test --skip-build --xunit-output "$reports/swift.xml" --quiet
swift_status=$?
# One process per core. An idle process takes tests from another one.
Scripts/run-pytest.sh --quiet --numprocesses auto --dist worksteal --junit-xml "$reports/pytest.xml"
pytest_status=$?
python3 Scripts/sum-tests.py "$reports/swift-swift-testing.xml" "$reports/pytest.xml"
sum_status=$?
[ $swift_status -eq 0 ] && [ $pytest_status -eq 0 ] && [ $sum_status -eq 0 ]
