//! Tables of the UECda protocol, 8 rows of 15 numbers, and their two encodings.

use hattari_agents::agent::socket::{ConnectionEnd, Stream};
use hattari_plugin::games::daihinmin::card::{self, CardSet, JOKER, JOKER_SET, SUITED};
use hattari_plugin::games::daihinmin::{Action, IllegalPlay, NONE, PLAYERS, flag, play_of};
use std::time::Instant;

/// Number of rows in a table.
pub(crate) const ROWS: usize = 8;
/// Number of columns in a table.
pub(crate) const COLUMNS: usize = 15;
/// Number of bytes of a table in version 20070.
pub const TABLE_BYTES: usize = ROWS * COLUMNS * 4;
/// Number of bytes of a table in version 20140, each a hexadecimal digit.
pub(crate) const DIGITS: usize = 33;
/// Cell (row, column) of the joker in a hand.
pub(crate) const JOKER_IN_HAND: (usize, usize) = (4, 1);
/// Cell (row, column) of a joker that is played alone.
const JOKER_ALONE: (usize, usize) = (0, 14);
/// Number of rows with cards: one for each suit, and one for a joker that is played with all four
/// cards of a rank.
const CARD_ROWS: usize = 5;
/// Value of [`state::PLAYER`] in the table that starts a game, when no player is to move.
pub(crate) const NOBODY: i32 = 6;

/// Answer of the server after a legal play, or after a pass on an empty table.
pub(super) const ACCEPTED: i32 = 9;
/// Answer of the server after a pass, or after a play that counts as a pass.
pub(super) const PASSED: i32 = 8;
/// Number sent after a turn if the game continues.
pub(super) const GAME_CONTINUES: i32 = 0;
/// Number sent after a turn if the game is over.
pub(super) const GAME_OVER: i32 = 1;
/// Number sent after a turn if the match is over.
pub(super) const MATCH_OVER: i32 = 2;

/// A version of the protocol.
#[derive(Clone, Copy, Debug)]
pub enum Version {
    /// 20070: big-endian 32-bit numbers.
    Numbers,
    /// 20140: 33 hexadecimal digits per table. Single numbers are encoded as in 20070.
    Digits,
}

impl Version {
    /// Returns the version with this number, or `None` if it is not supported.
    pub fn of(number: i64) -> Option<Version> {
        match number {
            20070 => Some(Version::Numbers),
            20140 => Some(Version::Digits),
            _ => None,
        }
    }

    /// Returns the number of the version.
    pub(crate) fn number(self) -> i32 {
        match self {
            Version::Numbers => 20070,
            Version::Digits => 20140,
        }
    }
}

/// The numbers of a table, by row and column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProtocolTable(pub [[i32; COLUMNS]; ROWS]);

/// Columns of row 5, the state of the table.
pub(crate) mod state {
    /// 1 in the table that starts a game.
    pub(crate) const START: usize = 0;
    /// Number of cards to give in the exchange; negative for players who lose cards, in version
    /// 20140 only.
    pub(crate) const GIVE: usize = 1;
    /// 1 if it is the receiver's turn.
    pub(crate) const MY_TURN: usize = 2;
    /// Player to move; after an action, the player who acted.
    pub(crate) const PLAYER: usize = 3;
    /// 1 if the table is empty.
    pub(crate) const EMPTY: usize = 4;
    /// 1 while a jack reverses the order of ranks.
    pub(crate) const ELEVEN_BACK: usize = 5;
    /// 1 during a revolution.
    pub(crate) const REVOLUTION: usize = 6;
    /// 1 while suits are locked.
    pub(crate) const LOCK: usize = 7;
}

/// First columns of the three parts of row 6, the players.
pub(crate) mod players {
    /// Number of cards that each player has left.
    pub(crate) const CARDS_LEFT: usize = 0;
    /// Title of each player; all 0 in a game without titles.
    pub(crate) const TITLES: usize = 5;
    /// Player in each seat.
    pub(crate) const SEATS: usize = 10;
}

