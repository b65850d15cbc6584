# Sourced by run and nightly. Installs the programs that ignored tests, benchmarks and packages
# need, and sets the variables with their paths. Without apt-get, pip or npm, a missing program
# makes its tests fail.

step() { printf '\n== %s (%s)\n' "$*" "$(date +%T)"; }

# Installs the given Debian packages if they are missing.
packages() {
  local missing=() package
  for package; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null
}

# Installs the tools that README.md lists for the build and for `cargo test`.
install_basics() {
  if command -v apt-get >/dev/null; then
    packages build-essential
  fi
}

# Installs the tools that ignored tests name in the reasons of their `ignore` attributes.
install_tools() {
  step "install tools"
  if command -v apt-get >/dev/null; then
    packages make python3-venv python3 libdds0 clang lld wasi-libc libclang-rt-dev-wasm32 chromium fonts-dejavu-core parallel valgrind \
      nodejs golang-go default-jdk-headless
  fi
  if command -v rustup >/dev/null; then
    rustup target add wasm32-wasip1 || true
    # Download the dependencies now: tests build without a network.
    cargo fetch --locked --target wasm32-wasip1
  fi
  [ -x target/npm/node_modules/.bin/asc ] || npm install --silent --no-fund --no-audit --prefix target/npm assemblyscript@0.28.20
  if ! target/python/bin/python -c 'import dask, distributed, endplay, ipykernel, mypy, nbclient, pandas, pokerkit, polars, pyarrow, pytest, ziglang' 2>/dev/null; then
    python3 -m venv target/python
    target/python/bin/pip install --quiet --disable-pip-version-check \
      dask==2026.8.0 distributed==2026.8.0 endplay==0.5.12 pokerkit==0.7.7 ziglang==0.17.1 \
      ipykernel==7.4.0 mypy==2.4.1 nbclient==0.11.0 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 pytest==9.2.0
  fi
  # Skip tests of this target if it is missing: only rustup can install it, and it needs its server.
  not_here=()
  if [ ! -d "$(rustc --print target-libdir --target wasm32-wasip1)" ]; then
    echo "NOT RUN: tests called wasip1_*, because the Rust target wasm32-wasip1 cannot be installed here"
    not_here=(--skip wasip1_)
  fi
  export HATTARI_ASC="$PWD/target/npm/node_modules/.bin/asc" HATTARI_PYTHON="$PWD/target/python/bin/python"
}
