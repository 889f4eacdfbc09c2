#!/usr/bin/env bash
# Runs the end-to-end tests against the built program; arguments are passed to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/install-packages.sh run venv browser crash xmpp test
Scripts/make-environments.sh
exec .venv/bin/pytest Tests/EndToEnd "$@"
