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

# Oldest C library on which the archive runs, and its parts, which stay those of the system: they belong to the
# system's loader, name services and kernel.
oldest=2.35
system='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|nss_.*|util|anl))\.so'

readelf --dynamic --wide "$binary" | grep --quiet 'RPATH.*\$ORIGIN/../lib/herald' ||
    { echo "tarball.sh: $binary is not linked for the archive: HERALD_PORTABLE=1 Scripts/build-static.sh" >&2; exit 64; }

# Prints the files that a program or a library needs, and those that these need.
needed() {
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort --unique
}

library() { readlink -f "$(ldconfig -p | awk -v name="$1" '$1 == name { print $NF; exit }')"; }

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
libraries=()
while read -r path; do
    file=$(basename "$path")
    [[ ! $file =~ $system ]] || continue
    install -m 644 "$path" "$stage/lib/herald/$file"
    libraries+=(--library "$path")
done < <({ needed "${programs[@]}" "$(library libcurl.so.4)" "$(library libpq.so.5)"
    ldconfig -p | awk '$1 == "libcurl.so.4" || $1 == "libpq.so.5" { print $NF }' | sort --unique; } | sort --unique)

# A library that needs a later C library would fail on the oldest one.
needs=$(objdump --dynamic-syms "${programs[@]}" "$stage"/lib/herald/* |
    grep --only-matching --perl-regexp 'GLIBC_\K[0-9.]+' | sort --version-sort --unique | tail -n 1)
[ "$(printf '%s\n' "$needs" "$oldest" | sort --version-sort | tail -n 1)" = "$oldest" ] ||
    { echo "tarball.sh: a library needs glibc $needs, later than $oldest" >&2; exit 1; }

"$source/Scripts/package/sbom.py" "${libraries[@]}" --version "$version" --copyright "$stage/share/licences/herald" \
    --output "$stage/share/herald.spdx.json" "${programs[@]}"
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
