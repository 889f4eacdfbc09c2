#!/usr/bin/env bash
# Plans and applies campaigns/ on an emulator in a separate process, and shows what arrived.
# With KEEP=1 the emulator keeps running afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/install-packages.sh run

herald=.build/release/herald
announcement=$(mktemp)
inboxes=$(mktemp)
emulator=
# The highest serials that Herald has seen are kept apart from the user's.
XDG_STATE_HOME=$(mktemp -d)
export XDG_STATE_HOME
finish() {
    rm -rf "$announcement" "$inboxes" "$XDG_STATE_HOME"
    [ -z "$emulator" ] || [ -n "${KEEP:-}" ] || { kill "$emulator"; wait "$emulator"; } 2>/dev/null || true
}
trap finish EXIT

if [ -n "${KEEP:-}" ]; then
    # A kept emulator runs longer than this script, so it must not hold the caller's streams.
    nohup "$herald" emulator --port 0 >"$announcement" 2>/dev/null </dev/null &
else
    "$herald" emulator --port 0 >"$announcement" &
fi
emulator=$!
until [ -s "$announcement" ]; do
    kill -0 "$emulator" 2>/dev/null || { emulator=; echo "the emulator did not start" >&2; exit 1; }
    sleep 0.05
done

echo "── herald plan ──────────────────────────────────────────────"
"$herald" plan
echo "── herald apply --yes ───────────────────────────────────────"
"$herald" apply --yes --quiet
echo "── what the devices received ────────────────────────────────"
"$herald" emulator inboxes | tee "$inboxes"
echo "─────────────────────────────────────────────────────────────"
if ! diff -u campaigns/expected-inboxes.txt "$inboxes"; then
    echo "The inboxes differ from campaigns/expected-inboxes.txt." >&2
    exit 1
fi
echo "Every device received the messages in campaigns/expected-inboxes.txt."
page=$(sed -n 's/^phones in a browser: //p' "$announcement")
if [ -n "${KEEP:-}" ]; then
    echo "The emulator keeps running as process $emulator: stop it with \`kill $emulator\`."
    echo "Open its phones in a browser: $page"
else
    echo "To see its phones, run \`$herald emulator\`, then open http://127.0.0.1:9099/"
fi
