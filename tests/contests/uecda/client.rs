//! A small UECda client, written only from the protocol. It checks all received data strictly.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A table of the protocol.
pub(super) type Table = [[i32; 15]; 8];

/// A connection of a client.
pub(super) struct Client {
    pub tcp: TcpStream,
    pub version: i32,
    pub me: i32,
}

/// The messages of a match that a client has received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub games: u32,
    /// All messages in order, as tables and numbers.
    pub messages: Vec<Message>,
    /// True if the last message was the end of the match, after which the connection was closed.
    pub whole: bool,
}

/// A message of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Start(Box<Table>),
    Turn(Box<Table>),
    Answer(i32),
    Field(Box<Table>),
    End(i32),
}

impl Client {
    /// Connects, sends the profile and receives the player number.
    pub(super) fn come(address: SocketAddr, version: i32, name: &str) -> std::io::Result<Client> {
        let mut client = Client {
            tcp: TcpStream::connect(address)?,
            version,
            me: 0,
        };
        client.tcp.set_nodelay(true)?;
        client.tcp.write_all(&numbers(&profile(version, name)))?;
        client.me = client.number()?;
        Ok(client)
    }

    pub(super) fn number(&mut self) -> std::io::Result<i32> {
        let mut bytes = [0; 4];
        self.tcp.read_exact(&mut bytes)?;
        Ok(i32::from_be_bytes(bytes))
    }

    pub(super) fn table(&mut self) -> std::io::Result<Table> {
        if self.version == 20140 {
            let mut digits = [0; 33];
            self.tcp.read_exact(&mut digits)?;
            return Ok(from_digits(&digits));
        }
        let mut bytes = [0; 480];
        self.tcp.read_exact(&mut bytes)?;
        let mut table = [[0; 15]; 8];
        for (cell, four) in table.as_flattened_mut().iter_mut().zip(bytes.chunks(4)) {
            *cell = i32::from_be_bytes(four.try_into().unwrap());
        }
        Ok(table)
    }

    pub(super) fn send(&mut self, table: &Table) -> std::io::Result<()> {
        let bytes = if self.version == 20140 {
            digits(table)
        } else {
            numbers(table)
        };
        self.tcp.write_all(&bytes)
    }