/// Column of row 5 and bit of each state flag.
const FLAGS: [(usize, u8); 4] = [
    (state::EMPTY, flag::EMPTY),
    (state::ELEVEN_BACK, flag::ELEVEN_BACK),
    (state::REVOLUTION, flag::REVOLUTION),
    (state::LOCK, flag::LOCK),
];
/// Index of the row with the state.
pub(crate) const STATE: usize = 5;
/// Index of the row with the players.
pub(crate) const PLAYERS_ROW: usize = 6;

impl ProtocolTable {
    /// A table of zeros.
    pub(crate) const ZERO: ProtocolTable = ProtocolTable([[0; COLUMNS]; ROWS]);

    /// Writes a hand into the table.
    pub(crate) fn put_hand(&mut self, hand: CardSet) {
        self.put_cells(hand & SUITED);
        if hand & JOKER_SET != 0 {
            self.0[JOKER_IN_HAND.0][JOKER_IN_HAND.1] = 2;
        }
    }

    /// Writes a play or the cards of a gift into the table. A pass writes nothing.
    pub(crate) fn put_action(&mut self, action: &Action) {
        let joker = match action.joker {
            NONE => None,
            JOKER if action.is_lone_joker() => Some(JOKER_ALONE),
            JOKER if action.cells == 0 => Some(JOKER_IN_HAND),
            JOKER => Some((4, usize::from(action.column))),
            cell => Some((
                usize::from(card::suit(cell)),
                usize::from(card::column(cell)),
            )),
        };
        let cells = if action.cells == 0 {
            action.cards & SUITED
        } else {
            action.cells
        };
        self.put_cells(cells);
        if let Some((row, column)) = joker {
            self.0[row][column] = 2;
        }
    }

    fn put_cells(&mut self, cells: CardSet) {
        for cell in card::cells(cells) {
            self.0[usize::from(card::suit(cell))][usize::from(card::column(cell))] = 1;
        }
    }

    /// Writes the state flags. `flags` is a set of bits from [`flag`].
    pub(crate) fn put_flags(&mut self, flags: u8) {
        for (cell, flag) in FLAGS {
            self.0[STATE][cell] = i32::from(flags & flag != 0);
        }
    }

    /// Returns the state flags as a set of bits from [`flag`].
    pub(crate) fn flags(&self) -> u8 {
        let set = FLAGS
            .into_iter()
            .filter(|&(cell, _)| self.0[STATE][cell] != 0);
        set.fold(0, |set, (_, flag)| set | flag)
    }

    /// Writes one of the three parts of the row with the players. `part` is a constant of
    /// [`players`].
    pub(crate) fn put_players(&mut self, part: usize, values: [u8; PLAYERS]) {
        self.0[PLAYERS_ROW][part..part + PLAYERS].copy_from_slice(&values.map(i32::from));
    }

    /// Returns one of the three parts of the row with the players. `part` is a constant of
    /// [`players`]. Returns `None` if a number is out of range.
    pub(crate) fn players(&self, part: usize) -> Option<[u8; PLAYERS]> {
        let mut values = [0; PLAYERS];
        for (value, &cell) in values.iter_mut().zip(&self.0[PLAYERS_ROW][part..]) {
            *value = u8::try_from(cell).ok()?;
        }
        Some(values)
    }

    /// Returns the contents of the rows with cards.
    pub(crate) fn cells(&self) -> Cells {
        let mut cells = Cells::default();
        for (row, numbers) in self.0[..CARD_ROWS].iter().enumerate() {
            for (column, &number) in numbers.iter().enumerate() {
                let bit = 1 << (4 * column + row);
                match number {
                    0 => {}
                    1 if row < 4 && SUITED & bit != 0 => cells.suited |= bit,
                    1 => cells.misplaced = true,
                    2 => cells.joker_cells.push((row, column)),
                    odd => {
                        cells.invalid_number.get_or_insert_with(|| {
                            format!(
                                "a cell contains {odd}, which is neither a card (1) nor a joker (2)"
                            )
                        });
                    }
                }
            }
        }
        cells
    }

