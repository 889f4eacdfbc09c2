#!/usr/bin/env bash
# Runs every test and prints the sums in one last line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/.."
unset HERALD_GOLDENS
Scripts/install-packages.sh run python venv browser crash xmpp test || exit

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
Scripts/with-postgres.sh swift test -c release -Xswiftc -enable-testing --skip-build --xunit-output "$reports/swift.xml" --quiet
swift_status=$?
# One process more than cores, because many tests wait; a process that runs out of tests takes some from another.
Scripts/with-postgres.sh Scripts/run-pytest.sh --quiet --numprocesses "$(($(nproc) + 1))" --dist worksteal --junit-xml "$reports/pytest.xml"
pytest_status=$?
Scripts/sum-tests.py "$reports/swift-swift-testing.xml" "$reports/pytest.xml"
sum_status=$?
[ $swift_status -eq 0 ] && [ $pytest_status -eq 0 ] && [ $sum_status -eq 0 ]
