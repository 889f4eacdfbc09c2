#!/usr/bin/env bash
# Runs a command next to a temporary PostgreSQL server: with-postgres.sh COMMAND...
#
# The server is Debian's, runs as an ordinary user on a Unix socket in a temporary folder, and ends with
# the command. HERALD_TEST_POSTGRES is its address. Its data is in memory if possible, or below the folder
# HERALD_POSTGRES_FOLDER.
set -euo pipefail
"$(dirname "$0")/install-packages.sh" test

programs=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort --version-sort | tail -1)
# In memory, syncing costs nothing; the server's settings are those of production.
base=/tmp
[ ! -w /dev/shm ] || base=/dev/shm
folder=$(mktemp -d "$base/herald-postgres-XXXXXX")

data=$folder/data
apart=
if [ -n "${HERALD_POSTGRES_FOLDER:-}" ]; then
    apart=$(mktemp -d "$(realpath "$HERALD_POSTGRES_FOLDER")/herald-postgres-XXXXXX")
    data=$apart/data
fi

# The server refuses to run as root.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
    user=postgres
    id "$user" >/dev/null 2>&1 || user=nobody
    chown "$user" "$folder" ${apart:+"$apart"}
    as_user=(setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups)
fi

server=
finish() {
    # A fast shutdown; the data is deleted anyway.
    [ -z "$server" ] || kill -INT "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$folder" ${apart:+"$apart"}
}
trap finish EXIT

"${as_user[@]}" env -C "$folder" "$programs/initdb" -D "$data" -U herald -A trust -E UTF8 --locale=C.UTF-8 \
    --no-sync >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; exit 1; }
"${as_user[@]}" env -C "$folder" "$programs/postgres" -D "$data" -k "$folder" -c listen_addresses= \
    -c max_connections=400 >"$folder/server.log" 2>&1 &
server=$!
for ((attempt = 0; ; attempt++)); do
    ! "$programs/pg_isready" -q -h "$folder" || break
    if [ "$attempt" -ge 300 ] || ! kill -0 "$server" 2>/dev/null; then
        cat "$folder/server.log" >&2
        exit 1
    fi
    sleep 0.1
done

status=0
HERALD_TEST_POSTGRES="postgresql:///postgres?host=$folder&user=herald" "$@" || status=$?
exit "$status"