    /// Plays a match. `answer` sends a play, or a gift of a given number of cards, for the received
    /// table and the play on the table.
    pub(super) fn play(
        mut self,
        answer: &mut dyn FnMut(&mut Client, Ask<'_>) -> std::io::Result<()>,
    ) -> Seen {
        let mut seen = Seen::default();
        // A client that is disconnected returns the messages received so far.
        _ = self.play_on(answer, &mut seen);
        seen
    }

    fn play_on(
        &mut self,
        answer: &mut dyn FnMut(&mut Client, Ask<'_>) -> std::io::Result<()>,
        seen: &mut Seen,
    ) -> std::io::Result<()> {
        loop {
            let start = self.table()?;
            check_start(&start);
            seen.messages.push(Message::Start(Box::new(start)));
            if start[5][1] > 0 {
                answer(self, Ask::Gift(&start))?;
            }
            let mut field = [[0; 15]; 8];
            let end = loop {
                let turn = self.table()?;
                check_turn(&start, &turn, self.me);
                seen.messages.push(Message::Turn(Box::new(turn)));
                if turn[5][2] == 1 {
                    answer(self, Ask::Play(&turn, &field))?;
                    seen.messages.push(Message::Answer(self.number()?));
                }
                field = self.table()?;
                check_field(&start, &turn, &field);
                seen.messages.push(Message::Field(Box::new(field)));
                let end = self.number()?;
                seen.messages.push(Message::End(end));
                if end != 0 {
                    break end;
                }
            };
            seen.games += 1;
            if end == 2 {
                seen.whole = self.tcp.read(&mut [0])? == 0;
                return Ok(());
            }
            assert_eq!(end, 1);
        }
    }
}

/// A request to a client.
#[derive(Clone, Copy)]
pub(super) enum Ask<'a> {
    /// Give cards of the hand in this table.
    Gift(&'a Table),
    /// Play from the hand in the first table on the play in the second table.
    Play(&'a Table, &'a Table),
}

/// Gives its weakest cards, leads its weakest single, follows singles with the weakest legal card,
/// and otherwise passes.
pub(super) fn simple(client: &mut Client, ask: Ask<'_>) -> std::io::Result<()> {
    let table = simple_answer(ask);
    client.send(&table)
}

pub(super) fn simple_answer(ask: Ask<'_>) -> Table {
    let mut answer = [[0; 15]; 8];
    match ask {
        Ask::Gift(start) => {
            let count = usize::try_from(start[5][1]).unwrap();
            for (row, column) in held(start).take(count) {
                answer[row][column] = 1;
            }
        }
        Ask::Play(turn, field) => {
            let lying: Vec<_> = cells(field);
            let reversed = turn[5][6] == 1;
            let mut mine: Vec<_> = held(turn).collect();
            if reversed {
                mine.reverse();
            }
            let chosen = match (turn[5][4], &lying[..]) {
                (1, _) => mine.first(),
                (_, [(row, column, 1)]) => mine.iter().find(|(my_row, my_column)| {
                    (if reversed {
                        my_column < column
                    } else {
                        my_column > column
                    }) && (turn[5][7] == 0 || my_row == row)
                }),
                _ => None,
            };
            if let Some(&(row, column)) = chosen {
                answer[row][column] = 1;
            } else if turn[5][4] == 1 {
                // Only the joker is left.
                answer[0][14] = 2;
            }
        }
    }
    answer
}

/// Returns the cards of the four suits in a hand, from the threes up.
pub(super) fn held(table: &Table) -> impl Iterator<Item = (usize, usize)> {
    (1..14)
        .flat_map(|column| (0..4).map(move |row| (row, column)))
        .filter(|&(row, column)| table[row][column] == 1)
}

/// Returns all non-zero cells in the rows of cards.
pub(super) fn cells(table: &Table) -> Vec<(usize, usize, i32)> {
    let all = (0..15).flat_map(|column| (0..5).map(move |row| (row, column)));
    all.map(|(row, column)| (row, column, table[row][column]))
        .filter(|&(.., number)| number != 0)
        .collect()
}

pub(super) fn profile(version: i32, name: &str) -> Table {
    let mut table = [[0; 15]; 8];
    table[0][0] = version;
    for (cell, byte) in table[1].iter_mut().zip(name.bytes()) {
        *cell = i32::from(byte);
    }
    table
}

pub(super) fn numbers(table: &Table) -> Vec<u8> {
    table
        .as_flattened()
        .iter()
        .flat_map(|number| number.to_be_bytes())
        .collect()
}

/// Encodes a table as 33 hexadecimal digits.
fn digits(table: &Table) -> Vec<u8> {
    let mut text = String::new();
    for column in 1..14 {
        let bits = (0..4).fold(0, |bits, row| {
            bits | i32::from(table.as_flattened()[15 * row + column] == 1) << row
        });
        text += &format!("{bits:X}");
    }
    let joker = (0..75)
        .find(|&index| table[index / 15][index % 15] == 2)
        .unwrap_or(0xff);
    text += &format!(
        "{joker:02X}{:X}{:X}",
        8 * table[5][0] + table[5][1] + 2,
        8 * table[5][2] + table[5][3]
    );
    text += &format!(
        "{:X}",
        table[5][4] | table[5][5] << 1 | table[5][6] << 2 | table[5][7] << 3
    );
    text.extend(table[6].iter().map(|number| format!("{number:X}")));
    text.into_bytes()
}

fn from_digits(digits: &[u8; 33]) -> Table {
    let value = |at: usize| {
        i32::try_from(
            char::from(digits[at])
                .to_digit(16)
                .expect("a hexadecimal digit"),
        )
        .unwrap()
    };
    let mut table = [[0; 15]; 8];
    for column in 1..14 {
        for row in 0..4 {
            table.as_flattened_mut()[15 * row + column] = value(column - 1) >> row & 1;
        }
    }
    let joker = usize::try_from(value(13) << 4 | value(14)).unwrap();
    if joker != 0xff {
        table[joker / 15][joker % 15] = 2;
    }
    table[5][0] = value(15) >> 3;
    // Only the digits version shows the number of lost cards; in the other version negative numbers
    // are sent as 0.
    table[5][1] = ((value(15) & 7) - 2).max(0);
    (table[5][2], table[5][3]) = (value(16) >> 3, value(16) & 7);
    for flag in 0..4 {
        table[5][4 + flag] = value(17) >> flag & 1;
    }
    for (cell, at) in table[6].iter_mut().zip(18..) {
        *cell = value(at);
    }
    table
}

/// Asserts that unused cells are 0.
fn check_unused(table: &Table) {
    assert!(
        table[5][8..].iter().chain(&table[7]).all(|&cell| cell == 0),
        "{table:?}"
    );
    let cards = table[..5].iter().flatten();
    assert!(
        cards.clone().all(|cell| (0..=2).contains(cell))
            && cards.filter(|&&cell| cell == 2).count() <= 1
    );
}

fn count(table: &Table) -> usize {
    cells(table).len()
}

fn check_start(table: &Table) {
    check_unused(table);
    assert_eq!(
        (table[5][0], table[5][2], table[5][3], table[5][4]),
        (1, 0, 6, 1),
        "{table:?}"
    );
    assert!(
        table[6][..5].iter().all(|left| (10..=11).contains(left)),
        "as dealt: {table:?}"
    );
    assert_eq!(table[6][..5].iter().sum::<i32>(), 53);
    let mut seats = table[6][10..].to_vec();
    seats.sort_unstable();
    assert_eq!(seats, [0, 1, 2, 3, 4]);
    assert!(table[4][1] == 0 || table[4][1] == 2);
}

fn check_turn(start: &Table, table: &Table, me: i32) {
    check_unused(table);
    assert_eq!((table[5][0], table[5][1]), (0, 0));
    assert_eq!(table[5][2], i32::from(table[5][3] == me));
    assert_eq!(
        table[6][5..],
        start[6][5..],
        "titles and seats stay those of the start"
    );
    assert_eq!(
        i32::try_from(count(table)).unwrap(),
        table[6][usize::try_from(me).unwrap()],
        "the hand is whole"
    );
}

fn check_field(start: &Table, turn: &Table, table: &Table) {
    check_unused(table);
    assert_eq!(
        (table[5][0], table[5][1], table[5][2], table[5][3]),
        (0, 0, 0, turn[5][3])
    );
    assert_eq!(table[6][5..], start[6][5..]);
    let actor = usize::try_from(turn[5][3]).unwrap();
    let played = turn[6][actor] - table[6][actor];
    assert!(
        played == 0 || usize::try_from(played).unwrap() == count(table),
        "what was played lies on the table"
    );
    assert_eq!(table[5][4], i32::from(count(table) == 0));
}
