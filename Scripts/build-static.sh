#!/usr/bin/env bash
# Builds an optimized program that is linked with Swift's libraries: build-static.sh --product NAME
#
# It is the program that users install (decision 85). The paths of this machine are in no file, so that two builds
# of a commit in two folders are equal. Each Swift function has a section, so that the linker can drop it. Without debug
# information, most functions have no table for unwinding: the frames have pointers. HERALD_PORTABLE=1 links the program of the tarball, which finds its
# libraries next to itself.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/static
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
mkdir -p "$scratch"
export HERALD_STATIC=1 HERALD_ICU_DATA=$PWD/$scratch/icu-data.o
if [ -n "${HERALD_PORTABLE:-}" ]; then
    # Debian's shared libstdc++ needs a later C library than the program does.
    export HERALD_PORTABLE=$PWD/$scratch/portable
    mkdir -p "$HERALD_PORTABLE"
    ln -sf "$(clang --print-file-name=libstdc++.a)" "$HERALD_PORTABLE/libstdc++.a"
else
    unset HERALD_PORTABLE
fi
Scripts/small-icu-data.py "$toolchain/lib/swift_static/linux/lib_FoundationICU.a" "$HERALD_ICU_DATA" >&2
swift build -c release --static-swift-stdlib --disable-local-rpath --scratch-path "$scratch" \
    -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=." -Xcxx "-ffile-prefix-map=$PWD=." "$@"
