#!/usr/bin/env bash
# A small sender that notifies a topic about a tide. It is an example of your own sender.
#
# usage: sender.sh TOPIC TITLE BODY, with FCM's access token in TOKEN
set -euo pipefail

fcm=${FCM_URL:-https://fcm.googleapis.com}
message=$(printf '{"message":{"topic":"%s","notification":{"title":"%s","body":"%s"}}}' "$1" "$2" "$3")
exec curl --silent --show-error --fail-with-body --retry 3 \
    --header "Authorization: Bearer $TOKEN" --header 'Content-Type: application/json' \
    --data "$message" "$fcm/v1/projects/tidewatch/messages:send"
