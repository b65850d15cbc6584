//! A module that was built with the headers of the first release, stored as a binary.

use crate::support::Folder;

/// Digest of the league below when the module was built.
const DIGEST: &str = "2225ab39b7c1aab8";

#[test]
fn a_module_of_the_first_release_plays_the_same_games() {
    let folder = Folder::of(
        "game: daihinmin\nseed: 11\nentrants: [{name: first, bot: first.wasm}, {name: a, bot: random}, {name: b, bot: \
         random}, {name: c, bot: random}, {name: d, bot: random}]\nformat: {kind: line-ups, size: 5}\nblocks: 6\ndeals: 20\n",
    );
    folder.copy("tests/abi-v1/first.wasm", "first.wasm");
    folder
        .succeeds("check first.wasm --time 1 --blocks 1")
        .says(["no errors", "module"]);
    folder.run("1.sqlite", "").complains("0 faults");
    let digest = folder.digest("1.sqlite");
    assert_eq!(digest.split(' ').next(), Some(DIGEST));
}
