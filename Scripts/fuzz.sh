#!/usr/bin/env bash
# Runs a fuzzer: fuzz.sh loader|conditions|schedules|csv|ndjson|compressed|templates SECONDS
#
# It starts from the inputs in Fuzzing/corpus.tar.gz, unpacked into .build/fuzz/corpus, and keeps new
# inputs in .build/fuzz-corpus. With `merge` in place of SECONDS it adds the new inputs that reach
# more code to Fuzzing/corpus.tar.gz and does nothing else.
# HERALD_FUZZ_SANITIZE=address looks for memory errors too, at a fifth of the speed.
# An input that ends the process, takes ten seconds or half a gigabyte is left in Fuzzing/Findings
# and fails the script.
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:?loader, conditions, schedules, csv, ndjson, compressed or templates} seconds=${2:-60}
case $name in
loader) product=LoaderFuzzer length=16384 ;;
conditions) product=ConditionFuzzer length=1024 ;;
schedules) product=ScheduleFuzzer length=256 ;;
csv) product=CSVFuzzer length=4096 ;;
ndjson) product=NDJSONFuzzer length=4096 ;;
compressed) product=CompressedListFuzzer length=4096 ;;
templates) product=TemplateFuzzer length=1024 ;;
*) echo "fuzz.sh: there is no fuzzer $name" >&2 && exit 64 ;;
esac
Scripts/install-packages.sh build

sanitize=${HERALD_FUZZ_SANITIZE:-}
scratch=$PWD/.build/fuzz${sanitize:+-$sanitize}
HERALD_FUZZ=1 swift build --configuration release --scratch-path "$scratch" --product "$product" \
    ${sanitize:+--sanitize "$sanitize"} --quiet
# A library, because SwiftPM adds a main function to executables, and libFuzzer has its own.
swiftc "$scratch/release/lib$product.a" -o "$scratch/release/$product" \
    "-sanitize=fuzzer${sanitize:+,$sanitize}" -use-ld=lld -lyaml -lz -lzstd

archive=Fuzzing/corpus.tar.gz inputs=.build/fuzz/corpus
corpus=$inputs/$name grown=.build/fuzz-corpus${sanitize:+-$sanitize}/$name
rm -rf "$corpus"
mkdir -p "$inputs" "$grown" Fuzzing/Findings
tar --extract --file "$archive" --directory "$inputs" "$name"

if [ "$seconds" = merge ]; then
    # Short inputs keep the repository small.
    "$scratch/release/$product" -set_cover_merge=1 -max_len=$((length / 16)) "$corpus" "$grown"
    Scripts/pack-corpus.sh "$name" "$corpus"
    exit
fi
# Without the first the fuzzer does not notice a crash. LeakSanitizer does not see Swift's tagged
# pointers and reports what they hold as leaked; real leaks exceed the memory limit.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64
exec nice "$scratch/release/$product" -max_total_time="$seconds" -max_len="$length" \
    -timeout=10 -malloc_limit_mb=512 -rss_limit_mb=1024 -dict="Fuzzing/$name.dict" \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="Fuzzing/Findings/$name-" \
    "$grown" "$corpus"
