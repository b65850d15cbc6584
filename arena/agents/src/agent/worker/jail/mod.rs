//! What holds a stranger's code. The keeper enters name spaces (`spaces`); each process that it
//! starts gives up what it can and sets its last filter (`hold`, `calls`) before a byte of the
//! library is mapped; the keeper opens the files that loading needs on its behalf (`opener`) and
//! looks from outside at what holds it once it is loaded (`status`).

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
pub(in crate::agent) mod filters;
#[cfg(target_os = "linux")]
mod hold;
#[cfg(target_os = "linux")]
mod opener;
#[cfg(target_os = "linux")]
mod spaces;
#[cfg(target_os = "linux")]
mod status;

#[cfg(target_os = "linux")]
pub(super) use {
    calls::{FILTERS, can_be_supervised},
    hold::{Terms, flush_outputs, hold, put_in_place},
    opener::{Copies, Opener, file_ranges},
    spaces::{Spaces, enter},
};
#[cfg(target_os = "linux")]
pub(in crate::agent) use {
    spaces::{give_up_root, map_user},
    status::{Status, filters_of_this_process},
};
