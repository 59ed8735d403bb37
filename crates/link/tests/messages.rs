//! Messages, compared with a table that other tests use as well.

use airlag_link::message;

#[test]
fn messages_are_those_of_the_table() {
    let table = include_str!("messages.txt").lines().filter(|line| !line.starts_with('#'));
    let mut rows = 0;
    for line in table {
        let (sequence, bytes) = line.split_once(':').expect("a sequence number");
        let expected: Vec<u8> = bytes
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal"))
            .collect();
        let mut written = [0; 12];
        message::write_test(&mut written, sequence.parse().expect("a number"))
            .expect("12 bytes suffice");
        assert_eq!(written[..], expected, "message {sequence}");
        rows += 1;
    }
    assert_eq!(rows, 3);
}
