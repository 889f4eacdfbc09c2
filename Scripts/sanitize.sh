#!/usr/bin/env bash
# Runs Swift tests with a sanitizer: sanitize.sh thread|address [FILTER]
#
# FILTER selects tests (default: those of the modules with threads and C libraries). Reports of the sanitizer fail the
# script. Failed tests alone do not: with a sanitizer, programs are up to ten times slower, and time limits are exceeded.
set -euo pipefail
cd "$(dirname "$0")/.."

sanitizer=${1:?thread or address} filter=${2:-'^(BaseTests|WireTests)\.'}
case $sanitizer in
thread) report='WARNING: ThreadSanitizer' ;;
address) report='ERROR: AddressSanitizer' ;;
*) echo "sanitize.sh: there is no sanitizer $sanitizer" >&2 && exit 64 ;;
esac
Scripts/install-packages.sh build run test

scratch=.build/sanitize-$sanitizer
log=$(mktemp)
suppressions=$(mktemp)
trap 'rm -f "$log" "$suppressions"' EXIT
# The sanitizer does not see the lock of a Mutex if a thread has to wait for it. Only the closure of `withLock`, with
# `inout sending` in its mangled name, reaches the value, so that it needs no check.
echo 'race:zYuYTXEfU' >"$suppressions"
# Swift's tagged pointers look like leaks.
export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="halt_on_error=0 suppressions=$suppressions" SWIFT_BACKTRACE=enable=no

swift build --build-tests --sanitize "$sanitizer" --scratch-path "$scratch" --quiet
Scripts/with-postgres.sh swift test --skip-build --sanitize "$sanitizer" --scratch-path "$scratch" --filter "$filter" \
    >"$log" 2>&1 || true
if grep --quiet "$report" "$log"; then
    grep --after-context 40 "$report" "$log" | head -n 200 >&2
    echo "sanitize.sh: the $sanitizer sanitizer has $(grep --count "$report" "$log") reports" >&2
    exit 1
fi
# Without this line, the tests did not run until their end.
grep --extended-regexp 'Test run with [1-9][0-9]* tests' "$log" || { tail -n 50 "$log" >&2 && exit 1; }
echo "The $sanitizer sanitizer has no report."
