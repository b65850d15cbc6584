//! Tables of the UECda protocol: 8 rows of 15 numbers, and the two ways in which they travel.

use hattari_agents::agent::socket::{Lost, Stream};
use hattari_plugin::games::daihinmin::card::{self, CardSet, JOKER, JOKER_SET, SUITED};
use hattari_plugin::games::daihinmin::{Action, Illegal, NONE, PLAYERS, flag, shape};
use std::time::Instant;

/// Rows of a table.
pub(crate) const ROWS: usize = 8;
/// Columns of a table.
pub const COLUMNS: usize = 15;
/// Bytes of a table of numbers.
pub const TABLE_BYTES: usize = ROWS * COLUMNS * 4;
/// Bytes of a table of digits.
pub const DIGITS: usize = 33;
/// Where the joker lies among a hand's cards: row and column.
pub(crate) const JOKER_IN_HAND: (usize, usize) = (4, 1);
/// Where a joker that is played alone is shown.
const JOKER_ALONE: (usize, usize) = (0, 14);
/// Rows of cards: four suits, and one for the joker beside all four of them.
const CARD_ROWS: usize = 5;
/// The turn's player in the table that a game starts with, where it is nobody's turn.
pub const NOBODY: i32 = 6;

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 20070: numbers of four bytes in network order.
    Numbers,
    /// 20140: 33 hexadecimal digits. Single numbers are as in 20070.
    Digits,
}

impl Version {
    /// The version of that number, `None` for those that are not spoken here.
    #[must_use]
    pub fn of(number: i64) -> Option<Version> {
        match number {
            20070 => Some(Version::Numbers),
            20140 => Some(Version::Digits),
            _ => None,
        }
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Version::Numbers => 20070,
            Version::Digits => 20140,
        }
    }
}

/// A table, as its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table(pub [[i32; COLUMNS]; ROWS]);

/// Row 5: the state of the table. Numbers of its cells.
pub mod state {
    /// 1 in the table that a game starts with.
    pub const START: usize = 0;
    /// Cards to give in the exchange; for those who lose cards less than 0, which only 20140 tells.
    pub const GIVE: usize = 1;
    /// 1 where it is the receiver's turn.
    pub const MY_TURN: usize = 2;
    /// The player whose turn it is; after an action, the one who acted.
    pub const PLAYER: usize = 3;
    /// 1 while no play lies on the table.
    pub const EMPTY: usize = 4;
    /// 1 while a jack has turned the order round.
    pub const ELEVEN_BACK: usize = 5;
    /// 1 in a revolution.
    pub const REVOLUTION: usize = 6;
    /// 1 while suits are locked.
    pub const LOCK: usize = 7;
}

/// Row 6: the players. First cells of its three parts.
pub mod players {
    /// Cards left of each player.
    pub const CARDS_LEFT: usize = 0;
    /// Title of each player, all 0 in a fresh game.
    pub const TITLES: usize = 5;
    /// The player in each seat.
    pub const SEATS: usize = 10;
}

/// Number of the row of the state.
pub const STATE: usize = 5;
/// Number of the row of the players.
pub const PLAYERS_ROW: usize = 6;

impl Table {
    /// Nothing but zeros.
    pub const ZERO: Table = Table([[0; COLUMNS]; ROWS]);

    /// Shows a hand.
    pub(crate) fn put_hand(&mut self, hand: CardSet) {
        self.put_cells(hand & SUITED);
        if hand & JOKER_SET != 0 {
            self.0[JOKER_IN_HAND.0][JOKER_IN_HAND.1] = 2;
        }
    }

