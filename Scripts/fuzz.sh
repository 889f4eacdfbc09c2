#!/usr/bin/env bash
# Runs a fuzzer: fuzz.sh loader|conditions|schedules SECONDS
#
# Starts from the inputs in Fuzzing/Corpus and stores new inputs below .build. With `merge` instead
# of SECONDS, copies only the inputs that reach more code to Fuzzing/Corpus.
# HERALD_FUZZ_SANITIZE=address also detects memory errors, at a fifth of the speed.
# Fails if an input ends the process, takes ten seconds or allocates half a gigabyte, and stores the
# input in Fuzzing/Findings.
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:?loader, conditions or schedules} seconds=${2:-60}
case $name in
loader) product=LoaderFuzzer length=16384 ;;
conditions) product=ConditionFuzzer length=1024 ;;
schedules) product=ScheduleFuzzer length=256 ;;
*) echo "fuzz.sh: there is no fuzzer $name" >&2 && exit 64 ;;
esac

sanitize=${HERALD_FUZZ_SANITIZE:-}
scratch=$PWD/.build/fuzz${sanitize:+-$sanitize}
HERALD_FUZZ=1 swift build --configuration release --scratch-path "$scratch" --product "$product" \
    ${sanitize:+--sanitize "$sanitize"} --quiet
# A library, because SwiftPM adds a main function to executables, and libFuzzer has its own.
swiftc "$scratch/release/lib$product.a" -o "$scratch/release/$product" \
    "-sanitize=fuzzer${sanitize:+,$sanitize}" -use-ld=lld -lyaml

corpus=Fuzzing/Corpus/$name grown=.build/fuzz-corpus${sanitize:+-$sanitize}/$name
mkdir -p "$grown" Fuzzing/Findings
if [ "$seconds" = merge ]; then
    # Only short inputs, to keep the repository small.
    exec "$scratch/release/$product" -set_cover_merge=1 -max_len=$((length / 16)) "$corpus" "$grown"
fi
# Swift's backtraces would hide crashes from the fuzzer. LeakSanitizer reports false leaks, because
# it does not follow Swift's tagged pointers; real leaks exceed the memory limit.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64
exec nice "$scratch/release/$product" -max_total_time="$seconds" -max_len="$length" \
    -timeout=10 -malloc_limit_mb=512 -rss_limit_mb=1024 -dict="Fuzzing/$name.dict" \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="Fuzzing/Findings/$name-" \
    "$grown" "$corpus"
