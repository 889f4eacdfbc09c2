#!/usr/bin/env bash
# Runs every test and prints the slowest ones, and the sums in one last line: N passed, N failed.
# The JUnit reports, with the real duration of each test, are in .build/reports.
set -uo pipefail
cd "$(dirname "$0")/.."
unset HERALD_GOLDENS
Scripts/install-packages.sh run python venv browser crash xmpp test || exit

reports=.build/reports
rm -rf "$reports"
mkdir -p "$reports"
# One place more than cores, because many tests wait.
width=$(($(nproc) + 1))
Scripts/with-postgres.sh swift test -c release -Xswiftc -enable-testing --skip-build --xunit-output "$reports/swift.xml" --quiet \
    --experimental-maximum-parallelization-width "$width" --event-stream-version 0 --event-stream-output-path "$reports/events.ndjson"
swift_status=$?
# The end-to-end tests wait even more. A process that runs out of tests takes some from another.
Scripts/with-postgres.sh Scripts/run-pytest.sh --quiet --numprocesses "$((2 * $(nproc)))" --dist worksteal --junit-xml "$reports/pytest.xml"
pytest_status=$?
Scripts/real-durations.py "$reports/events.ndjson" "$reports/swift-swift-testing.xml" "$reports/pytest.xml"
durations_status=$?
rm -f "$reports/events.ndjson"
Scripts/sum-tests.py "$reports/swift-swift-testing.xml" "$reports/pytest.xml"
sum_status=$?
[ $durations_status -eq 0 ] && [ $swift_status -eq 0 ] && [ $pytest_status -eq 0 ] && [ $sum_status -eq 0 ]
