#!/usr/bin/env bash
# Checks a Debian package of Herald: check-deb.sh PACKAGE
#
# lintian must find nothing. The program must be stripped, and have a read-only table of functions (full RELRO) and no path for
# libraries. The sizes have limits.
set -euo pipefail
package=$1
"$(dirname "$0")/../install-packages.sh" package
maximal_package=25000000
# Decision 85 says what the parts of the program are.
maximal_installed=68000000

problems=0
refuse() {
    echo "check-deb.sh: $1" >&2
    problems=1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(--allow-root)
lintian "${as_user[@]}" --fail-on error,warning,info "$package" || refuse "lintian has findings"
dpkg-deb --extract "$package" "$folder"
program=$(find "$folder/usr/bin" -name herald -o -name herald-listen)
! readelf --sections --wide "$program" | grep --quiet --extended-regexp '\.(symtab|debug_)' || refuse "the program is not stripped"
dynamic=$(readelf --dynamic --wide "$program")
! grep --extended-regexp 'RPATH|RUNPATH' <<<"$dynamic" || refuse "the program has a path for libraries"
grep --quiet BIND_NOW <<<"$dynamic" || refuse "the program resolves functions later (no BIND_NOW)"
readelf --program-headers --wide "$program" | grep --quiet GNU_RELRO || refuse "the program has no RELRO"
! grep --quiet --text --fixed-strings "$PWD/" "$program" || refuse "the program contains the path $PWD"
size=$(stat --format %s "$package")
installed=$(du --summarize --apparent-size --bytes "$folder" | cut -f 1)
echo "package $size bytes, installed $installed bytes"
[ "$size" -le $maximal_package ] || refuse "the package has more than $maximal_package bytes"
[ "$installed" -le $maximal_installed ] || refuse "the installed files have more than $maximal_installed bytes"
exit $problems