    /// Appends the encoded table to `out`.
    pub fn put(&self, version: Version, out: &mut Vec<u8>) {
        match version {
            Version::Numbers => {
                // Version 20070 has no negative numbers.
                out.extend(
                    self.0
                        .as_flattened()
                        .iter()
                        .flat_map(|&number| number.max(0).to_be_bytes()),
                );
            }
            Version::Digits => self.put_digits(out),
        }
    }

    fn put_digits(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let mut digit =
            |value: i32| out.push(b"0123456789ABCDEF"[(value & 15).unsigned_abs() as usize]);
        for column in 1..=13 {
            digit((0..4).fold(0, |bits, suit| {
                bits | i32::from(self.0[suit][column] == 1) << suit
            }));
        }
        let joker = self.0.as_flattened()[..CARD_ROWS * COLUMNS]
            .iter()
            .position(|&number| number == 2);
        let joker = joker
            .and_then(|index| i32::try_from(index).ok())
            .unwrap_or(0xff);
        digit(joker >> 4);
        digit(joker);
        let row = &self.0[STATE];
        digit(8 * row[state::START] + row[state::GIVE] + 2);
        digit(8 * row[state::MY_TURN] + row[state::PLAYER]);
        digit((0..4).fold(0, |bits, flag| {
            bits | (row[state::EMPTY + flag] & 1) << flag
        }));
        for &number in &self.0[PLAYERS_ROW] {
            digit(number);
        }
        debug_assert_eq!(out.len() - start, DIGITS);
    }

    /// Reads a table.
    ///
    /// # Errors
    /// Returns an error if the table is not received before `until`. The inner result is an error
    /// if the digits of version 20140 are invalid.
    pub(crate) fn read(
        version: Version,
        stream: &mut Stream,
        until: Instant,
    ) -> Result<Result<ProtocolTable, String>, ConnectionEnd> {
        match version {
            Version::Numbers => {
                let mut bytes = [0; TABLE_BYTES];
                stream.read_exact(&mut bytes, until)?;
                Ok(Ok(ProtocolTable::of_numbers(&bytes)))
            }
            Version::Digits => {
                let mut bytes = [0; DIGITS];
                stream.read_exact(&mut bytes, until)?;
                Ok(ProtocolTable::of_digits(&bytes))
            }
        }
    }

    fn of_numbers(bytes: &[u8; TABLE_BYTES]) -> ProtocolTable {
        let mut table = ProtocolTable::ZERO;
        let (fours, _) = bytes.as_chunks::<4>();
        for (cell, &four) in table.0.as_flattened_mut().iter_mut().zip(fours) {
            *cell = i32::from_be_bytes(four);
        }
        table
    }

    fn of_digits(bytes: &[u8; DIGITS]) -> Result<ProtocolTable, String> {
        let mut digits = [0_i32; DIGITS];
        for (number, (digit, &byte)) in digits.iter_mut().zip(bytes).enumerate() {
            let value = char::from(byte)
                .to_digit(16)
                .and_then(|value| i32::try_from(value).ok());
            *digit = value.ok_or_else(|| {
                format!(
                    "character {number} of a table is {byte:#04x}, which is not a hexadecimal \
                    digit"
                )
            })?;
        }
        let mut table = ProtocolTable::ZERO;
        for column in 1..=13 {
            for suit in 0..4 {
                table.0[suit][column] = digits[column - 1] >> suit & 1;
            }
        }
        let joker = usize::try_from(digits[13] << 4 | digits[14]).unwrap_or(0xff);
        if joker != 0xff {
            let cell = table
                .0
                .as_flattened_mut()
                .get_mut(joker)
                .filter(|_| joker < CARD_ROWS * COLUMNS);
            *cell.ok_or_else(|| {
                format!("the joker is in cell {joker}, which is not in a row with cards")
            })? = 2;
        }
        let row = &mut table.0[STATE];
        row[state::START] = digits[15] >> 3;
        row[state::GIVE] = (digits[15] & 7) - 2;
        row[state::MY_TURN] = digits[16] >> 3;
        row[state::PLAYER] = digits[16] & 7;
        for flag in 0..4 {
            row[state::EMPTY + flag] = digits[17] >> flag & 1;
        }
        table.0[PLAYERS_ROW].copy_from_slice(&digits[18..]);
        Ok(table)
    }
}

