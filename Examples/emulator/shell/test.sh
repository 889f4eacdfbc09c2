#!/usr/bin/env bash
# Tests sender.sh against `herald emulator`: only the topic's subscribers receive the message.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
herald=${HERALD:-herald}

folder=$(mktemp -d)
finish() {
    [ -z "${emulator:-}" ] || { kill "$emulator"; wait "$emulator" || true; }
    rm -rf "$folder"
}
trap finish EXIT

# The first line contains the address: FCM emulator on http://127.0.0.1:41234
exec {announcement}< <(exec "$herald" emulator --port 0 -C "$folder")
emulator=$!
read -r -u "$announcement" line
url=${line##* }

control() { curl --silent --show-error --fail --header 'Content-Type: application/json' "$@" >/dev/null; }
control "$url/emulator/v1/devices" --data '[
    { "name": "ana", "platform": "android", "registration": "ana-1:APA91b-example", "topics": ["tides"] },
    { "name": "bea", "platform": "apple", "registration": "bea-1:APA91b-example", "topics": ["tides"], "online": false },
    { "name": "caro", "platform": "web", "registration": "caro-1:APA91b-example", "topics": ["weather"] }
]'

FCM_URL=$url TOKEN=owner "$here/sender.sh" tides 'Spring tide' 'After 09:00' >"$folder/answer.json"
control --request PATCH "$url/emulator/v1/devices/bea" --data '{ "online": true }'

# The last part of the response's name is the ID that the devices receive.
id=$(sed -E 's/.*messages\/([^"]+)".*/\1/' "$folder/answer.json")
curl --silent --fail "$url/emulator/v1/inboxes" >"$folder/inboxes.json"
copies=$({ grep --only-matching "\"message_id\":\"$id\"" "$folder/inboxes.json" || true; } | wc -l)
if [ "$copies" -ne 2 ]; then
    echo "Two devices should have received $id, but $copies did:" >&2
    cat "$folder/inboxes.json" >&2
    exit 1
fi
echo "Both subscribers received the message, and no other phone did."
