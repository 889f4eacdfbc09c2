#!/usr/bin/env bash
# Replaces the inputs of one fuzzer in Fuzzing/corpus.tar.gz: pack-corpus.sh NAME FOLDER
#
# The same inputs always make the same archive: sorted, without times or owners.
set -euo pipefail
cd "$(dirname "$0")/.."

name=$1 folder=$2 archive=Fuzzing/corpus.tar.gz
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
[ ! -e "$archive" ] || tar --extract --file "$archive" --directory "$stage"
rm -rf "${stage:?}/$name"
cp -r "$folder" "$stage/$name"
(cd "$stage" && LC_ALL=C find . -mindepth 2 -type f -printf '%P\n' | LC_ALL=C sort) |
    tar --create --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 \
        --directory "$stage" --verbatim-files-from --files-from=- | gzip --best --no-name >"$archive.new"
mv "$archive.new" "$archive"
