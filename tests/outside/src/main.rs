//! The arena's command with two additional games: leagues, reports, replays, checks and pages of
//! Kuhn poker and Leduc hold'em.

use hattari_outside::kuhn::Kuhn;
use hattari_outside::leduc::Leduc;
use std::process::ExitCode;

fn main() -> ExitCode {
    hattari::command().game::<Kuhn>().game::<Leduc>().run()
}
