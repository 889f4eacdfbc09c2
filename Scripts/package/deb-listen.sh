#!/usr/bin/env bash
# Builds the Debian package of a built herald-listen: deb-listen.sh BINARY FOLDER
#
# The package is in FOLDER afterwards, next to that of herald, on which it depends. So herald needs no libstrophe. Its
# bytes depend only on the binary, the files of this repository and SOURCE_DATE_EPOCH (default: the time of the commit).
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
binary=$(readlink -f "$1")
mkdir -p "$2"
target=$(readlink -f "$2")
"$source/Scripts/install-packages.sh" python package

umask 022
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct)}
version=$("$binary" --version | sed -nE '1s/^herald ([0-9.]+).*/\1/p')-1
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
stage=$root/stage
documents=$stage/usr/share/doc/herald-listen
files=$source/Scripts/package/debian

install -D -m 755 "$binary" "$stage/usr/bin/herald-listen"
strip --remove-section=.comment --remove-section=.note "$stage/usr/bin/herald-listen"
mkdir -p "$documents"
"$source/Scripts/package/sbom.py" --version "$version" --copyright "$documents/copyright" \
    --output "$documents/herald-listen.spdx.json" "$stage/usr/bin/herald-listen"
gzip -9 -n --stdout "$source/CHANGELOG.md" >"$documents/changelog.gz"
sed "s/^herald /herald-listen /; s/@VERSION@/$version/
    s/@DATE@/$(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")/" \
    "$files/changelog.in" | gzip -9 -n >"$documents/changelog.Debian.gz"
install -D -m 644 "$files/lintian-overrides-listen" "$stage/usr/share/lintian/overrides/herald-listen"

mkdir -p "$root/debian"
printf 'Source: herald\n\nPackage: herald-listen\nArchitecture: any\n' >"$root/debian/control"
linked=$(cd "$root" && dpkg-shlibdeps -O --ignore-missing-info "$stage/usr/bin/herald-listen" 2>/dev/null)

mkdir -p "$stage/DEBIAN"
sed "s/@VERSION@/$version/g; s/@ARCHITECTURE@/$architecture/; s/@LINKED@/${linked#*=}/
    s/@SIZE@/$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$stage" | cut -f 1)/" \
    "$files/control-listen.in" >"$stage/DEBIAN/control"
(cd "$stage" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum) >"$stage/DEBIAN/md5sums"
find "$stage" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package=$target/herald-listen_${version}_$architecture.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$stage" "$package" >/dev/null
sha256sum "$package"
