#!/usr/bin/env bash
# Fails if git has build output, resolved versions, or paths of one machine.
set -euo pipefail
cd "$(dirname "$0")/.."

problems=0
refuse() {
    [ -z "$2" ] && return
    printf '%s\n%s\n' "$1" "$2" >&2
    problems=1
}
refuse "build output or resolved versions in git:" \
    "$(git ls-files | grep -E '(^|/)(\.build/|\.herald/|\.venv[^/]*/|Package\.resolved$)' || true)"
refuse "a path of one machine:" \
    "$(git grep -nIE '(^|[^[:alnum:]_./])/(root|home|work)/[[:alnum:]]' -- . ':!LICENSE' || true)"
exit $problems
