//! Profiles that differ in a few values, in one file.

use airlag_kinds::ALL;
use airlag_rig::family::profiles;
use airlag_rig::parameter::Value;
use airlag_rig::profile::named;
use airlag_rig::{Family, Profile};

const TEXT: &str = r#"
family = "gpio-{build}"
kind = "gpio"
about = "a board, {build}"

[axes.build]
values = ["fast", "small"]
source = "assumed"
note = "an example"

[parameters]
processor = { value = 168000000, unit = "Hz", source = "assumed", note = "an example" }
exception_entry = { value = 12, unit = "cycles", source = "assumed", note = "an example" }
exception_exit = { value = 12, unit = "cycles", source = "assumed", note = "an example" }
tail_chain = { value = 6, unit = "cycles", source = "assumed", note = "an example" }
tick_period = { value = 168000, unit = "cycles", source = "assumed", note = "an example" }
tick_handler = { value = 4, unit = "cycles", source = "assumed", note = "an example" }
synchroniser = { value = 3, unit = "cycles", source = "assumed", note = "an example" }
trigger_handler = { value = 40, unit = "cycles", source = "assumed", note = "an example" }
turn = { value = 8, unit = "cycles", source = "assumed", note = "an example" }
strobe_write = { value = 4, unit = "cycles", source = "assumed", note = "an example" }
strobe_hold = { value = 8, unit = "cycles", source = "assumed", note = "an example" }
strobe_slew = { value = 10, unit = "ns", source = "assumed", note = "an example" }
board_ppb = { value = 0, unit = "ppb", source = "assumed", note = "an example" }

[when.build.small]
turn = { value = 9, unit = "cycles", source = "calibrated", capture = "a capture" }

[[published]]
member = "gpio-small"
median_ms = 0.1
cite = "latency-comparison"
at = "somewhere"
"#;

fn refusal(text: &str) -> String {
    let outcome = Family::parse("file", text).and_then(|family| family.members(ALL));
    outcome.expect_err("refused").to_string()
}

#[test]
fn members_are_named_by_their_values() {
    let family = Family::parse("file", TEXT).expect("right");
    assert_eq!(family.names(), ["gpio-fast", "gpio-small"]);
}

#[test]
fn a_member_has_the_common_parameters_and_its_own() {
    let turn = |name: &str| {
        let members = profiles("file", TEXT, ALL).expect("right");
        let member = named(&members, name).expect("a member");
        member.parameters["turn"].value.clone()
    };
    assert_eq!((turn("gpio-fast"), turn("gpio-small")), (Value::Whole(8), Value::Whole(9)));
}

#[test]
fn a_published_figure_goes_to_its_member_only() {
    let members = profiles("file", TEXT, ALL).expect("right");
    let counts: Vec<usize> = members.iter().map(|member| member.published.len()).collect();
    assert_eq!(counts, [0, 1]);
    assert_eq!(members[1].about, "a board, small");
}

#[test]
fn a_family_is_held_to_the_rules_of_a_profile() {
    let text = TEXT.replace("turn = { value = 8", "trun = { value = 8");
    assert_eq!(refusal(&text), "gpio-fast: no parameter `trun`; did you mean `turn`?");
    let text = TEXT.replace("[when.build.small]", "[when.build.smal]");
    assert_eq!(refusal(&text), "file: axis `build` has no value `smal`");
    let text = TEXT.replace("[when.build.small]", "[when.bulid.small]");
    assert_eq!(refusal(&text), "file: no axis `bulid`");
    let text = TEXT.replace("member = \"gpio-small\"", "member = \"gpio-smaller\"");
    assert_eq!(refusal(&text), "file: no member `gpio-smaller`");
}

#[test]
fn a_member_is_found_by_name() {
    let members = profiles("family", TEXT, ALL).expect("right");
    assert_eq!(named(&members, "gpio-small").expect("a member").name, "gpio-small");
    let missing = named(&members, "gpio-smal").expect_err("none").to_string();
    assert_eq!(missing, "no link `gpio-smal`; did you mean `gpio-small`?");
}

#[test]
fn every_member_has_the_variants_of_its_family() {
    let variant = "[variants.quiet]\nabout = \"without a tick\"\n\
        parameters.tick_period = { value = 0, unit = \"cycles\", source = \"assumed\", note = \"an example\" }\n";
    let members = profiles("file", &format!("{TEXT}\n{variant}"), ALL).expect("right");
    let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["gpio-fast", "gpio-fast-quiet", "gpio-small", "gpio-small-quiet"]);
    assert_eq!(members[3].parameters["tick_period"].value, Value::Whole(0));
    assert_eq!(members[3].parameters["turn"].value, Value::Whole(9));
    assert_eq!(members[3].about, "a board, small, without a tick");
    assert!(members[3].published.is_empty());
    let wrong = variant.replace("tick_period", "tick_perod");
    let refused = refusal(&format!("{TEXT}\n{wrong}"));
    assert_eq!(refused, "gpio-fast-quiet: no parameter `tick_perod`; did you mean `tick_period`?");
}

#[test]
fn a_family_cannot_make_profiles_without_end() {
    let values = (0..40).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
    let axes = ["one", "two"].map(|axis| {
        format!("[axes.{axis}]\nvalues = [{values}]\nsource = \"assumed\"\nnote = \"an example\"\n")
    });
    let text = TEXT.replace("[parameters]", &format!("{}[parameters]", axes.concat()));
    assert_eq!(refusal(&text), "file: a file makes at most 1000 profiles");
}

#[test]
fn a_value_of_an_axis_cannot_bring_in_another_pattern() {
    let refused = "file: a value of axis `build` has at most 64 bytes and no braces";
    for value in ["{build}", &"small".repeat(20)] {
        assert_eq!(refusal(&TEXT.replacen("small", value, 1)), refused);
    }
}

#[test]
fn a_pattern_cannot_repeat_its_values_without_end() {
    let text = TEXT.replace("a board", &"{build}".repeat(200));
    assert_eq!(refusal(&text), "file: `family` and `about` have at most 1024 bytes");
}

#[test]
fn a_figure_has_a_size_where_there_is_a_message_and_only_there() {
    let sized = TEXT.replace("median_ms", "size = 12\nmedian_ms");
    let expected = "gpio-small has no message, so no payload to choose; leave the size out";
    assert_eq!(refusal(&sized), expected);
    let radio = include_str!("../../../links/nrf24-2m.toml");
    let bare = radio.replacen("size = 12\n", "", 1);
    let expected = "nrf24-2m: the message size is missing; give the payload in bytes, such as 128";
    assert_eq!(Profile::parse("file", &bare, ALL).expect_err("bare").to_string(), expected);
}
