#!/bin/sh
# Tells a user who may not install packages what is missing, before minutes of compilation. Root passes: the set-up step
# of `python-wasm` installs what is missing, and has the last word for everybody.
set -eu

[ "$(id -u)" -ne 0 ] || exit 0

has() {
    case $1 in
        program | llvm) command -v "$2" >/dev/null ;;
        header) echo "#include <$2>" | cc -E - >/dev/null 2>&1 ;;
        library) ls "$(clang-22 -print-resource-dir)"/lib/*/"$2"* >/dev/null 2>&1 ;;
    esac
}

things='' packages=''
while read -r kind thing names; do
    case $kind in '#' | '') continue ;; esac
    case ${WASI_SDK_PATH:+$kind} in llvm | library) continue ;; esac
    has "$kind" "$thing" 2>/dev/null && continue
    things="$things${things:+, }$thing"
    packages="$packages $names"
done <"$(dirname "$0")/packages.txt"

[ -n "$things" ] || exit 0
echo "not installed: $things; nothing was changed" >&2
echo "hint: run as root, on Debian or a relative of it:" >&2
# Unquoted, so that each package is a line of its own.
names=$(printf '%s\n' $packages | sort -u | tr '\n' ' ')
echo "  apt-get update && apt-get install -y --no-install-recommends ${names% }" >&2
exit 1
