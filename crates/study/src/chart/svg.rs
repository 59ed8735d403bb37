//! Pictures that are the same wherever they are drawn and shown.

use std::collections::HashMap;
use std::fmt::Write;

use crate::chart::text::width;

/// Gives each text of an SVG its width, to which a viewer with another font squeezes it, and numbers clip
/// paths from 1: a renderer counts on from its last picture.
#[must_use]
pub fn finished(svg: &str) -> String {
    renumbered(&fitted(svg))
}

/// A start tag or a text, and what follows it.
fn until<'a>(text: &'a str, end: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(end)
}

fn fitted(svg: &str) -> String {
    let mut made = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = until(rest, "<text ") {
        made += before;
        made += "<text ";
        rest = after;
        let Some((looks, within)) = until(after, ">") else { continue };
        let Some(size) = size_of(looks).filter(|_| !looks.ends_with('/')) else { continue };
        let Some((text, behind)) = until(within, "</text>") else { continue };
        let bold = looks.contains("font-weight=\"bold\"");
        made += looks;
        if text.contains('<') {
            made.push('>');
            made += &lines(text, size, bold);
        } else {
            if !text.is_empty() {
                made += &room(text, size, bold);
            }
            made.push('>');
            made += text;
        }
        made += "</text>";
        rest = behind;
    }
    made + rest
}

/// Lines of a text, each with its width.
fn lines(text: &str, size: f64, bold: bool) -> String {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, after)) = until(rest, "<tspan") {
        made += before;
        made += "<tspan";
        rest = after;
        let Some((looks, within)) = until(after, ">") else { continue };
        let Some((line, behind)) = until(within, "</tspan>") else { continue };
        if line.is_empty() || line.contains('<') {
            continue;
        }
        made += looks;
        made += &room(line, size, bold);
        made.push('>');
        made += line;
        made += "</tspan>";
        rest = behind;
    }
    made + rest
}

/// The attributes that make a viewer give a text its width.
fn room(text: &str, size: f64, bold: bool) -> String {
    let wide = width(&unescaped(text), size, bold);
    format!(" textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\"")
}

/// The size of a text, px, of its attributes.
fn size_of(looks: &str) -> Option<f64> {
    let (_, from) = until(looks, "font-size=\"")?;
    until(from, "px\"")?.0.parse().ok()
}

fn unescaped(text: &str) -> String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    named.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter))
}

fn renumbered(svg: &str) -> String {
    const PLACES: [(&str, &str); 2] = [(" clip-path=\"url(#clip", ")\""), (" id=\"clip", "\"")];
    let mut made = String::with_capacity(svg.len());
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut rest = svg;
    loop {
        let next = PLACES.iter().filter_map(|(begin, end)| Some((rest.find(begin)?, begin, end)));
        let Some((at, begin, end)) = next.min() else { break };
        let (before, after) = rest.split_at(at + begin.len());
        made += before;
        rest = after;
        let Some((number, _)) = until(after, end) else { continue };
        if number.is_empty() || !number.bytes().all(|letter| letter.is_ascii_digit()) {
            continue;
        }
        let next = seen.len() + 1;
        let _ = write!(made, "{}", seen.entry(number).or_insert(next));
        rest = &after[number.len()..];
    }
    made + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_width() {
        let drawn = concat!(
            r##"<text x="1" font-size="10px" fill="#222"/>"##,
            r#"<text x="1" font-size="10px">a &lt; b</text><text>no size</text>"#,
            r#"<text font-size="20px" font-weight="bold"><tspan>a</tspan><tspan dy="9">b</tspan></text>"#,
        );
        let length = |text, size, bold| {
            let wide = width(text, size, bold);
            format!(r#" textLength="{wide:.1}" lengthAdjust="spacingAndGlyphs""#)
        };
        let (line, a, b) =
            (length("a < b", 10.0, false), length("a", 20.0, true), length("b", 20.0, true));
        let expected = format!(
            concat!(
                r##"<text x="1" font-size="10px" fill="#222"/>"##,
                r#"<text x="1" font-size="10px"{}>a &lt; b</text><text>no size</text>"#,
                r#"<text font-size="20px" font-weight="bold"><tspan{}>a</tspan>"#,
                r#"<tspan dy="9"{}>b</tspan></text>"#,
            ),
            line, a, b
        );
        assert_eq!(finished(drawn), expected);
    }

    #[test]
    fn clip_paths_are_numbered_from_one() {
        let drawn =
            r#"<g clip-path="url(#clip17)"/><path id="clip17"/><path id="clip9"/> id="clipx""#;
        let expected =
            r#"<g clip-path="url(#clip1)"/><path id="clip1"/><path id="clip2"/> id="clipx""#;
        assert_eq!(finished(drawn), expected);
    }
}
