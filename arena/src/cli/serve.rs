//! `hattari serve`.

use super::folders::Folders;
use super::{Outcome, output, signals};
use crate::serve::{self, Guard, unguessable};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Show leagues and games in a browser, and play against the bots
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The page of a league shows its report and is made anew while somebody plays the league (`hattari run`, beside this); it
shows any game step by step, and a person may take a seat against the league's bots. Ctrl-C ends the server.

It is this machine's alone. With another --address, anybody in reach who has the token may look and play: the token is drawn
when the server starts, and printed in the address to open. Nothing is encrypted.

Examples:
  hattari serve leagues/demo.yaml                 open what it prints in a browser
  hattari serve leagues                           all leagues of a folder
  hattari serve leagues/demo.yaml --port 0        on any free port
  hattari serve leagues --address 0.0.0.0         for other machines too, with a token

Exit codes: 0 ended by Ctrl-C, 2 any error.")]
pub(super) struct Arguments {
    /// Leagues, or folders of leagues
    #[arg(value_name = "LEAGUE|FOLDER", required = true)]
    leagues: Vec<PathBuf>,
    /// The address to listen at; any but this machine's own takes a token
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 8737)]
    port: u16,
    /// Where the results of the league are kept; without it, beside the league
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let is_one = matches!(arguments.leagues.as_slice(), [league] if !league.is_dir());
    anyhow::ensure!(
        arguments.store.is_none() || is_one,
        "--store goes with a single league"
    );
    let leagues = serve::find(
        &arguments.leagues,
        arguments.store.as_deref(),
        &arguments.folders.folders,
    )?;
    let listener = serve::bind(SocketAddr::new(arguments.address, arguments.port))?;
    let address = listener.local_addr()?;
    let token = if arguments.address.is_loopback() {
        None
    } else {
        Some(unguessable()?)
    };
    // An unspecified address includes the loopback interface.
    let shown = if address.ip().is_unspecified() {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), address.port())
    } else {
        address
    };
    let query = token
        .as_ref()
        .map_or_else(String::new, |token| format!("?token={token}"));
    let path = if leagues.len() == 1 { "league/0" } else { "" };
    let stop = signals::stop_flag()?;
    output::print(&format!("open http://{shown}/{path}{query}\n"))?;
    if token.is_some() {
        eprintln!(
            "whoever has this token may look and play, from every machine that reaches {address}; nothing is encrypted"
        );
    }
    eprintln!("Ctrl-C ends the server");
    serve::serve(listener, leagues, Guard { token }, &stop)?;
    Ok(Outcome::Done)
}
