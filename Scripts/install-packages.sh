#!/usr/bin/env bash
# Installs the missing Debian packages of the named groups: install-packages.sh [GROUP...]
#
# Without a group it installs those of all groups. Root and users with sudo install them; for other
# users it prints the missing packages. If none is missing, it does nothing. If it runs several times at once,
# one waits for the other.
set -euo pipefail

exec 9<"$0"
flock 9

declare -A groups=(
    # The libraries that Herald is compiled with.
    [build]="libyaml-dev libcurl4-openssl-dev libssl-dev libnghttp2-dev libmimalloc-dev libpq-dev libsqlite3-dev libzstd-dev zlib1g-dev libstrophe-dev pkg-config"
    # What Herald reads while it runs.
    [run]="tzdata"
    # Scripts in Python: manual pages, the coverage table, benchmarks.
    [python]="python3"
    # Virtual environments with packages from PyPI.
    [venv]="python3 python3-venv"
    [browser]="chromium fonts-dejavu-core"
    # System calls at which Herald is killed.
    [crash]="strace"
    # Servers, pools and networks that fail.
    [fleet]="iproute2 nftables pgbouncer postgresql util-linux"
    # What the Python package confseq is compiled with.
    [statistics]="g++ libboost-dev make python3-dev"
    # A wall clock that jumps, bare roots, and the judge of signatures.
    [soak]="debootstrap faketime openssh-client"
    # Debian packages, and their check.
    [package]="binutils dpkg-dev lintian xz-utils"
    # Load, and certificates and keys for it.
    [bench]="nghttp2-client openssl"
    # An XMPP server, to which devices send messages.
    [xmpp]="openssl prosody"
    # Three servers of which one is the primary, the store of their leader, and a proxy to it.
    [patroni]="python3 python3-etcd python3-psycopg2 etcd-server haproxy patroni postgresql"
    # Peers, shells, terminals and readers of manual pages.
    [test]="bash-completion cmark-gfm curl default-jre-headless fish git jq kotlin man-db mandoc mount nghttp2-client nghttp2-proxy nodejs openssh-client openssl postgresql prometheus strace systemd tmux util-linux zsh"
)

[ $# -gt 0 ] || set -- "${!groups[@]}"
missing=()
for group in "$@"; do
    [ -n "${groups[$group]:-}" ] || { echo "install-packages.sh: there is no group $group" >&2; exit 64; }
    for package in ${groups[$group]}; do
        status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || [[ " ${missing[*]} " = *" $package "* ]] || missing+=("$package")
    done
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo --non-interactive)
if ! "${as_root[@]}" true 2>/dev/null || ! command -v apt-get >/dev/null; then
    echo "These Debian packages are missing and cannot be installed by this user: ${missing[*]}" >&2
    echo "help: run as root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}"
# A server that a package starts must not keep the lock.
"${as_root[@]}" apt-get update -qq 9<&-
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null 9<&-
