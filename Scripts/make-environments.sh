#!/usr/bin/env bash
# Makes the virtual environments of the end-to-end tests, or only that of the documentation's site:
# make-environments.sh [site]
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/install-packages.sh venv

# Debian's Python, even if another one comes first in PATH: tests run the same for everyone.
python=/usr/bin/python3

# Makes a virtual environment, and makes it again if its requirements or the Python have changed.
environment() {
    local folder=$1 requirements=$2 wanted
    shift 2
    wanted=$("$python" --version && cat "$requirements")
    [ "$wanted" != "$(cat "$folder/made-from.txt" 2>/dev/null)" ] || return 0
    "$python" -m venv --clear "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" --requirement "$requirements"
    echo "$wanted" >"$folder/made-from.txt"
}

environment .venv-site Scripts/site/requirements.txt
[ "${1:-}" != site ] || exit 0
environment .venv Tests/EndToEnd/requirements.txt
# Only the script of axe-core, without Playwright.
environment .venv-axe Tests/EndToEnd/axe-requirements.txt --no-deps
# Of the Admin SDK's dependencies, only those that its messaging module imports.
for release in Tests/EndToEnd/admin-sdk/*.txt; do
    environment ".venv-admin-sdk/$(basename "$release" .txt)" "$release" --no-deps
done
