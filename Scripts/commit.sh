#!/usr/bin/env bash
# Prints the commit of this folder's files, with `-dirty` if a file differs from it or is not in it.
# Prints nothing if the folder is not the top of a repository.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

prefix=$(git rev-parse --show-prefix 2>/dev/null) || exit 0
[ -z "$prefix" ] || exit 0
commit=$(git rev-parse --verify --quiet HEAD) || exit 0
[ -z "$(git status --porcelain)" ] || commit+=-dirty
echo "$commit"
