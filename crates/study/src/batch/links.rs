//! Selection of links by shell patterns with `*`, `?` and `[...]`.

use glob::Pattern;

use airlag_rig::profile::nearest;

/// Returns the `names` that match `pattern`, in order.
#[must_use]
pub fn like<'a>(pattern: &str, names: &[&'a str]) -> Vec<&'a str> {
    // An invalid pattern matches nothing.
    let Ok(pattern) = Pattern::new(pattern) else { return Vec::new() };
    names.iter().copied().filter(|name| pattern.matches(name)).collect()
}

/// Returns the `names` that match `pattern`, in order.
///
/// # Errors
///
/// One line with the nearest name, if nothing matches.
pub fn links_like<'a>(pattern: &str, names: &[&'a str]) -> Result<Vec<&'a str>, String> {
    let found = like(pattern, names);
    if !found.is_empty() {
        return Ok(found);
    }
    // The text of a pattern before its first wildcard is compared with name prefixes of this
    // length.
    let stem = pattern.split(['*', '?', '[']).next().unwrap_or_default();
    let head = |name: &'a str| {
        if stem == pattern { name } else { name.get(..stem.len()).unwrap_or(name) }
    };
    let near = nearest(stem, names.iter().map(|name| head(name)));
    let meant = names.iter().find(|name| head(name) == near).unwrap_or(&near);
    Err(format!("no link `{}`; did you mean `{meant}`?", pattern.escape_debug()))
}

/// Returns the `names` that match any pattern of `among` and none of `without`. An empty `among` matches
/// all names.
///
/// # Errors
///
/// One line, if a pattern matches no name or no name is left.
pub fn chosen<'a>(
    names: &[&'a str],
    among: Option<&[String]>,
    without: &[String],
) -> Result<Vec<&'a str>, String> {
    let all = |patterns: &[String]| {
        let each = patterns.iter().map(|pattern| links_like(pattern, names));
        each.collect::<Result<Vec<_>, _>>().map(|found| found.concat())
    };
    let kept = among.map_or_else(|| Ok(names.to_vec()), all)?;
    let left_out = all(without)?;
    let kept: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| kept.contains(name) && !left_out.contains(name))
        .collect();
    if kept.is_empty() {
        return Err("all links are excluded; exclude fewer".to_owned());
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] =
        ["nrf24-2m", "nrf24-250k", "ble-nus-notify", "ble-nus-write", "sik-64k"];

    fn texts(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&one| one.to_owned()).collect()
    }

    #[test]
    fn a_pattern_chooses_in_the_order_of_the_names() {
        assert_eq!(links_like("*n*", &NAMES).as_deref(), Ok(&NAMES[..4]));
        assert_eq!(links_like("ble-nus-[nw]*", &NAMES).as_deref(), Ok(&NAMES[2..4]));
        assert_eq!(links_like("nrf24-2?", &NAMES).as_deref(), Ok(&NAMES[..1]));
        assert_eq!(links_like("ble-nus-[!n]*", &NAMES).as_deref(), Ok(&NAMES[3..4]));
        assert_eq!(links_like("sik-64k", &NAMES).as_deref(), Ok(&NAMES[4..]));
    }

    #[test]
    fn a_pattern_that_is_like_nothing_is_answered_with_the_nearest() {
        let near = [("nrf42-*", "nrf24-2m"), ("ble-nuz-notify", "ble-nus-notify"), ("[", "nrf24")];
        for (pattern, nearest) in near {
            let error = links_like(pattern, &NAMES).expect_err(pattern);
            assert!(error.contains(&format!("did you mean `{nearest}")), "{error}");
        }
    }

    #[test]
    fn what_is_left_out_is_left_out_of_what_is_chosen() {
        assert_eq!(chosen(&NAMES, None, &[]).as_deref(), Ok(&NAMES[..]));
        let among = texts(&["nrf24-*", "sik-*"]);
        let found = chosen(&NAMES, Some(&among), &texts(&["*-2m"]));
        assert_eq!(found.as_deref(), Ok(&["nrf24-250k", "sik-64k"][..]));
        let without = texts(&["*-notify", "nrf24-*"]);
        assert_eq!(chosen(&NAMES, None, &without).as_deref(), Ok(&NAMES[3..]));
        let all_left_out = chosen(&NAMES, Some(&texts(&["sik-*"])), &texts(&["*"]));
        assert!(all_left_out.expect_err("none").contains("all links are excluded"));
        assert!(chosen(&NAMES, None, &texts(&["zigbee"])).is_err());
    }
}
