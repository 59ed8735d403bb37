//! Valid content of a profile file, and errors for invalid content.

use airlag_kinds::ALL;
use airlag_rig::Profile;
use airlag_rig::origin::Origin;
use airlag_rig::parameter::Value;

const TEXT: &str = include_str!("../../../links/nrf24-2m.toml");

fn parsed() -> Profile {
    let profiles = Profile::parse("nrf24-2m", TEXT, ALL).expect("a profile of the tree");
    profiles.into_iter().next().expect("the profile itself")
}

/// Error message after replacing `from` with `to`.
fn broken(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from}");
    Profile::parse("nrf24-2m", &TEXT.replacen(from, to, 1), ALL).expect_err("broken").to_string()
}

#[test]
fn a_misspelt_parameter_is_named_with_the_nearest() {
    let mut profile = parsed();
    let error = profile.set("retransmit_dealy", "500").expect_err("misspelt").to_string();
    assert_eq!(
        error,
        "nrf24-2m: no parameter `retransmit_dealy`; did you mean `retransmit_delay`?"
    );
    assert!(broken("settle =", "setle =").contains("did you mean `settle`?"));
}

#[test]
fn a_value_outside_the_datasheet_is_named_with_its_range() {
    let error = parsed().set("retransmit_count", "16").expect_err("too many").to_string();
    assert_eq!(error, "nrf24-2m: `retransmit_count` is 16, but must be 0 to 15");
    let error = parsed().set("channel", "126").expect_err("no such channel").to_string();
    assert!(error.ends_with("must be 0 to 125 MHz above 2400"), "{error}");
}

#[test]
fn a_wrong_choice_lists_the_right_ones() {
    let error = parsed().set("rate", "1500").expect_err("no such rate").to_string();
    assert_eq!(error, "nrf24-2m: `rate` cannot be \"1500\"; it must be 250 | 1000 | 2000");
    let error = parsed().set("acknowledge", "maybe").expect_err("no flag").to_string();
    assert!(error.ends_with("it must be true or false"), "{error}");
}

#[test]
fn a_file_that_is_no_profile_is_one_line_with_its_place() {
    let error = broken("kind = \"nrf24\"", "kind = nrf24");
    assert!(error.starts_with("nrf24-2m: line 2: ") && !error.contains('\n'), "{error}");
    let error = broken("note = \"no effect on timing\"", "nota = \"no effect on timing\"");
    assert!(error.starts_with("nrf24-2m: line 9: unknown field `nota`"), "{error}");
    let error = broken("unit = \"us\"", "unit = \"ms\"");
    assert_eq!(error, "nrf24-2m: `retransmit_delay` is in \"us\", not \"ms\"");
}

#[test]
fn a_missing_constant_and_one_without_a_capture_are_named() {
    let line = TEXT.lines().find(|line| line.starts_with("settle")).expect("it has one");
    assert_eq!(broken(line, ""), "nrf24-2m: parameter `settle` is missing");
    let line = TEXT.lines().find(|line| line.starts_with("rearm =")).expect("it has one");
    let bare = "rearm = { value = 77700, unit = \"ns\", source = \"calibrated\" }";
    let missing = "nrf24-2m: `rearm`: its source is `calibrated`, so `capture` must name the \
        fitted capture, or `cite` an article with the figure";
    assert_eq!(broken(line, bare), missing);
    let cited = "cite = \"nrf24l01p\", at = \"6.1.7";
    let missing = "nrf24-2m: `settle`: no source `nrf24l01` in links/sources.toml; did you mean \
        `nrf24l01p`?";
    assert_eq!(broken(cited, "cite = \"nrf24l01\", at = \"6.1.7"), missing);
    assert!(broken("cite = \"latency-comparison\"", "cite = \"sik\"").contains("not an article"));
}

#[test]
fn a_bound_holds_its_value_and_stays_in_range() {
    let with = |bound: &str| {
        broken(
            "value = 1000, unit = \"us\", source = \"source\", cite = \
        \"latency-eval\", at = \"firmware/nrf24/stm-ll/src/main.c\"",
            &format!(
                "value = 1000, unit = \
        \"us\", source = \"assumed\", note = \"an example\", bound = {bound}"
            ),
        )
    };
    let head = "nrf24-2m: `retransmit_delay`: `bound` ";
    let without = format!("{head}must include the value 1000, but is 250 to 750");
    assert_eq!(with("[250, 750]"), without);
    let outside = format!("{head}must stay within the range of `retransmit_delay`");
    assert_eq!(with("[250, 9000]"), outside);
    assert_eq!(with("[false, true]"), format!("{head}applies to numbers only"));
    assert!(with("[250]").contains("invalid length 1"));
}

#[test]
fn a_change_is_kept_with_its_origin() {
    let mut profile = parsed();
    profile.set("rate", "250").expect("a rate");
    assert_eq!(profile.parameters["rate"].value, Value::Choice("250".to_owned()));
    assert_eq!(profile.parameters["rate"].origin, Origin::assumed("set for this run"));
}

#[test]
fn an_error_is_one_line_whatever_a_file_calls_its_parts() {
    assert_eq!(broken("\"nrf24-2m\"", r#""a\nb""#), r"a\nb: not a valid link name");
    assert!(broken("settle =", r#""a\nb" ="#).starts_with(r"nrf24-2m: no parameter `a\nb`; "));
}

#[test]
fn a_file_of_profiles_that_is_too_long_is_refused() {
    let text = format!("{TEXT}# {}", "-".repeat(64 * 1024));
    let refused = Profile::parse("file", &text, ALL).expect_err("too long").to_string();
    assert_eq!(refused, "file: a profile has at most 65536 bytes");
}
