//! Restriction of files and network with Landlock.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use std::path::PathBuf;

/// Allows only reading the files in `readable`; no network, and no signals to other processes.
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
        (RulesetStatus::FullyEnforced, _) => {
            Ok("no file by itself, no network, no signals to others".to_owned())
        }
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            Err(format!(
                "in part: this kernel has version {effective_abi:?} of it, {WANTED:?} does all"
            ))
        }
        (_, LandlockStatus::NotEnabled) => Err("it is switched off in this kernel".to_owned()),
        (_, LandlockStatus::NotImplemented) => Err("this kernel does not have it".to_owned()),
        (_, LandlockStatus::Available { .. }) => Err("it was not enforced".to_owned()),
    }
}
