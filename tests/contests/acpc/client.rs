//! An independent ACPC client, written only from the protocol, for heads-up no-limit hold'em.

use std::io::{BufRead, BufReader, Result, Write};
use std::net::{SocketAddr, TcpStream};

/// Chips of every player at the start of every hand, and the big blind.
const STACK: i64 = 20_000;
const BLIND: i64 = 100;

/// A connection to a dealer, after the greeting.
pub(super) struct Client {
    pub tcp: TcpStream,
    reader: BufReader<TcpStream>,
}

/// The chips put in, and the player to act.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub spent: [i64; 2],
    /// Position to act, or `None` if the hand is over.
    pub to_act: Option<usize>,
    /// Smallest total of a raise; more than the stack if no raise is possible.
    pub lowest: i64,
}

/// Returns the state of a heads-up hand, by the rules in the protocol's documentation. Position 0
/// has the big blind.
pub(super) fn table(betting: &str) -> Table {
    let (mut spent, mut folded, mut lowest) = ([BLIND, BLIND / 2], false, 2 * BLIND);
    let (mut round, mut acted, mut to_act) = (0, 0, 1);
    let mut letters = betting.chars().peekable();
    while let Some(letter) = letters.next() {
        let most = spent[0].max(spent[1]);
        match letter {
            '/' => {
                (round, acted, to_act) = (round + 1, 0, 0);
                lowest = most + BLIND;
                continue;
            }
            'f' => folded = true,
            'c' => spent[to_act] = most,
            _ => {
                let mut total = 0;
                while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                    total = 10 * total + i64::from(digit);
                    letters.next();
                }
                lowest = lowest.max(2 * total - most);
                spent[to_act] = total;
            }
        }
        acted += 1;
        to_act = 1 - to_act;
    }
    let is_even = spent[0] == spent[1];
    let is_over = folded || (is_even && (spent[0] == STACK || (round == 3 && acted > 1)));
    Table {
        spent,
        to_act: (!is_over).then_some(to_act),
        lowest,
    }
}

impl Client {
    /// Connects and sends the greeting.
    pub(super) fn come(address: SocketAddr, greeting: &str) -> Result<Client> {
        let tcp = TcpStream::connect(address)?;
        tcp.set_nodelay(true)?;
        let mut client = Client {
            reader: BufReader::new(tcp.try_clone()?),
            tcp,
        };
        client.say(greeting)?;
        Ok(client)
    }

    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        self.tcp.write_all(text.as_bytes())
    }

    /// Returns the next state, or `None` if the dealer has closed the connection.
    pub(super) fn state(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        assert!(
            line.starts_with("MATCHSTATE:") && line.ends_with("\r\n") && line.len() <= 4096,
            "{line:?}"
        );
        line.truncate(line.len() - 2);
        Ok(Some(line))
    }

    /// Plays until the dealer closes the connection. `answer` handles the states in which the
    /// client has to act.
    pub(super) fn play(
        mut self,
        answer: &mut dyn FnMut(&mut Client, &str, &Table) -> Result<()>,
    ) -> Result<u32> {
        let mut hands = 0;
        while let Some(state) = self.state()? {
            let parts: Vec<&str> = state.split(':').collect();
            let (position, table): (usize, Table) = (parts[1].parse().unwrap(), table(parts[3]));
            let shown: Vec<usize> = parts[4]
                .split('/')
                .next()
                .unwrap()
                .split('|')
                .map(str::len)
                .collect();
            // The own cards are always shown, the other's only at a showdown.
            let is_showdown = table.to_act.is_none() && !parts[3].contains('f');
            assert_eq!(
                (shown.len(), shown[position], shown[1 - position]),
                (2, 4, if is_showdown { 4 } else { 0 }),
                "{state}"
            );
            let board: Vec<usize> = parts[4].split('/').skip(1).map(str::len).collect();
            assert_eq!(board, [6, 2, 2][..parts[3].matches('/').count()], "{state}");
            hands += u32::from(table.to_act.is_none());
            if table.to_act == Some(position) {
                answer(&mut self, &state, &table)?;
            }
        }
        Ok(hands)
    }
}

/// Sometimes raises by a small amount, otherwise calls.
pub(super) fn simple(client: &mut Client, state: &str, table: &Table) -> Result<()> {
    client.say(&format!("{state}:{}\r\n", simple_action(state, table)))
}

/// Returns the action of [`simple`], which depends only on the characters of the state.
pub(super) fn simple_action(state: &str, table: &Table) -> String {
    let sum: u32 = state.bytes().map(u32::from).sum();
    let most = table.spent[0].max(table.spent[1]);
    match sum % 5 {
        0 if table.lowest < STACK => format!("r{}", table.lowest),
        1 if table.spent[0] != table.spent[1] && most > 400 => "f".into(),
        2 if sum.is_multiple_of(11) && most < STACK => format!("r{STACK}"),
        _ => "c".into(),
    }
}
