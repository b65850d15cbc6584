//! `export_bots!` in a crate that forbids unsafe code: it compiles and exports the declared bots.
#![forbid(unsafe_code)]

use hattari_plugin::daihinmin::{self, Block, Turn};
use hattari_plugin::{NoConfig, abi};

struct First;

impl daihinmin::Bot for First {
    type Config = NoConfig;
    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(First)
    }
    fn act(&mut self, _: &Turn) -> usize {
        0
    }
}

hattari_plugin::export_bots![
    daihinmin::bot::<First>("first", "1.0.0", "Plays the first action"),
    daihinmin::bot::<First>("again", "1.0.0", "Plays the first action too")
        .author("A. Nonymous")
        .license("MIT"),
];

#[test]
fn the_version_can_be_read_without_calling_a_function() {
    assert_eq!(HATTARI_ENTRY.abi_major, abi::ABI_MAJOR);
    assert_eq!(HATTARI_ENTRY.struct_size as usize, size_of::<abi::Entry>());
}
