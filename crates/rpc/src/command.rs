//! A command: method and message, the content of an opened payload.
//!
//! ```text
//!  response:1 number:1 -:6 | length of the name 1 | name | length of the message 2, LE | message
//!  response:1 number:1 -:6 | number of the method 1 | message                 between ends that support it
//! ```
//!
//! The second form omits the name and a length that is already known; see
//! [`crate::capability::Flags::COMPACT`].

/// A request or its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A request from the central.
    Request,
    /// A response from the peripheral.
    Response,
}

const RESPONSE: u8 = 0x80;
const NUMBERED: u8 = 0x40;

/// Method of a call, by its name or its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method<'a> {
    /// Name.
    Name(&'a str),
    /// Index in the list that both sides have.
    Number(u8),
}

impl Method<'_> {
    /// Name of the method, among `known`.
    #[must_use]
    pub fn name<'b>(self, known: &'b [&'b str]) -> Option<&'b str> {
        match self {
            Self::Name(name) => known.iter().find(|&&one| one == name).copied(),
            Self::Number(number) => known.get(usize::from(number)).copied(),
        }
    }
}

/// A parsed command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// Direction.
    pub direction: Direction,
    /// Method.
    pub method: Method<'a>,
    /// Message.
    pub message: &'a [u8],
}

/// Reason why bytes are not a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The command is truncated.
    #[error("a command of {0} B is truncated")]
    Truncated(usize),
    /// The name is not ASCII.
    #[error("a method's name is not ASCII")]
    Name,
    /// Undefined bits are set.
    #[error("a command with undefined bits")]
    Reserved,
}

impl<'a> Command<'a> {
    /// Parses a payload. Bytes after the message are ignored, as the protocol requires.
    ///
    /// # Errors
    ///
    /// [`Malformed`] for an invalid command.
    pub fn parse(payload: &'a [u8]) -> Result<Self, Malformed> {
        let short = Malformed::Truncated(payload.len());
        let &[flags, second, ref rest @ ..] = payload else { return Err(short) };
        let direction =
            if flags & RESPONSE == 0 { Direction::Request } else { Direction::Response };
        if flags & NUMBERED != 0 {
            if flags & !(RESPONSE | NUMBERED) != 0 {
                return Err(Malformed::Reserved);
            }
            return Ok(Self { direction, method: Method::Number(second), message: rest });
        }
        let (name, rest) = rest.split_at_checked(usize::from(second)).ok_or(short)?;
        let name = core::str::from_utf8(name).ok().filter(|name| name.is_ascii());
        let method = Method::Name(name.ok_or(Malformed::Name)?);
        let &[low, high, ref rest @ ..] = rest else { return Err(short) };
        let length = usize::from(u16::from_le_bytes([low, high]));
        let message = rest.get(..length).ok_or(short)?;
        Ok(Self { direction, method, message })
    }
}

/// Longest supported name of a method. The protocol permits 255 bytes.
pub const MAX_NAME: usize = 32;
/// Largest number of bytes before a message.
pub const MAX_HEAD: usize = 2 + MAX_NAME + 2;

/// Header of a command. Empty by default.
#[derive(Clone, Debug, Default)]
pub struct Head {
    bytes: heapless::Vec<u8, MAX_HEAD>,
}

impl Head {
    /// Header of a message of `length` bytes. `None` for more than 65,535 bytes, or a name longer than
    /// [`MAX_NAME`].
    #[must_use]
    pub fn new(direction: Direction, method: Method<'_>, length: usize) -> Option<Self> {
        let length = u16::try_from(length).ok()?;
        let direction = if direction == Direction::Response { RESPONSE } else { 0 };
        let mut bytes = heapless::Vec::new();
        match method {
            Method::Number(number) => {
                bytes.extend_from_slice(&[direction | NUMBERED, number]).ok()?;
            }
            Method::Name(name) => {
                bytes.extend_from_slice(&[direction, u8::try_from(name.len()).ok()?]).ok()?;
                bytes.extend_from_slice(name.as_bytes()).ok()?;
                bytes.extend_from_slice(&length.to_le_bytes()).ok()?;
            }
        }
        Some(Self { bytes })
    }

    /// Encoded bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_what_the_protocol_says() {
        let head = Head::new(Direction::Request, Method::Name("echo"), 3).expect("short");
        assert_eq!(head.bytes(), b"\x00\x04echo\x03\x00");
        let (direction, method) = (Direction::Request, Method::Name("echo"));
        let command = Command { direction, method, message: b"\x0a\x01x" };
        assert_eq!(Command::parse(b"\x00\x04echo\x03\x00\x0a\x01x"), Ok(command));
        let head = Head::new(Direction::Response, Method::Number(2), 3).expect("short");
        assert_eq!(head.bytes(), b"\xC0\x02");
        let (direction, method) = (Direction::Response, Method::Number(2));
        let command = Command { direction, method, message: b"abc" };
        assert_eq!(Command::parse(b"\xC0\x02abc"), Ok(command));
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for (wrong, cause) in [
            (&b"\x00"[..], Malformed::Truncated(1)),
            (b"\x00\x04ech", Malformed::Truncated(5)),
            (b"\x00\x04echo\x03", Malformed::Truncated(7)),
            (b"\x00\x04echo\x03\x00\x0a", Malformed::Truncated(9)),
            (b"\x00\x01\xFF\x00\x00", Malformed::Name),
            (b"\x41\x00", Malformed::Reserved),
        ] {
            assert_eq!(Command::parse(wrong), Err(cause));
        }
    }

    #[test]
    fn methods_are_found_by_name_and_by_number() {
        let known = ["echo", "flash_read"];
        assert_eq!(Method::Name("flash_read").name(&known), Some("flash_read"));
        assert_eq!(Method::Number(0).name(&known), Some("echo"));
        assert_eq!(Method::Number(2).name(&known), None);
        assert_eq!(Method::Name("flash").name(&known), None);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_parsed_without_a_panic(bytes: std::vec::Vec<u8>) {
            if let Ok(Command { direction, method, message }) = Command::parse(&bytes) {
                let Some(head) = Head::new(direction, method, message.len()) else { return Ok(()) };
                let again: std::vec::Vec<u8> = [head.bytes(), message].concat();
                let again = Command::parse(&again);
                proptest::prop_assert_eq!(again, Ok(Command { direction, method, message }));
            }
        }
    }
}
