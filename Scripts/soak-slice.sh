#!/usr/bin/env bash
# Runs the short soak tests of services and caps: soak-slice.sh HERALD SEED
#
# The clock jumps mostly wait, so the others run meanwhile.
set -euo pipefail
cd "$(dirname "$0")/.."

export HERALD=$1
seed=$2 log=$(mktemp)
trap 'rm -f "$log"' EXIT
Tests/Soak/jumps.py --minutes 3 --seed "$seed" >"$log" 2>&1 &
jumps=$!
status=0
Tests/Soak/handover.py --handovers 8 --stop 3 --seed "$seed" || status=1
# With a fixed seed: not every world shows that each wrong rule is noticed.
Tests/Caps/run.py --people 10000 --seed 1 || status=1
wait "$jumps" || status=1
cat "$log"
exit "$status"
