//! The section on places: how often each bot came first, second, and so on.

use super::*;

/// The name of a bot and the share of each place, first place first.
type Row<'a> = (&'a str, &'a [f64]);

const ROW: f64 = 28.0;

/// Returns the shares of places for a page; other formats show them in the table of bots.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let rows: Vec<Row<'_>> = (standings.bots.iter())
        .filter(|bot| !bot.places.is_empty())
        .map(|bot| (bot.name.as_str(), bot.places.as_slice()))
        .collect();
    if !detail.is_page() || rows.is_empty() {
        return None;
    }
    let mut part = ReportPart::new("placements", "Placements", "Placements");
    let shown = &rows[..rows.len().min(BOTS_MAX)];
    let label = format!(
        "Shares of the places of {}, from the first place to the last.",
        counted(shown.len() as u64, "bot")
    );
    let caption = "Share of deals in which a bot came first, second, … (in percent). Tied bots \
         share the better place."
        .to_owned()
        + &omitted_bots(rows.len());
    part.figures
        .push(Figure::both(|width| draw(shown, &label, width)).caption(caption));
    let names = grid! { (name, _) in &rows;
        "bot", Left = *name;
    };
    let table = names.join(place_columns(rows.iter().map(|row| row.1)));
    let section = Section::of("Share of each place", table);
    Some(part.with([section.folded()]))
}

/// Returns columns with the shares of the places of each bot, in percent.
pub(super) fn place_columns<'s>(bots: impl Iterator<Item = &'s [f64]> + Clone) -> Grid {
    let most = bots.clone().map(<[f64]>::len).max().unwrap_or(0);
    let mut table = grid! { _ in bots.clone(); };
    for place in 0..most {
        table = table.join(grid! { shares in bots.clone();
            &format!("{} %", ordinal(place + 1)), Right = percent(*shares.get(place)?);
        });
    }
    table
}

fn draw(rows: &[Row<'_>], label: &str, width: f64) -> String {
    let left = name_column_width(rows.iter().map(|row| row.0), width * 0.3);
    let most = rows.iter().map(|row| row.1.len()).max().unwrap_or(1).max(2);
    let mut svg = Svg::new(width, 30.0 + ROW * rows.len() as f64);
    let room = width - left - 6.0;
    let key = room / most as f64;
    let class = |place| if place == 0 { "place first" } else { "place" };
    for place in 0..most {
        let x = left + key * place as f64;
        svg.rect(class(place), (x, 4.0), (12.0, 12.0), shade(place, most));
        svg.text("tick", (x + 17.0, 14.0), "start", &ordinal(place + 1));
    }
    for (number, (name, shares)) in rows.iter().enumerate() {
        let y = 26.0 + ROW * number as f64;
        svg.row_name(left, y + ROW / 2.0 + 2.0, name);
        let mut x = left;
        for (place, share) in shares.iter().enumerate() {
            let length = room * share;
            let title = format!("{name}: {} {} %", ordinal(place + 1), percent(*share));
            svg.with_tooltip(&title, |svg| {
                svg.rect(
                    class(place),
                    (x, y),
                    (length - 1.0, ROW - 6.0),
                    shade(place, most),
                );
                if length > 34.0 {
                    let text = fixed(share * 100.0, 0);
                    svg.text(
                        "share",
                        (x + length / 2.0, y + ROW / 2.0 + 1.0),
                        "middle",
                        &text,
                    );
                }
            });
            x += length;
        }
    }
    svg.finish(label)
}

/// Returns the opacity of a place, which is highest for the first place. The maximum is 0.5, so
/// that the text on top stays readable.
fn shade(place: usize, most: usize) -> f64 {
    0.5 - 0.42 * place as f64 / (most - 1) as f64
}
