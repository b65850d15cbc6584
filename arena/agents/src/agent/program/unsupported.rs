//! Stubs for systems without a sandbox for programs.

use crate::agent::sandbox::{ALTERNATIVES, SandboxSpec};
use crate::agent::{CommandLine, ProcessLimits, SandboxReport};
use std::path::Path;
use std::process::Command;

pub(super) fn command(_spec: &SandboxSpec) -> Result<Command, String> {
    Err("programs cannot be sandboxed on this system".to_owned())
}

pub(super) fn sandboxed(
    _command: &CommandLine,
    _base: &Path,
    _limits: ProcessLimits,
) -> Result<(SandboxSpec, SandboxReport), String> {
    Err(format!(
        "`isolation: process` for programs needs Linux; {ALTERNATIVES}"
    ))
}
