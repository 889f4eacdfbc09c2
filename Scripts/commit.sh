#!/usr/bin/env bash
# Prints the commit that this folder's files are of, with `-dirty` where they differ from it or where
# there are others; nothing where the folder is no repository of its own.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

prefix=$(git rev-parse --show-prefix 2>/dev/null) || exit 0
[ -z "$prefix" ] || exit 0
commit=$(git rev-parse --verify --quiet HEAD) || exit 0
[ -z "$(git status --porcelain)" ] || commit+=-dirty
echo "$commit"
