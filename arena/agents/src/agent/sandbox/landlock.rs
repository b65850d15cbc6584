//! Restriction of files and network with Landlock.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use std::path::PathBuf;

/// Restricts this process: it can then read only the files in `readable`, and can neither write
/// files, use the network nor send signals to other processes. Returns a description of the
/// restriction, or the reason why it is not completely in effect.
pub(super) fn restrict_files(readable: &[PathBuf]) -> Result<String, String> {
    const WANTED: ABI = ABI::V6;
    let restrict = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(WANTED))?
            .handle_access(AccessNet::from_all(WANTED))?
            .scope(Scope::from_all(WANTED))?
            .create()?
            .add_rules(path_beneath_rules(readable, AccessFs::ReadFile))?
            .restrict_self()
    };
    let status = restrict().map_err(|error: landlock::RulesetError| error.to_string())?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Ok(
            "it cannot open files (except libraries while it loads), use the network or send signals"
                .to_owned(),
        ),
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            Err(format!(
                "only partly in effect: this kernel supports Landlock {effective_abi:?}; all \
                 restrictions need {WANTED:?}"
            ))
        }
        (_, LandlockStatus::NotEnabled) => Err("Landlock is disabled in this kernel".to_owned()),
        (_, LandlockStatus::NotImplemented) => {
            Err("this kernel does not support Landlock".to_owned())
        }
        (_, LandlockStatus::Available { .. }) => Err("Landlock was not enforced".to_owned()),
    }
}
