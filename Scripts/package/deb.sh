#!/usr/bin/env bash
# Builds a Debian package of a built herald: deb.sh BINARY FOLDER
#
# The package is in FOLDER afterwards. Its bytes depend only on the binary, the files of this repository and
# SOURCE_DATE_EPOCH (default: the time of the commit).
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
documents=$stage/usr/share/doc/herald
files=$source/Scripts/package/debian

# Compresses without the name and the time of the file.
compress() { gzip -9 -n "$@"; }

# herald-listen has its own package.
HERALD_WITHOUT_LISTEN=1 DESTDIR=$stage "$source/Scripts/install.sh" install "$binary" /usr >/dev/null
strip --remove-section=.comment --remove-section=.note "$stage/usr/bin/herald"
mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions"
install -m 644 "$files/herald-ci.1" "$stage/usr/share/man/man1/herald-ci.1"
# A shell reads this file and does not execute it.
sed -i '1{/^#!/d}' "$stage/usr/share/bash-completion/completions/herald"
compress "$stage"/usr/share/man/man1/*.1

install -D -m 644 "$source/Documentation/Operations/herald-run.service" "$stage/lib/systemd/system/herald-run.service"
sed -i 's|/usr/local/bin/herald|/usr/bin/herald|; s|see Running.md|see /usr/share/doc/herald/README.md|' \
    "$stage/lib/systemd/system/herald-run.service"
install -d "$stage/etc/herald"

install -D -m 644 "$source/README.md" "$documents/README.md"
install -D -m 644 -t "$documents/examples" "$source/Documentation/Operations/alert-rules.yaml" \
    "$source/Documentation/Operations/grafana-dashboard.json" "$source/Documentation/Operations/kubernetes-deployment.yaml" \
    "$source/Documentation/Operations/kubernetes-cronjob.yaml"
"$source/Scripts/package/sbom.py" --version "$version" --copyright "$documents/copyright" \
    --output "$documents/herald.spdx.json" "$stage/usr/bin/herald"
compress --stdout "$source/CHANGELOG.md" >"$documents/changelog.gz"
sed "s/@VERSION@/$version/; s/@DATE@/$(date --utc --rfc-email --date "@$SOURCE_DATE_EPOCH")/" \
    "$files/changelog.in" | compress >"$documents/changelog.Debian.gz"
install -D -m 644 "$files/lintian-overrides" "$stage/usr/share/lintian/overrides/herald"

# The libraries that the program is linked with. It opens libcurl, libssl and libpq itself.
mkdir -p "$root/debian"
printf 'Source: herald\n\nPackage: herald\nArchitecture: any\n' >"$root/debian/control"
linked=$(cd "$root" && dpkg-shlibdeps -O --ignore-missing-info "$stage/usr/bin/herald" 2>/dev/null)

mkdir -p "$stage/DEBIAN"
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@LINKED@/${linked#*=}/
    s/@SIZE@/$(du --summarize --apparent-size --block-size=1024 --exclude=DEBIAN "$stage" | cut -f 1)/" \
    "$files/control.in" >"$stage/DEBIAN/control"
install -m 755 "$files"/{postinst,prerm,postrm} "$stage/DEBIAN"
(cd "$stage" && find usr lib -type f -print0 | sort --zero-terminated | xargs --null md5sum) >"$stage/DEBIAN/md5sums"
find "$stage" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package=$target/herald_${version}_$architecture.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$stage" "$package" >/dev/null
sha256sum "$package"
