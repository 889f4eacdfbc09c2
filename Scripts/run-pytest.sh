#!/usr/bin/env bash
# Runs the end-to-end tests against the built binary; arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=Tests/EndToEnd/requirements.txt
if ! cmp --silent "$requirements" .venv/requirements.txt; then
    python3 -m venv --clear .venv
    .venv/bin/pip install --quiet --disable-pip-version-check --requirement "$requirements"
    cp "$requirements" .venv/requirements.txt
fi
exec .venv/bin/pytest Tests/EndToEnd "$@"
