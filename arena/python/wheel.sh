#!/usr/bin/env bash
# Makes the wheel and tries it as somebody does who has nothing else: wheel.sh [--profile NAME] [--root]
#
# The program is that of `cargo build --release`, or of another profile: where it has been built it is not built again. With --root the wheel
# is tried in a root of its own, too, with Python and what that needs in it and nothing besides; that takes name spaces (`unshare`).
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

step "in an environment with nothing else"
rm -rf "$made/env" "$made/empty" "$made/home"
mkdir "$made/empty" "$made/home"
python3 -m venv "$made/env"
# shellcheck disable=SC2086
pip "$made/env/bin/python" install "$wheel[arrow]" $frames
(cd "$made/empty" && env -i HOME="$made/home" PATH="$made/env/bin" LANG=C.UTF-8 "$made/env/bin/python" "$here/tests/first_hour.py")
[ -z "$root" ] && exit 0

step "in a root with nothing but Python"
rm -rf "$made/bare" && mkdir -p "$made/bare"/{proc,dev,tmp,home,empty,wheels}
# shellcheck disable=SC2086
pip "$made/env/bin/python" download --dest "$made/bare/wheels" "$wheel[arrow]" $frames
# The interpreter with its library, and every shared library that they name.
read -r prefix version < <(python3 -c 'import sys; print(sys.base_prefix, "%d.%d" % sys.version_info[:2])')
library=$prefix/lib/python$version
tar -C / --exclude=site-packages --exclude=dist-packages --exclude=__pycache__ --exclude='test' --exclude='config-*' \
  -cf - "${library#/}" | tar -C "$made/bare" -xf -
mkdir -p "$made/bare$library/site-packages"
# What `venv` installs, where the system keeps that beside Python.
wheels=$(python3 -c 'import sysconfig; print(sysconfig.get_config_var("WHEEL_PKG_DIR") or "")')
wheels=${wheels%/}
[ -z "$wheels" ] || { mkdir -p "$made/bare${wheels%/*}" && cp -r "$wheels" "$made/bare$wheels"; }
mapfile -t code < <(find -L "$library/lib-dynload" -name '*.so'; find -L "$prefix/lib" -maxdepth 1 -name 'libpython*.so*'; echo "$prefix/bin/python$version")
{ printf '%s\n' "${code[@]}"; ldd "${code[@]}" | grep -o '/[^ ]*' | grep -v ':$'; } | sort -u | while read -r file; do
  mkdir -p "$made/bare${file%/*}" && cp -L "$file" "$made/bare$file"
done
# The rest of the C library and of the compilers' own, which every system with Python has.
system=$(dirname "$(ldd "$prefix/bin/python$version" | grep -o '/[^ ]*libc\.so\.6')")
for name in libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libm.so.6 libstdc++.so.6 libgcc_s.so.1; do
  cp -L "$(cc -print-file-name=$name)" "$made/bare$system/"
done
cp "$here/tests/first_hour.py" "$made/bare/"
others=$(cd "$made/bare" && find . -path ./wheels -prune -o -path ".$library" -prune -o -type f -perm /111 ! -name '*.so*' ! -name "python$version" -print)
[ -z "$others" ] || { echo "there is more than Python: $others" >&2; exit 1; }
MADE=$made PYTHON=$prefix/bin/python$version unshare --user --map-root-user --mount --pid --fork bash -euc '
  mount --rbind /dev "$MADE/bare/dev" && mount -t proc proc "$MADE/bare/proc"
  inside() { env -i HOME=/home PATH=/env/bin LANG=C.UTF-8 $(command -v chroot) "$MADE/bare" "$@"; }
  inside "$PYTHON" -m venv /env
  inside /env/bin/python -m pip --quiet --disable-pip-version-check install --no-index --find-links /wheels "hattari[arrow]" pandas polars
  inside /env/bin/python -c "import os, subprocess, sys; os.chdir(\"/empty\"); sys.exit(subprocess.run([sys.executable, \"/first_hour.py\"]).returncode)"
'
