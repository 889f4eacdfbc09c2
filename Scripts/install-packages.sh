#!/usr/bin/env bash
# Installs the missing Debian packages for building, running and testing Herald.
set -euo pipefail

packages=(
    libyaml-dev libcurl4-openssl-dev libssl-dev libnghttp2-dev libmimalloc-dev libsqlite3-dev
    pkg-config tzdata python3 python3-venv curl nghttp2-client nghttp2-proxy openssl strace tmux chromium
    cmark-gfm fonts-dejavu-core git jq bash-completion zsh fish man-db mandoc
)

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo --non-interactive)
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
