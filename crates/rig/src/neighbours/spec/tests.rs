use airlag_air::Band;
use proptest::prelude::*;

use super::*;
use crate::error::Error;
use crate::neighbours::same_link::SameLink;
use crate::neighbours::{Beside, within_reach};

/// A share of a channel from 1 to 13.
struct Loud;

impl Neighbour for Loud {
    fn name(&self) -> &'static str {
        "loud"
    }
    fn example(&self) -> &'static str {
        "loud:30%@ch6"
    }
    fn check(&self, spec: &Spec) -> Result<(), String> {
        spec.channel(1, 13)?;
        spec.share().map(|_| ())
    }
    /// The band is as wide as the distance of four channels.
    fn band(&self, spec: &Spec, _: Band) -> Band {
        Band::around(2_407_000 + 5_000 * u32::from(spec.channel.unwrap_or(1)), 20_000)
    }
    fn start(&self, _: &Spec, _: &Beside<'_>) -> Result<(), Error> {
        Ok(())
    }
}

const KINDS: Kinds = Kinds::new(&[&Loud, &SameLink]);

fn one(text: &str) -> Spec {
    let [spec] = parse(text, KINDS).expect(text)[..] else { panic!("one: {text}") };
    spec
}

fn refused(text: &str) -> String {
    parse(text, KINDS).err().unwrap_or_else(|| panic!("{text} is right"))
}

#[test]
fn a_neighbour_counts_that_meets_the_link_or_another_that_does() {
    let counted = |text: &str, link: Band| -> Vec<usize> {
        let all = within_reach(parse(text, KINDS).expect(text), link);
        all.into_iter().map(|(at, _)| at).collect()
    };
    let on_one = Band::around(2_412_000, 20_000);
    // Channel 1 overlaps 4, which overlaps 7, which overlaps 10. Channel 13 overlaps none of them.
    let all = "loud:9%@ch10; loud:9%@ch13; loud:9%@ch7; loud:9%@ch4";
    assert_eq!(counted(all, on_one), [0, 1, 2, 3]);
    assert_eq!(counted("loud:9%@ch10; loud:9%@ch13; loud:9%@ch4", on_one), [2]);
    assert_eq!(counted("loud:9%@ch5; same-link:2", on_one), [1], "bands that touch do not meet");
    assert_eq!(counted(all, Band::around(868_300, 125)), [0; 0]);
}

#[test]
fn a_request_is_read_as_it_is_written() {
    let spec = one("loud:30%@ch6,10m,20dBm");
    assert_eq!((spec.amount, spec.channel), (Amount::Share(0.3), Some(6)));
    assert_eq!((spec.distance, spec.power), (Metres(10.0), Some(Dbm(20.0))));
    let spec = one(" loud: 2.5% @ 13 , -3.5dBm , 2km ");
    assert_eq!((spec.amount, spec.channel), (Amount::Share(0.025), Some(13)));
    assert_eq!((spec.distance, spec.power), (Metres(2_000.0), Some(Dbm(-3.5))));
    let spec = one("same-link:5,50cm");
    assert_eq!((spec.amount, spec.distance, spec.power), (Amount::Count(5), Metres(0.5), None));
    assert_eq!(one("same-link:1").distance, DISTANCE);
    assert_eq!(parse("", KINDS).map(|all| all.len()), Ok(0));
    assert_eq!(parse("same-link:5; loud:1%@ch1", KINDS).map(|all| all.len()), Ok(2));
}

#[test]
fn what_is_wrong_is_told_with_what_would_be_right() {
    assert_eq!(
        refused("lout:3%"),
        "`lout:3%`: no such neighbour; did you mean `loud`, as in loud:30%@ch6, same-link:5?"
    );
    assert_eq!(
        refused("loud"),
        "`loud`: a neighbour is kind:amount, as in loud:30%@ch6, same-link:5"
    );
    for text in ["loud:", "loud:0%@ch6", "loud:101%@ch6", "loud:-3%@ch1", "loud:NaN%", "loud:51"] {
        let amount = "the amount is a share above 0% up to 100%, or a count from 1 to 50, as in loud:30%@ch6";
        assert_eq!(refused(text), format!("`{text}`: {amount}"));
    }
    assert_eq!(refused("loud:3@ch6"), "`loud:3@ch6`: it is a share of airtime, as in loud:30%@ch6");
    for text in ["loud:3%", "loud:3%@ch14", "loud:3%@ch0"] {
        assert_eq!(refused(text), format!("`{text}`: its channel is 1 to 13, as in loud:30%@ch6"));
    }
    assert_eq!(refused("same-link:5%"), "`same-link:5%`: it is a number, as in same-link:5");
    let message = refused("loud:3%@ch6,soon");
    assert!(
        message.ends_with("the amount may be followed by a distance (10m) and a power (20dBm)"),
        "{message}"
    );
    assert!(refused("loud:3%@ch6,99dBm").ends_with("a power is from -100dBm to 60dBm"));
    assert!(refused("loud:3%@ch6,0.001m").ends_with("a distance is from 1cm to 1000km"));
    assert!(refused("loud:3%@six").ends_with("a channel is a number, as in loud:30%@ch6"));
    assert!(refused("same-link:5,3dBm").contains("leave them out"));
    assert!(refused("same-link:1;").starts_with("``"));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_in_one_line(text in "\\PC{0,60}|[a-z0-9:%@,;.m dBkc-]{0,40}|(loud|same-link):.{0,20}") {
        if let Err(message) = parse(&text, KINDS) {
            prop_assert!(!message.contains(char::is_control) && message.len() < 1_000, "{message}");
        }
    }

    #[test]
    fn what_is_in_range_is_read(
        share in 0.01..100.0_f64, channel in 1..14_u8, metres in 0.01..1e6_f64, dbm in -100.0..60.0_f64,
    ) {
        let spec = one(&format!("loud:{share}%@ch{channel},{metres}m,{dbm}dBm"));
        prop_assert_eq!(spec.channel, Some(channel));
        prop_assert_eq!((spec.distance, spec.power), (Metres(metres), Some(Dbm(dbm))));
        prop_assert_eq!(spec.amount, Amount::Share(share / 100.0));
    }
}
