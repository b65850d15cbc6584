//! The same league gives the same records, whatever its scripts do.

use crate::support::{Folder, project};

/// Scripts that look for something that is not the same twice.
const SEEKERS: [&str; 5] =
    ["names-objects", "goes-through-objects", "waits-for-the-collector", "works-in-the-library", "lives-at-the-limit"];

#[test]
fn records_are_the_same_in_every_process_and_on_every_number_of_threads() {
    let scripts = SEEKERS.map(|name| {
        let file = project().join(format!("scripts/faulty/{name}.lua"));
        format!("{{name: {name}, bot: \"{}\", config: {{seek: true}}}}", file.display())
    });
    let league = format!(
        "game: daihinmin\nseed: 5\nentrants: [{}, base]\nformat: {{kind: line-ups, size: 5}}\nblocks: 2\ndeals: 2\n\
         budget: {{lua_steps: 100000}}\n",
        scripts.join(", ")
    );
    let folder = Folder::of(&league);
    let mut digests = ["1", "2", "3"].map(|threads| {
        folder.hattari(&["run", "x.yaml", "--no-report", "--restart", "--jobs", threads]).code(0);
        folder.hattari(&["records", "x.yaml", "--digest"]).code(0).out
    });
    digests.sort();
    assert_eq!(digests[0], digests[2]);
    // One of them is stopped, by steps, and always at the same decision.
    let faults = folder.records("x.sqlite").into_iter().flat_map(|record| record.faults).collect::<Vec<_>>();
    assert!(faults.iter().any(|fault| fault.message.starts_with("more than 100000 steps")), "{faults:?}");
    assert!(faults.iter().all(|fault| fault.message.starts_with("more than 100000 steps")), "{faults:?}");
}
