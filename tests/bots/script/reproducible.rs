//! Tests that a league gives the same records on every run, whatever its scripts do.

use crate::support::{Folder, project};

/// Scripts that look for something that differs between runs.
const SEEKERS: [&str; 5] = [
    "names-objects",
    "goes-through-objects",
    "waits-for-the-collector",
    "works-in-the-library",
    "lives-at-the-limit",
];

#[test]
fn records_are_the_same_in_every_process_and_on_every_number_of_threads() {
    // One of them is stopped by its step limit, always at the same decision.
    let faults = faults_of_one_digest(&SEEKERS);
    assert!(!faults.is_empty());
    assert!(
        faults
            .iter()
            .all(|message| message.starts_with("more than 100000 steps")),
        "{faults:?}"
    );
}

#[test]
fn loops_over_objects_have_the_same_order_in_every_process() {
    faults_of_one_digest(&["hides-a-loop"; 5]);
}

/// Plays a league of these scripts with several numbers of threads and asserts that the digests are
/// equal. Returns the messages of its faults.
fn faults_of_one_digest(scripts: &[&str]) -> Vec<String> {
    let entrants = scripts.iter().enumerate().map(|(number, name)| {
        let file = project().join(format!("scripts/faulty/{name}.lua"));
        format!(
            "{{name: {name}-{number}, bot: \"{}\", config: {{seek: true}}}}",
            file.display()
        )
    });
    let league = format!(
        "game: daihinmin\nseed: 5\nentrants: [{}, base]\nformat: {{kind: line-ups, size: 5}}\nblocks: 2\ndeals: 1\n\
         budget: {{lua_steps: 100000}}\n",
        entrants.collect::<Vec<_>>().join(", ")
    );
    let folder = Folder::of(&league);
    let digests = ["1", "3"].map(|threads| {
        folder.succeeds(format!("run x.yaml --no-report --restart --jobs {threads}"));
        folder.digest("x.yaml")
    });
    assert_eq!(digests[0], digests[1]);
    folder
        .records("x.sqlite")
        .into_iter()
        .flat_map(|record| record.faults)
        .map(|fault| fault.message)
        .collect()
}
