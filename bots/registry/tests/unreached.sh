#!/usr/bin/env bash
# Writes unreached.txt: the lines of built-in bots that are not executed in the games of choices.rs.
# Slow bots play only their first games there. choices.txt does not detect a change in these lines.
# Needs `rustup component add llvm-tools`.
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LLVM_PROFILE_FILE=$work/%p.profraw
test=$(RUSTFLAGS="-C instrument-coverage" cargo test --target-dir target/coverage -p hattari-bots --test choices --no-run \
  --message-format=json | sed -nE 's/.*"executable":"([^"]*choices-[^"]*)".*/\1/p')
rm -f "$work"/*.profraw
(cd bots/registry && "$test")
llvm=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin
"$llvm/llvm-profdata" merge -sparse "$work"/*.profraw -o "$work/all"
"$llvm/llvm-cov" export --format=lcov --instr-profile="$work/all" "$test" |
  awk -v root="$PWD/" -F'[:,]' '
    /^SF:/ { file = substr($2, length(root) + 1); lines = 0; bot = file ~ /^bots\/[^\/]*\/src/
             if (bot) while ((getline text < (root file)) > 0) source[file, ++lines] = text }
    /^DA:/ && bot && $3 == 0 { text = source[file, $2]; sub(/^ */, "", text); print file ": " text }' |
  grep -vE ': [])}>,;? ]*$' | LC_ALL=C sort -t: -k1,1 -s >bots/registry/tests/unreached.txt
