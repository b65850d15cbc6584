//! Cards of any game: sets as bits, lists as text, and the faces that scenes show.

/// The numbers from 0 to 63 in ascending order: an unshuffled deck.
pub(crate) const NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut card = 0;
    while card < 64 {
        numbers[card as usize] = card;
        card += 1;
    }
    numbers
};

/// Returns the cards of a set in ascending order of their numbers.
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

/// Returns the cards of a set in descending order of their numbers.
pub fn descending(set: u64) -> Vec<u8> {
    let mut cards: Vec<u8> = members(set).collect();
    cards.reverse();
    cards
}

/// Returns the set of the given cards.
#[inline]
pub fn set_of(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |set, &card| set | 1 << card)
}

/// Returns the union of sets.
#[inline]
pub fn union_of(sets: &[u64]) -> u64 {
    sets.iter().fold(0, |union, set| union | set)
}

/// Returns the binomial coefficient `from` over `count`. Exact if its product with `count` is below
/// 2^64.
pub fn choose(from: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, step| {
        product * from.saturating_sub(step) / (step + 1)
    })
}

/// Returns the name of a card, or `None` if the number is too high. `names` contains the names of
/// all cards, two letters each.
#[inline]
pub fn name_in(names: &'static str, card: u8) -> Option<&'static str> {
    let start = 2 * usize::from(card);
    names.get(start..start + 2)
}

/// Parses a list of cards and keeps its order. Names have two letters and may be separated by
/// spaces; `-` is the empty list. `parse` parses one name; `names` describes the valid names in
/// messages.
///
/// # Errors
/// Returns an error if a part is not a card, or if a card occurs twice.
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
        let card = parse(&name).ok_or_else(|| format!("`{name}` is not a card; write {names}"))?;
        if list.contains(&card) {
            return Err(format!("`{name}` occurs twice"));
        }
        list.push(card);
    }
    Ok(list)
}

/// Parses the names of cards, separated by spaces, and keeps their order. `card_name` returns the
/// name of a card; `names` describes the valid names in messages.
///
/// # Errors
/// Returns an error if a part is not a card.
pub fn parse_names(
    text: &str,
    card_name: fn(u8) -> Option<&'static str>,
    names: &str,
) -> Result<Vec<u8>, String> {
    let card = |name: &str| {
        let number = (0..=u8::MAX).find(|&card| card_name(card) == Some(name));
        number.ok_or_else(|| format!("`{name}` is not a card; write {names}"))
    };
    text.split_whitespace().map(card).collect()
}

/// Returns the text of a card in a [`Scene`](crate::scene::Scene), rank first: `AS` for the names
/// `As` and `SA`. Returns `?` for `None`.
pub fn face(name: Option<&str>) -> String {
    let name = name.unwrap_or("?").to_ascii_uppercase();
    match name.split_at_checked(1) {
        Some((suit, rank)) if "SHDC".contains(suit) => format!("{rank}{suit}"),
        _ => name,
    }
}
