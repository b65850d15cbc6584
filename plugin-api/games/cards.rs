//! Cards of any game: sets as bits, lists as text, faces.

/// The cards of a set by ascending number.
#[inline]
pub fn members(mut set: u64) -> impl Iterator<Item = u8> + Clone {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let card = (set.trailing_zeros() & 63) as u8;
        set &= set - 1;
        Some(card)
    })
}

/// The set of some cards.
#[inline]
#[must_use]
pub fn set_of(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |set, &card| set | 1 << card)
}

/// A list of cards from text, in its order: names of two letters with or without blanks between
/// them, `-` for none. `parse` reads a name, `names` says in a message how they are written.
///
/// # Errors
/// The part that is not a card, or the card that stands twice.
pub fn parse_list(
    text: &str,
    parse: impl Fn(&str) -> Option<u8>,
    names: &str,
) -> Result<Vec<u8>, String> {
    let letters: Vec<char> = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    if letters == ['-'] {
        return Ok(Vec::new());
    }
    let mut list = Vec::with_capacity(letters.len() / 2);
    for pair in letters.chunks(2) {
        let name: String = pair.iter().collect();
        let card = parse(&name).ok_or_else(|| format!("`{name}` is not a card: {names}"))?;
        if list.contains(&card) {
            return Err(format!("`{name}` occurs twice"));
        }
        list.push(card);
    }
    Ok(list)
}

/// The face of a card, as scenes have it, by its name in the spelling of any game: `AS` for `As` and
/// for `SA`; `?` for no name.
#[must_use]
pub fn face(name: Option<&str>) -> String {
    let name = name.unwrap_or("?").to_ascii_uppercase();
    match name.split_at_checked(1) {
        Some((suit, rank)) if "SHDC".contains(suit) => format!("{rank}{suit}"),
        _ => name,
    }
}
