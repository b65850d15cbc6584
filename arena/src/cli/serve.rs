//! `hattari serve`.

use super::folders::Folders;
use super::{CommandResult, Outcome, output, signals};
use crate::serve::{self, AccessRules, random_token};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Show leagues and games in a browser, and play against the bots
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The page of a league shows its report, and is updated while `hattari run` plays the league. It \
shows any game step by step, and you can play against the bots of the league. Ctrl-C ends the \
server.

The server listens on the loopback interface unless --address is given. With another address, \
every machine that can reach it can view the leagues and play, if it has the token: a random \
number that is printed in the URL at the start. The connection is not encrypted.

Examples:
  hattari serve leagues/demo.yaml                 then open the printed URL in a browser
  hattari serve leagues                           all leagues of a folder
  hattari serve leagues/demo.yaml --port 0        on any free port
  hattari serve leagues --address 0.0.0.0         also for other machines, with a token

Exit codes: 0 ended by Ctrl-C, 2 any error.")]
pub(super) struct Arguments {
    /// Leagues, or folders of leagues
    #[arg(value_name = "LEAGUE|FOLDER", required = true)]
    leagues: Vec<PathBuf>,
    /// IP address to listen on; an address other than loopback requires a token
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Port; 0 for any free port
    #[arg(long, default_value_t = 8737)]
    port: u16,
    /// The store of the league (default: next to the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let is_one = matches!(arguments.leagues.as_slice(), [league] if !league.is_dir());
    anyhow::ensure!(
        arguments.store.is_none() || is_one,
        "--store is allowed only with a single league"
    );
    let leagues = serve::find(
        &arguments.leagues,
        arguments.store.as_deref(),
        &arguments.folders.folders,
    )?;
    let listener = serve::bind(SocketAddr::new(arguments.address, arguments.port))?;
    let address = listener.local_addr()?;
    let is_remote = !arguments.address.is_loopback();
    let token = is_remote.then(random_token).transpose()?;
    // An unspecified address, such as 0.0.0.0, includes the loopback interface.
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
        output::tell(format_args!(
            "anyone with this token can view the leagues and play, from every machine that can \
            reach {address}; the connection is not encrypted"
        ));
    }
    output::tell("Ctrl-C ends the server");
    let port = address.port();
    serve::serve(listener, leagues, AccessRules { token, port }, &stop)?;
    Ok(Outcome::Done)
}
