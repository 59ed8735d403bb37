//! Payloads as commands.

use airlag_rpc::command::{Command, Head};

/// Bytes as a command.
///
/// # Panics
/// If a command is another once it is written again.
pub fn command(bytes: &[u8]) {
    let Ok(command) = Command::parse(bytes) else { return };
    let Command { direction, method, message } = command;
    // Of longer names than a head holds there are no commands but those that came.
    let Some(head) = Head::new(direction, method, message.len()) else { return };
    let again = [head.bytes(), message].concat();
    assert_eq!(Command::parse(&again), Ok(command));
}
