//! `hattari store prune`.

use super::list;
pub(super) use super::list::Arguments;
use crate::cli::{CommandResult, output};
use hattari_agents::text::counted;
use hattari_play::session::Session;
use hattari_play::store::StoreWriter;

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let store = Session::open(&arguments.file, None)?.into_stored()?.1;
    let (path, identity) = (store.path().to_owned(), store.identity().clone());
    let source = store.source().clone();
    drop(store);
    let pruned = StoreWriter::open(&path, &identity, &source)?.0.prune()?;
    output::tell(format_args!("{} deleted", counted(pruned, "block")));
    list::main(arguments)
}