/// The contents of the rows with cards.
#[derive(Default)]
pub(crate) struct Cells {
    /// Cards of the four suits.
    pub suited: CardSet,
    /// Cells (row, column) of jokers.
    pub joker_cells: Vec<(usize, usize)>,
    /// True if there is a card outside the ranks or in the joker's row.
    pub misplaced: bool,
    /// Message about the first number that is neither a card nor a joker.
    pub invalid_number: Option<String>,
}

/// The play that a table represents.
#[derive(Debug, PartialEq)]
pub(crate) enum TablePlay {
    /// A pass: there are no cards.
    Pass,
    /// A play, which can be illegal.
    Play(Action),
    /// Invalid cells. Contains a description, and `true` if the contest's server treats the cells
    /// as a pass.
    Invalid(String, bool),
}

impl Cells {
    /// Returns the cards of the four suits, and the joker if any cell contains it.
    pub(crate) fn cards(&self) -> CardSet {
        let is_bare = self.joker_cells.is_empty();
        self.suited | if is_bare { 0 } else { JOKER_SET }
    }

    /// Interprets the cells as a play.
    pub(crate) fn interpret(&self) -> TablePlay {
        let is_bare = self.suited == 0 && self.joker_cells.is_empty() && !self.misplaced;
        if let Some(why) = &self.invalid_number {
            return TablePlay::Invalid(why.clone(), is_bare);
        }
        if is_bare {
            return TablePlay::Pass;
        }
        if self.misplaced {
            return TablePlay::Invalid(
                "a card is outside the thirteen ranks of the four suits".into(),
                false,
            );
        }
        let shaped = match self.joker_cells[..] {
            [] => play_of(self.suited, NONE),
            // The joker is in its own row only if it is played with all four cards of its rank.
            [(4, column)] => play_of(self.suited | JOKER_SET, JOKER).and_then(|play| {
                if usize::from(play.column) == column {
                    Ok(play)
                } else {
                    Err(IllegalPlay::Shape)
                }
            }),
            [(row, column)] => match u8::try_from(4 * column + row) {
                Ok(cell) if self.suited & 1 << cell == 0 => play_of(self.suited | JOKER_SET, cell),
                _ => Err(IllegalPlay::Shape),
            },
            _ => return TablePlay::Invalid(format!("{} jokers", self.joker_cells.len()), false),
        };
        shaped.map_or_else(
            |why| TablePlay::Invalid(why.to_string(), false),
            TablePlay::Play,
        )
    }
}

/// Returns the number of cards that the holder of a title receives first in the exchange; negative
/// for the two lowest titles, which lose their strongest cards. The two highest titles then give
/// back cards of their choice.
pub(super) fn exchanged(title: u8) -> i8 {
    match title {
        0 => 2,
        1 => 1,
        3 => -1,
        4 => -2,
        _ => 0,
    }
}

/// Appends an encoded number to `out`.
pub(crate) fn put_number(number: i32, out: &mut Vec<u8>) {
    out.extend(number.to_be_bytes());
}

