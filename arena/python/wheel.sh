#!/usr/bin/env bash
# Builds the wheel and tests it as a new user would: wheel.sh [--profile NAME] [--root]
#
# The program is built with `cargo build --release`, or with the profile NAME. It is not built again
# if it is up to date. With --root, the wheel is also tested in a separate root folder that contains
# only Python and its dependencies. This needs user namespaces (`unshare`).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
profile=release root=
while [ $# -gt 0 ]; do
  case $1 in
    --profile) profile=$2; shift ;;
    --root) root=yes ;;
    *) echo "usage: ${0##*/} [--profile NAME] [--root]" >&2; exit 2 ;;
  esac
  shift
done
target=${CARGO_TARGET_DIR:-$here/../../target}
mkdir -p "$target/wheel"
made=$(cd "$target/wheel" && pwd)
frames="pandas polars"

pip() { "$1" -m pip --quiet --disable-pip-version-check "${@:2}"; }
step() { printf -- '-- %s\n' "$*"; }

step "maturin"
[ -x "$made/tools/bin/maturin" ] || { python3 -m venv "$made/tools" && pip "$made/tools/bin/python" install 'maturin>=1.9,<2'; }
rm -rf "$made/dist"
(cd "$here" && "$made/tools/bin/maturin" build --locked --profile "$profile" --out "$made/dist")
wheel=$(echo "$made"/dist/*.whl)
[ -f "$wheel" ]
ls -l "$wheel"
python3 "$here/tests/platform_tag.py" "$wheel"

step "test in a new virtual environment"
rm -rf "$made/env" "$made/empty" "$made/home"
mkdir "$made/empty" "$made/home"
python3 -m venv "$made/env"
# shellcheck disable=SC2086
pip "$made/env/bin/python" install "$wheel[arrow]" $frames
(cd "$made/empty" && env -i HOME="$made/home" PATH="$made/env/bin" LANG=C.UTF-8 "$made/env/bin/python" "$here/tests/first_hour.py")
[ -z "$root" ] && exit 0

step "test in a root folder that contains only Python"
rm -rf "$made/bare" && mkdir -p "$made/bare"/{proc,dev,tmp,home,empty,wheels}
# shellcheck disable=SC2086
pip "$made/env/bin/python" download --dest "$made/bare/wheels" "$wheel[arrow]" $frames
# Copy the interpreter, its standard library, and all shared libraries that they need.
read -r prefix version < <(python3 -c 'import sys; print(sys.base_prefix, "%d.%d" % sys.version_info[:2])')
library=$prefix/lib/python$version
tar -C / --exclude=site-packages --exclude=dist-packages --exclude=__pycache__ --exclude='test' --exclude='config-*' \
  -cf - "${library#/}" | tar -C "$made/bare" -xf -
mkdir -p "$made/bare$library/site-packages"
# Copy the wheels that `venv` installs, if the system stores them outside the standard library.
wheels=$(python3 -c 'import sysconfig; print(sysconfig.get_config_var("WHEEL_PKG_DIR") or "")')
wheels=${wheels%/}
[ -z "$wheels" ] || { mkdir -p "$made/bare${wheels%/*}" && cp -r "$wheels" "$made/bare$wheels"; }
mapfile -t code < <(find -L "$library/lib-dynload" -name '*.so'; find -L "$prefix/lib" -maxdepth 1 -name 'libpython*.so*'; echo "$prefix/bin/python$version")
{ printf '%s\n' "${code[@]}"; ldd "${code[@]}" | grep -o '/[^ ]*' | grep -v ':$'; } | sort -u | while read -r file; do
  mkdir -p "$made/bare${file%/*}" && cp -L "$file" "$made/bare$file"
done
# Copy the other libraries of the C library and of the compiler: every system with Python has them.
system=$(dirname "$(ldd "$prefix/bin/python$version" | grep -o '/[^ ]*libc\.so\.6')")
for name in libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libm.so.6 libstdc++.so.6 libgcc_s.so.1; do
  cp -L "$(cc -print-file-name=$name)" "$made/bare$system/"
done
cp "$here/tests/first_hour.py" "$made/bare/"
others=$(cd "$made/bare" && find . -path ./wheels -prune -o -path ".$library" -prune -o -type f -perm /111 ! -name '*.so*' ! -name "python$version" -print)
[ -z "$others" ] || { echo "the root folder contains other programs than Python: $others" >&2; exit 1; }
MADE=$made PYTHON=$prefix/bin/python$version unshare --user --map-root-user --mount --pid --fork bash -euc '
  mount --rbind /dev "$MADE/bare/dev" && mount -t proc proc "$MADE/bare/proc"
  inside() { env -i HOME=/home PATH=/env/bin LANG=C.UTF-8 $(command -v chroot) "$MADE/bare" "$@"; }
  inside "$PYTHON" -m venv /env
  inside /env/bin/python -m pip --quiet --disable-pip-version-check install --no-index --find-links /wheels "hattari[arrow]" pandas polars
  inside /env/bin/python -c "import os, subprocess, sys; os.chdir(\"/empty\"); sys.exit(subprocess.run([sys.executable, \"/first_hour.py\"]).returncode)"
'
