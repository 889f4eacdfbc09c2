#!/usr/bin/env bash
# Runs the end-to-end tests against the built binary. Passes its arguments to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

# Creates a virtual environment, or recreates it if its requirements have changed.
environment() {
    local folder=$1 requirements=$2
    shift 2
    cmp --silent "$requirements" "$folder/requirements.txt" && return
    python3 -m venv --clear "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" --requirement "$requirements"
    cp "$requirements" "$folder/requirements.txt"
}

environment .venv Tests/EndToEnd/requirements.txt
# Only the dependencies that the Admin SDK's messaging module imports.
for release in Tests/EndToEnd/admin-sdk/*.txt; do
    environment ".venv-admin-sdk/$(basename "$release" .txt)" "$release" --no-deps
done
exec .venv/bin/pytest Tests/EndToEnd "$@"
