#!/usr/bin/env bash
# Installs a built herald with its completions and manual pages below a prefix, or removes them:
# install.sh install BINARY PREFIX | install.sh uninstall PREFIX
# If herald-listen is next to the binary, it is installed too, unless HERALD_WITHOUT_LISTEN is set.
# DESTDIR is put before the prefix if the files are for another root.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)

prefix=${!#}
[[ $prefix = /* ]] || { echo "the prefix is not absolute: $prefix" >&2; exit 64; }
root=${DESTDIR:-}$prefix
bash_file=$root/share/bash-completion/completions/herald
zsh_file=$root/share/zsh/site-functions/_herald
fish_file=$root/share/fish/vendor_completions.d/herald.fish
pages=$root/share/man/man1

uninstall() {
    rm -f "$root/bin/herald" "$root/bin/herald-listen" "$root/bin/herald-ci" "$bash_file" "$zsh_file" "$fish_file" \
        "$pages"/herald.1 "$pages"/herald-*.1
}

install_all() {
    local binary=$1
    "$source/Scripts/install-packages.sh" python
    # Removes the pages of commands that no longer exist.
    uninstall
    install -D -m 755 "$binary" "$root/bin/herald"
    install -D -m 755 "$source/CI/herald-ci" "$root/bin/herald-ci"
    local listen
    listen=$(dirname "$binary")/herald-listen
    if [ -z "${HERALD_WITHOUT_LISTEN:-}" ] && [ -x "$listen" ]; then
        install -D -m 755 "$listen" "$root/bin/herald-listen"
    fi
    local shell file
    for shell in bash zsh fish; do
        file=${shell}_file
        install -d "$(dirname "${!file}")"
        "$binary" completions "$shell" >"${!file}"
    done
    "$source/Scripts/man-pages.py" "$binary" "$pages"
    echo "Installed herald under $root"
}

case $1 in
install) install_all "$2" ;;
uninstall) uninstall ;;
*) exit 64 ;;
esac
