#!/usr/bin/env bash
# Runs the short soak tests of services, fleets, rollouts, recalls, caps, experiments and approvals, and each fuzzer for 20 seconds: soak-slice.sh HERALD SEED
#
# Services mostly wait, so the fuzzers are built meanwhile. What failed is printed last.
set -euo pipefail
cd "$(dirname "$0")/.."

HERALD=$(realpath "$1")
export HERALD
seed=$2 logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

venv=.venv/bin/python statistics=.venv-statistics/bin/python

start() {
    local name=$1
    shift
    (
        begun=$SECONDS
        "$@" >"$logs/$name" 2>&1 && touch "$logs/$name.passed"
        echo "$name: $((SECONDS - begun)) s" >>"$logs/times"
    ) &
}

{
    start jumps Tests/Soak/jumps.py --minutes 3 --seed "$seed"
    wait $! || true
    start fleet Tests/Fleet/crash.py --runs 5 --parallel 2 --longest 10 --seed "$seed"
    wait $! || true
    start rollout Tests/Rollout/crash.py --runs 5 --seed "$seed"
    wait $! || true
    start recall Tests/Recall/crash.py --runs 3 --phones 200 --seed "$seed"
    wait $! || true
    start assignment Scripts/with-postgres.sh Tests/Experiments/assignment.py "$HERALD" .build/bench/sink --people 10000
    wait $! || true
    start statistics "$statistics" Tests/Statistics/run.py --slice
    wait $! || true
} &
{
    start leaks Tests/Soak/leaks.py --hours 2
    wait $! || true
    start handover Tests/Soak/handover.py --handovers 8 --stop 3 --seed "$seed"
    wait $! || true
    # With a fixed seed: not every world shows that each wrong rule is noticed.
    start caps Tests/Caps/run.py --people 10000 --seed 1
    wait $! || true
    start holdout Tests/Experiments/holdout.py --people 1500 --days 4 --seed 1
    wait $! || true
    start approvals "$venv" Tests/Approvals/agree.py --count 200 --seed "$seed"
    wait $! || true
} &
start fuzzers make --no-print-directory fuzz FUZZ_SECONDS=20
wait

cat "$logs/times"
failed=()
for name in fuzzers jumps leaks handover caps fleet rollout recall holdout approvals assignment statistics; do
    if [ -e "$logs/$name.passed" ]; then
        [ "$name" = fuzzers ] || cat "$logs/$name"
    else
        failed+=("$name")
    fi
done
for name in ${failed[@]+"${failed[@]}"}; do
    tail --lines 60 "$logs/$name"
done
[ ${#failed[@]} = 0 ] || { echo "soak-slice: failed: ${failed[*]}; the seed is $seed" >&2 && exit 1; }