    /// Shows a play, or the cards of a gift; nothing for a pass.
    pub fn put_action(&mut self, action: &Action) {
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

    /// Sets the flags of the state, as events of the record have them.
    pub(crate) fn put_flags(&mut self, flags: u8) {
        use state::{ELEVEN_BACK, EMPTY, LOCK, REVOLUTION};
        let cells = [EMPTY, ELEVEN_BACK, REVOLUTION, LOCK];
        for (cell, flag) in
            cells
                .into_iter()
                .zip([flag::EMPTY, flag::ELEVEN_BACK, flag::REVOLUTION, flag::LOCK])
        {
            self.0[STATE][cell] = i32::from(flags & flag != 0);
        }
    }

    /// The flags of the state, as events of the record have them.
    #[must_use]
    pub fn flags(&self) -> u8 {
        use state::{ELEVEN_BACK, EMPTY, LOCK, REVOLUTION};
        let cells = [EMPTY, ELEVEN_BACK, REVOLUTION, LOCK];
        let flags = [flag::EMPTY, flag::ELEVEN_BACK, flag::REVOLUTION, flag::LOCK];
        cells
            .into_iter()
            .zip(flags)
            .filter(|&(cell, _)| self.0[STATE][cell] != 0)
            .fold(0, |set, (_, flag)| set | flag)
    }

    /// Writes one of the three parts of the players' row.
    pub(crate) fn put_players(&mut self, part: usize, values: [u8; PLAYERS]) {
        for (cell, value) in self.0[PLAYERS_ROW][part..].iter_mut().zip(values) {
            *cell = i32::from(value);
        }
    }

    /// One of the three parts of the players' row; `None` where a number is none that it could be.
    #[must_use]
    pub fn players(&self, part: usize) -> Option<[u8; PLAYERS]> {
        let mut values = [0; PLAYERS];
        for (value, &cell) in values.iter_mut().zip(&self.0[PLAYERS_ROW][part..]) {
            *value = u8::try_from(cell).ok()?;
        }
        Some(values)
    }

    /// A hand as a server shows it: what is 1 in the rows of suits, and the joker wherever there is
    /// a 2.
    #[must_use]
    pub fn hand(&self) -> CardSet {
        let Cells { ones, twos, .. } = self.cells();
        ones | if twos.is_empty() { 0 } else { JOKER_SET }
    }

    /// What lies in the rows of cards.
    #[must_use]
    pub fn cells(&self) -> Cells {
        let mut cells = Cells::default();
        for (row, numbers) in self.0[..CARD_ROWS].iter().enumerate() {
            for (column, &number) in numbers.iter().enumerate() {
                let bit = 1 << (4 * column + row);
                match number {
                    0 => {}
                    1 if row < 4 && SUITED & bit != 0 => cells.ones |= bit,
                    1 => cells.misplaced = true,
                    2 => cells.twos.push((row, column)),
                    other => cells.odd = cells.odd.or(Some(other)),
                }
            }
        }
        cells
    }

    /// Adds the table as it travels.
    pub fn put(&self, version: Version, out: &mut Vec<u8>) {
        match version {
            Version::Numbers => {
                // Less than 0 is for the other version.
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
    /// It does not come before `until`; for digits, what comes is none.
    pub fn read(
        version: Version,
        stream: &mut Stream,
        until: Instant,
    ) -> Result<Result<Table, String>, Lost> {
        match version {
            Version::Numbers => {
                let mut bytes = [0; TABLE_BYTES];
                stream.read_exact(&mut bytes, until)?;
                Ok(Ok(Table::of_numbers(&bytes)))
            }
            Version::Digits => {
                let mut bytes = [0; DIGITS];
                stream.read_exact(&mut bytes, until)?;
                Ok(Table::of_digits(&bytes))
            }
        }
    }

    fn of_numbers(bytes: &[u8; TABLE_BYTES]) -> Table {
        let mut table = Table::ZERO;
        let (fours, _) = bytes.as_chunks::<4>();
        for (cell, &four) in table.0.as_flattened_mut().iter_mut().zip(fours) {
            *cell = i32::from_be_bytes(four);
        }
        table
    }

    fn of_digits(bytes: &[u8; DIGITS]) -> Result<Table, String> {
        let mut digits = [0_i32; DIGITS];
        for (number, (digit, &byte)) in digits.iter_mut().zip(bytes).enumerate() {
            let value = char::from(byte)
                .to_digit(16)
                .and_then(|value| i32::try_from(value).ok());
            *digit = value.ok_or_else(|| {
                format!("character {number} of a table is {byte:#04x}, no hexadecimal digit")
            })?;
        }
        let mut table = Table::ZERO;
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
                format!("the joker is said to lie in cell {joker}, where no cards are")
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

/// What lies in a table's rows of cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Cards of the four suits.
    pub ones: CardSet,
    /// Places of jokers: row and column.
    pub twos: Vec<(usize, usize)>,
    /// A card where none can be: outside the ranks, or in the joker's row.
    pub misplaced: bool,
    /// The first number that is neither card nor joker.
    pub odd: Option<i32>,
}

/// What somebody has played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    /// Nothing.
    Pass,
    /// A play; whether it is legal is another question.
    Play(Action),
    /// Something else: what is wrong, and whether a server of the contest sees no cards in it.
    Nonsense(String, bool),
}

impl Cells {
    /// What it means as a play.
    #[must_use]
    pub fn played(&self) -> Played {
        let is_bare = self.ones == 0 && self.twos.is_empty() && !self.misplaced;
        if let Some(odd) = self.odd {
            return Played::Nonsense(
                format!("a cell holds {odd}, which is neither a card (1) nor a joker (2)"),
                is_bare,
            );
        }
        if is_bare {
            return Played::Pass;
        }
        if self.misplaced {
            return Played::Nonsense(
                "a card lies outside the thirteen ranks of the four suits".into(),
                false,
            );
        }
        let shaped = match self.twos[..] {
            [] => shape(self.ones, NONE),
            // Only beside all four cards of its rank the joker lies in a row of its own.
            [(4, column)] => shape(self.ones | JOKER_SET, JOKER).and_then(|play| {
                if usize::from(play.column) == column {
                    Ok(play)
                } else {
                    Err(Illegal::Shape)
                }
            }),
            [(row, column)] => match u8::try_from(4 * column + row) {
                Ok(cell) if self.ones & 1 << cell == 0 => shape(self.ones | JOKER_SET, cell),
                _ => Err(Illegal::Shape),
            },
            _ => return Played::Nonsense(format!("{} jokers", self.twos.len()), false),
        };
        shaped.map_or_else(|why| Played::Nonsense(why.to_string(), false), Played::Play)
    }
}

/// Adds a single number as it travels.
pub fn put_number(number: i32, out: &mut Vec<u8>) {
    out.extend(number.to_be_bytes());
}

/// Reads a single number.
///
/// # Errors
/// It does not come before `until`.
pub fn read_number(stream: &mut Stream, until: Instant) -> Result<i32, Lost> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes, until)?;
    Ok(i32::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::games::daihinmin::card::parse_set;

    fn through(table: &Table, version: Version) -> Table {
        let mut bytes = Vec::new();
        table.put(version, &mut bytes);
        match version {
            Version::Numbers => Table::of_numbers(bytes[..].try_into().unwrap()),
            Version::Digits => Table::of_digits(bytes[..].try_into().unwrap()).unwrap(),
        }
    }

    #[test]
    fn both_versions_carry_a_whole_table() {
        let mut table = Table::ZERO;
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
        // Spades 1, hearts 2, diamonds 4, clubs 8; the joker in cell 4 * 15 + 1.
        assert_eq!(
            String::from_utf8(digits).unwrap(),
            "3000000400008".to_owned() + "3D" + "C6C" + "BBABA4321020413"
        );
        // Who loses cards: told by digits alone.
        table.0[STATE][state::GIVE] = -2;
        assert_eq!(through(&table, Version::Digits), table);
        assert_eq!(through(&table, Version::Numbers).0[STATE][state::GIVE], 0);
    }

    #[test]
    fn plays_come_back_as_they_were_shown() {
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
            let mut table = Table::ZERO;
            table.put_action(&action);
            for version in [Version::Numbers, Version::Digits] {
                let expected = if text == "-" {
                    Played::Pass
                } else {
                    Played::Play(action)
                };
                assert_eq!(
                    through(&table, version).cells().played(),
                    expected,
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn nonsense_is_told_apart_from_plays() {
        let with = |cells: &[(usize, usize, i32)]| {
            let mut table = Table::ZERO;
            cells
                .iter()
                .for_each(|&(row, column, number)| table.0[row][column] = number);
            table.cells().played()
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
                matches!(with(cells), Played::Nonsense(_, b) if b == bare),
                "{cells:?}: {:?}",
                with(cells)
            );
        }
        // A lone joker may lie anywhere in the rows of suits.
        for (row, column) in [(0, 0), (3, 14), (2, 7)] {
            assert!(
                matches!(with(&[(row, column, 2)]), Played::Play(action) if action.is_lone_joker())
            );
        }
        assert!(Table::of_digits(&[b'g'; DIGITS]).is_err());
        let mut digits = [b'0'; DIGITS];
        digits[13] = b'5';
        assert!(Table::of_digits(&digits).unwrap_err().contains("cell 80"));
    }
}
