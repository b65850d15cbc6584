#!/usr/bin/env bash
# Runs the fuzz targets one after the other with libFuzzer, on the stable toolchain.
#
# usage: tests/fuzz/run.sh SECONDS [TARGET...]
#
# README.md in this folder describes the targets. FUZZ_FLAGS can contain more flags for libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:?how many seconds for each target?}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(league plays answers worker lua_values lua_scripts wasm)

build=target/fuzz/build
triple=$(rustc -vV | sed -n 's/^host: //p')
# The compiler flags that cargo-fuzz uses without a sanitizer: they count executed edges and trace
# the operands of comparisons.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code"
bins=()
for target in "${targets[@]}"; do bins+=(--bin "$target"); done
cargo build --quiet --locked --release --manifest-path tests/fuzz/Cargo.toml --target "$triple" --target-dir "$build" "${bins[@]}"

for target in "${targets[@]}"; do
  mkdir -p "target/fuzz/corpus/$target" "target/fuzz/failures/$target"
  kept=()
  for folder in "tests/fuzz/corpus/$target" "tests/fuzz/past/$target"; do
    [ -d "$folder" ] && kept+=("$folder")
  done
  words=()
  [ -f "tests/fuzz/words/$target" ] && words=("-dict=tests/fuzz/words/$target")
  echo "== $target, $seconds s"
  # shellcheck disable=SC2086
  "$build/$triple/release/$target" "target/fuzz/corpus/$target" "${kept[@]}" "${words[@]}" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -artifact_prefix="target/fuzz/failures/$target/" ${FUZZ_FLAGS:-}
done
