#!/usr/bin/env bash
# Gives one of the fuzzers random input: fuzz.sh loader|conditions|schedules SECONDS
#
# It starts from the inputs in Fuzzing/Corpus and keeps what it learns below .build; `merge` in
# place of SECONDS takes over into Fuzzing/Corpus what reaches more code, and nothing else.
# HERALD_FUZZ_SANITIZE=address looks for memory errors too, at a fifth of the speed.
# An input that ends the process, takes ten seconds or half a gigabyte is left in Fuzzing/Findings
# and fails the script.
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
# SwiftPM gives executables a main function of their own; a library leaves it to libFuzzer.
swiftc "$scratch/release/lib$product.a" -o "$scratch/release/$product" \
    "-sanitize=fuzzer${sanitize:+,$sanitize}" -use-ld=lld -lyaml

corpus=Fuzzing/Corpus/$name grown=.build/fuzz-corpus${sanitize:+-$sanitize}/$name
mkdir -p "$grown" Fuzzing/Findings
if [ "$seconds" = merge ]; then
    # Short inputs, so that the repository stays small.
    exec "$scratch/release/$product" -set_cover_merge=1 -max_len=$((length / 16)) "$corpus" "$grown"
fi
# Without the first the fuzzer never hears of a crash. LeakSanitizer doesn't see Swift's tagged
# pointers and calls what they hold leaked; real leaks add up to more than the limit of memory.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64
exec nice "$scratch/release/$product" -max_total_time="$seconds" -max_len="$length" \
    -timeout=10 -malloc_limit_mb=512 -rss_limit_mb=1024 -dict="Fuzzing/$name.dict" \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="Fuzzing/Findings/$name-" \
    "$grown" "$corpus"
