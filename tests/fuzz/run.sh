#!/usr/bin/env bash
# Fuzzes with libFuzzer on the stable toolchain: `tests/fuzz/run.sh SECONDS [TARGET...]`, one target after the other.
#
# See README.md beside this file. Flags for libFuzzer may be given in FUZZ_FLAGS.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:?how many seconds for each target?}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(league plays answers worker lua_values lua_scripts wasm)

build=target/fuzz/build
triple=$(rustc -vV | sed -n 's/^host: //p')
# What cargo-fuzz asks of the compiler where no sanitizer is wanted: counters in every edge, and what is compared.
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
