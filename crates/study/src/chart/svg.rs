//! Post-processing of SVG for an identical appearance in every viewer.

use std::collections::HashMap;
use std::fmt::Write;

use crate::chart::text::width;

/// Adds the computed width to each text of an SVG, so that a viewer with another font scales the
/// text to this width. The clip paths of the SVG are renumbered from 1, because the renderer
/// continues its numbers from one picture to the next.
#[must_use]
pub fn finished(svg: &str) -> String {
    renumbered(&fitted(svg))
}

fn fitted(svg: &str) -> String {
    elements(svg, "text", |attributes, content| {
        let size = size_of(attributes)?;
        let bold = attributes.contains("font-weight=\"bold\"");
        Some(if content.contains('<') {
            format!("{attributes}>{}", lines(content, size, bold))
        } else {
            fit(attributes, content, size, bold)
        })
    })
}

/// Lines of a text, each with its width.
fn lines(text: &str, size: f64, bold: bool) -> String {
    elements(text, "tspan", |attributes, line| {
        (!line.contains('<')).then(|| fit(attributes, line, size, bold))
    })
}

/// Rewrites the elements with this name. `written` receives attributes and content, and returns `None` to
/// keep an element.
fn elements(svg: &str, name: &str, written: impl Fn(&str, &str) -> Option<String>) -> String {
    let (begin, end) = (format!("<{name}"), format!("</{name}>"));
    let mut made = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(&begin) {
        made += before;
        made += &begin;
        rest = after;
        let Some((attributes, within)) = after.split_once('>') else { continue };
        // Skips a longer element name, and an element without content.
        if attributes.ends_with('/') || !(attributes.is_empty() || attributes.starts_with(' ')) {
            continue;
        }
        let Some((content, behind)) = within.split_once(&end) else { continue };
        let Some(new) = written(attributes, content) else { continue };
        made += &new;
        made += &end;
        rest = behind;
    }
    made + rest
}

/// Text content and attributes with a fixed width.
fn fit(attributes: &str, text: &str, size: f64, bold: bool) -> String {
    if text.is_empty() {
        return format!("{attributes}>");
    }
    let wide = width(&unescaped(text), size, bold);
    format!("{attributes} textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\">{text}")
}

/// Font size in the attributes of a text, px.
fn size_of(attributes: &str) -> Option<f64> {
    let (_, from) = attributes.split_once("font-size=\"")?;
    from.split_once("px\"")?.0.parse().ok()
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
        let Some((number, _)) = after.split_once(*end) else { continue };
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
