#!/usr/bin/env bash
# Runs the short soak tests of services and caps, and each fuzzer for 20 seconds: soak-slice.sh HERALD SEED
#
# Services mostly wait, so the fuzzers are built meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

HERALD=$(realpath "$1")
export HERALD
seed=$2 logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
services() {
    Tests/Soak/handover.py --handovers 8 --stop 3 --seed "$seed" || return
    # With a fixed seed: not every world shows that each wrong rule is noticed.
    Tests/Caps/run.py --people 10000 --seed 1
}

Tests/Soak/jumps.py --minutes 3 --seed "$seed" >"$logs/jumps" 2>&1 &
jumps=$!
services >"$logs/services" 2>&1 &
services=$!
status=0
make --no-print-directory fuzz FUZZ_SECONDS=20 || status=1
wait "$jumps" || status=1
wait "$services" || status=1
cat "$logs/jumps" "$logs/services"
exit "$status"
