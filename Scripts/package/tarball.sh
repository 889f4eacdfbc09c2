#!/usr/bin/env bash
# Builds the archive for any Linux with glibc 2.35 or later: tarball.sh BINARY FOLDER
#
# BINARY is linked with HERALD_PORTABLE=1: it looks for libraries in ../lib/herald first. The archive has all that it
# needs except for the C library. Its bytes depend only on the binary, the files of this repository, the installed
# libraries and SOURCE_DATE_EPOCH (default: the time of the commit).
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
binary=$(readlink -f "$1")
mkdir -p "$2"
target=$(readlink -f "$2")
"$source/Scripts/install-packages.sh" build python package

umask 022
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
version=$("$binary" --version | sed -nE '1s/^herald ([0-9.]+).*/\1/p')
name=herald-$version-linux-$(uname -m)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
stage=$root/$name

# Oldest C library on which the archive runs, and the one that `herald-listen` needs: expat, which libstrophe needs, calls
# `arc4random_buf`.
oldest=2.35
oldest_to_listen=2.36
# The parts of the C library stay those of the system: they belong to its loader, name services and kernel.
system='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|nss_.*|util|anl))[.]so'

readelf --dynamic --wide "$binary" | grep --quiet 'RPATH.*\$ORIGIN/../lib/herald' ||
    { echo "tarball.sh: $binary is not linked for the archive: HERALD_PORTABLE=1 Scripts/build-static.sh" >&2; exit 64; }

# The libraries that Herald opens itself.
mapfile -t opened < <(ldconfig -p | awk '$1 == "libcurl.so.4" || $1 == "libpq.so.5" { print $NF }' | sort --unique)
[ ${#opened[@]} = 2 ] || { echo "tarball.sh: libcurl.so.4 or libpq.so.5 is not installed" >&2; exit 1; }

# Prints the libraries that programs or libraries need, and those that these need.
needed() { ldd "$@" | awk -v own="$system" '$1 !~ own && $2 == "=>" && $3 ~ /^\// { print $3 }' | sort --unique; }

# Refuses files that need a later C library: limit VERSION FILE...
limit() {
    local needs
    needs=$(objdump --dynamic-syms "${@:2}" | grep --only-matching --perl-regexp 'GLIBC_\K[0-9.]+' | sort --version-sort | tail -n 1)
    [ "$(printf '%s\n' "$needs" "$1" | sort --version-sort | tail -n 1)" = "$1" ] ||
        { echo "tarball.sh: $2 or a library of it needs glibc $needs, later than $1" >&2; exit 1; }
}

mkdir -p "$stage/lib/herald" "$stage/share/licences"
DESTDIR=$stage "$source/Scripts/install.sh" install "$binary" / >/dev/null
programs=("$stage/bin/herald")
listen=$(dirname "$binary")/herald-listen
[ ! -x "$listen" ] || programs+=("$stage/bin/herald-listen")
strip --remove-section=.comment "${programs[@]}"
for program in "${programs[@]}"; do
    dynamic=$(readelf --dynamic --wide "$program")
    [[ $dynamic == *BIND_NOW* && $dynamic == *'[$ORIGIN/../lib/herald]'* && $dynamic != *RUNPATH* ]] ||
        { echo "tarball.sh: $program has no full RELRO, or another path for libraries than ../lib/herald" >&2; exit 1; }
done

libraries=$(needed "$stage/bin/herald" "${opened[@]}")
mapfile -t libraries <<<"$libraries"
libraries+=("${opened[@]}")
limit "$oldest" "$stage/bin/herald" "${libraries[@]}"
if [ ${#programs[@]} = 2 ]; then
    listening=$(needed "${programs[1]}")
    mapfile -t listening <<<"$listening"
    limit "$oldest_to_listen" "${programs[1]}" "${listening[@]}"
    libraries+=("${listening[@]}")
fi
install -m 644 $(printf '%s\n' "${libraries[@]}" | sort --unique) "$stage/lib/herald"

# The programs contain libstdc++ (build-static.sh).
"$source/Scripts/package/sbom.py" "${libraries[@]/#/--library=}" --static libstdc++6 --version "$version" \
    --copyright "$stage/share/licences/herald" --output "$stage/share/herald.spdx.json" "${programs[@]}"
for package in $(python3 -c 'import json, sys
for part in json.load(open(sys.argv[1]))["packages"]:
    if part["SPDXID"].startswith("SPDXRef-Debian-"): print(part["name"])' "$stage/share/herald.spdx.json"); do
    cp -L "/usr/share/doc/$package/copyright" "$stage/share/licences/$package"
done
cp "$source/LICENSE" "$stage/LICENSE"
cp "$source/Scripts/package/tarball-readme.md" "$stage/README.md"
install -m 644 "$source/Documentation/Operations/herald-run.service" "$stage/share/herald-run.service"
chmod -R u=rwX,go=rX "$stage"
archive=$target/$name.tar.gz
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
    --directory "$root" "$name" | gzip -9 -n >"$archive"
cp "$stage/share/herald.spdx.json" "$target/$name.spdx.json"
(cd "$target" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