/// Reads a number.
///
/// # Errors
/// Returns an error if the number is not received before `until`.
pub(crate) fn read_number(stream: &mut Stream, until: Instant) -> Result<i32, ConnectionEnd> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes, until)?;
    Ok(i32::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::games::daihinmin::card::parse_set;

    fn through(table: &ProtocolTable, version: Version) -> ProtocolTable {
        let mut bytes = Vec::new();
        table.put(version, &mut bytes);
        match version {
            Version::Numbers => ProtocolTable::of_numbers(bytes[..].try_into().unwrap()),
            Version::Digits => ProtocolTable::of_digits(bytes[..].try_into().unwrap()).unwrap(),
        }
    }

    #[test]
    fn both_protocol_versions_encode_a_complete_table() {
        let mut table = ProtocolTable::ZERO;
        table.put_hand(parse_set("S3 H3 C2 DT JK").unwrap());
        table.put_flags(flag::LOCK | flag::REVOLUTION);
        table.0[STATE][..4].copy_from_slice(&[1, 2, 0, NOBODY]);
        table.put_players(players::CARDS_LEFT, [11, 11, 10, 11, 10]);
        table.put_players(players::TITLES, [4, 3, 2, 1, 0]);
        table.put_players(players::SEATS, [2, 0, 4, 1, 3]);
        assert_eq!(
            (
                through(&table, Version::Numbers),
                through(&table, Version::Digits)
            ),
            (table, table)
        );
        let mut digits = Vec::new();
        table.put(Version::Digits, &mut digits);
        // Bits: spades 1, hearts 2, diamonds 4, clubs 8. The joker is in cell 4 * 15 + 1.
        assert_eq!(
            String::from_utf8(digits).unwrap(),
            "3000000400008".to_owned() + "3D" + "C6C" + "BBABA4321020413"
        );
        // Only version 20140 encodes the number of lost cards.
        table.0[STATE][state::GIVE] = -2;
        assert_eq!(through(&table, Version::Digits), table);
        assert_eq!(through(&table, Version::Numbers).0[STATE][state::GIVE], 0);
    }

    #[test]
    fn encoded_plays_are_decoded_to_the_same_plays() {
        for text in [
            "-",
            "S7",
            "JK",
            "S7 H7",
            "S7 JK=C7",
            "JK=S< S3 S4",
            "SA S2 JK=S>",
            "S7 H7 D7 C7 JK",
            "H5 JK=H6 H7",
        ] {
            let action: Action = text.parse().unwrap();
            let mut table = ProtocolTable::ZERO;
            table.put_action(&action);
            for version in [Version::Numbers, Version::Digits] {
                let expected = if text == "-" {
                    TablePlay::Pass
                } else {
                    TablePlay::Play(action)
                };
                assert_eq!(
                    through(&table, version).cells().interpret(),
                    expected,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn invalid_tables_are_distinguished_from_valid_plays() {
        let with = |cells: &[(usize, usize, i32)]| {
            let mut table = ProtocolTable::ZERO;
            cells
                .iter()
                .for_each(|&(row, column, number)| table.0[row][column] = number);
            table.cells().interpret()
        };
        for (cells, bare) in [
            (&[(0, 3, 3)][..], true),
            (&[(0, 3, -1)], true),
            (&[(0, 3, 1), (1, 3, -1)], false),
            (&[(4, 3, 1)], false),
            (&[(0, 0, 1)], false),
            (&[(0, 14, 1)], false),
            (&[(0, 1, 2), (0, 2, 2)], false),
            (&[(0, 3, 1), (0, 5, 1)], false),
            (&[(4, 3, 2)], false),
            (
                &[(0, 3, 1), (1, 3, 1), (2, 3, 1), (3, 3, 1), (4, 4, 2)],
                false,
            ),
        ] {
            assert!(
                matches!(with(cells), TablePlay::Invalid(_, b) if b == bare),
                "{cells:?}: {:?}",
                with(cells)
            );
        }
        // A joker that is played alone can be in any cell of the rows of suits.
        for (row, column) in [(0, 0), (3, 14), (2, 7)] {
            assert!(
                matches!(with(&[(row, column, 2)]), TablePlay::Play(action) if action.is_lone_joker())
            );
        }
        assert!(ProtocolTable::of_digits(&[b'g'; DIGITS]).is_err());
        let mut digits = [b'0'; DIGITS];
        digits[13] = b'5';
        assert!(
            ProtocolTable::of_digits(&digits)
                .unwrap_err()
                .contains("cell 80")
        );
    }
}
