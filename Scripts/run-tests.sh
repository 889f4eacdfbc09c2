#!/usr/bin/env bash
# Runs every test and prints the sums in one last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/.."
unset HERALD_GOLDENS
Scripts/install-packages.sh run python venv browser crash test || exit

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
swift test --skip-build --xunit-output "$reports/swift.xml" --quiet
swift_status=$?
# One process per core; a process that runs out of tests takes some from another.
Scripts/run-pytest.sh --quiet --numprocesses auto --dist worksteal --junit-xml "$reports/pytest.xml"
pytest_status=$?
Scripts/sum-tests.py "$reports/swift-swift-testing.xml" "$reports/pytest.xml"
sum_status=$?
[ $swift_status -eq 0 ] && [ $pytest_status -eq 0 ] && [ $sum_status -eq 0 ]
