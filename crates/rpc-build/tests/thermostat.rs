//! A service with fields of every type, and invalid messages in both directions.

#[path = "thermostat/thermostat.rs"]
#[rustfmt::skip]
mod generated;

use std::collections::HashMap;

use crate::described::{Messages, pulled};
use airlag_rpc::service::{Fault, Outcome, Service};
use generated::google_::protobuf_::Empty;
use generated::{Piece, Program, State, State_, THERMOSTAT_METHODS, Target, Thermostat};
use generated::{ThermostatServer, units_::Celsius};
use protox::prost::Message as _;
use protox::prost_reflect::{DynamicMessage, MapKey, Value};

/// Stores the received target and log.
#[derive(Default)]
struct Room {
    target: Target,
    log: Vec<u8>,
}

impl Thermostat for Room {
    type LoadHTTPProgramRequest = Owned;
    type LogRequest = Owned;
    type TypeItems = std::iter::RepeatN<State>;

    fn set(&mut self, request: Target) -> Result<Empty, Fault> {
        self.target = request;
        Ok(Empty {})
    }

    fn get_state(&mut self, _request: Empty) -> Result<State, Fault> {
        let mut state = State { mode: State_::Mode::On, ..State::default() };
        let name = "garden".try_into().map_err(|_| Fault::TooLarge)?;
        state.windows.push(State_::Window { name, open: true }).map_err(|_| Fault::TooLarge)?;
        let key = "monday".try_into().map_err(|_| Fault::TooLarge)?;
        state.since.insert(key, -5).map_err(|_| Fault::TooLarge)?;
        state.history = [1.5, -2.0].into_iter().collect();
        state.source = Some(State_::Source::Sensor(7));
        state.set_target(self.target);
        Ok(state)
    }

    fn load_http_program(
        &mut self,
        request: Program,
        request_bytes: &[u8],
    ) -> Result<(Program, Owned), Fault> {
        Ok((request, Owned(request_bytes.to_vec())))
    }

    fn log(&mut self, item: Piece, item_bytes: &[u8]) -> Result<(), Fault> {
        if item.offset != self.log.len() as u64 {
            return Err(Fault::OutOfRange);
        }
        self.log.extend(item_bytes);
        Ok(())
    }

    fn log_end(&mut self) -> Result<(Program, Owned), Fault> {
        Ok((Program::default(), Owned(std::mem::take(&mut self.log))))
    }

    fn log_abandon(&mut self) {
        self.log.clear();
    }

    fn r#type(&mut self, request: Target) -> Result<Self::TypeItems, Fault> {
        let state = State::default().init_target(request);
        Ok(std::iter::repeat_n(state, 2))
    }
}

/// Bytes of its own.
struct Owned(Vec<u8>);

impl airlag_rpc::source::Source for Owned {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn read(&mut self, offset: usize, into: &mut [u8]) {
        into.copy_from_slice(&self.0[offset..offset + into.len()]);
    }
}

fn messages() -> Messages {
    Messages::of("tests/thermostat/thermostat.proto", "home")
}

/// The message `name` of these bytes.
fn read(messages: &Messages, name: &str, bytes: &[u8]) -> DynamicMessage {
    let mut message = messages.message(name, &[]);
    message.merge(bytes).expect("a message");
    message
}

fn items(outcome: Result<Outcome<impl airlag_rpc::service::Reply>, Fault>) -> Vec<Vec<u8>> {
    match outcome.ok() {
        Some(Outcome::Reply(reply) | Outcome::Stream(reply)) => pulled(reply, &[3, 1, 50]),
        Some(Outcome::Taken) | None => Vec::new(),
    }
}

fn target(messages: &Messages) -> DynamicMessage {
    let mut target = messages.message("Target", &[("hysteresis", Value::I32(-3))]);
    let mut celsius = target.get_field_by_name_mut("temperature").expect("a field").clone();
    if let Value::Message(message) = &mut celsius {
        message.set_field_by_name("degrees", Value::F32(20.5));
    }
    target.set_field_by_name("temperature", celsius);
    target
}

#[test]
fn fields_of_every_sort_are_those_of_another_library() {
    let messages = messages();
    let mut server = ThermostatServer(Room::default());
    let set = target(&messages);
    assert_eq!(items(server.call("set", &set.encode_to_vec())), [b""]);
    let temperature = Celsius { degrees: 20.5 };
    let expected = Target::default().init_temperature(temperature).init_hysteresis(-3);
    assert_eq!(server.0.target, expected);

    let got = items(server.call("get_state", &[]));
    let mut window = messages.message("State.Window", &[("open", Value::Bool(true))]);
    window.set_field_by_name("name", Value::String("garden".into()));
    let since = HashMap::from([(MapKey::String("monday".into()), Value::I64(-5))]);
    let expected = messages.message(
        "State",
        &[
            ("mode", Value::EnumNumber(1)),
            ("windows", Value::List(vec![Value::Message(window)])),
            ("since", Value::Map(since)),
            ("history", Value::List(vec![Value::F64(1.5), Value::F64(-2.0)])),
            ("sensor", Value::U32(7)),
            ("target", Value::Message(set)),
        ],
    );
    assert_eq!(got.len(), 1);
    assert_eq!(read(&messages, "State", &got[0]), expected);
}

#[test]
fn bytes_go_through_whatever_their_number_is() {
    let messages = messages();
    let mut server = ThermostatServer(Room::default());
    for len in [0, 1, 127, 128, 600] {
        let bytes = Value::Bytes(vec![9; len].into());
        let fields = [("request", bytes), ("name", Value::String("night".into()))];
        let got = items(server.call("load_http_program", &messages.bytes("Program", &fields)));
        assert_eq!(got.len(), 1);
        let expected = read(&messages, "Program", &messages.bytes("Program", &fields));
        assert_eq!(read(&messages, "Program", &got[0]), expected);
    }
}

#[test]
fn one_byte_beyond_a_limit_is_too_large_on_every_way() {
    let messages = messages();
    let mut server = ThermostatServer(Room::default());
    let program = |len, name: &str| {
        let fields = [("request", Value::Bytes(vec![9; len].into()))];
        let name = ("name", Value::String(name.into()));
        messages.bytes("Program", &[fields[0].clone(), name])
    };
    let told = |server: &mut ThermostatServer<Room>, method, request: &[u8]| {
        server.call(method, request).err()
    };
    let most = "n".repeat(40);
    assert_eq!(told(&mut server, "load_http_program", &program(600, &most)), None);
    let long = program(601, &most);
    assert_eq!(told(&mut server, "load_http_program", &long), Some(Fault::TooLarge));
    let long = program(600, &"n".repeat(41));
    assert_eq!(told(&mut server, "load_http_program", &long), Some(Fault::TooLarge));

    // Data that is read in pieces may be longer than a response permits.
    for (offset, fits) in [(0, true), (600, false)] {
        let bytes = Value::Bytes(vec![1; 600 + offset].into());
        let piece = messages.bytes("Piece", &[("item", bytes)]);
        assert_eq!(told(&mut server, "log", &piece), None);
        assert_eq!(server.end("log").map(|_| ()).is_ok(), fits);
    }
}

#[test]
fn an_upload_is_handed_over_piece_by_piece() {
    let messages = messages();
    let mut server = ThermostatServer(Room::default());
    for (offset, text) in [(0, "ab"), (2, "cde")] {
        let item = Value::Bytes(text.as_bytes().to_vec().into());
        let piece = messages.bytes("Piece", &[("offset", Value::U64(offset)), ("item", item)]);
        assert!(matches!(server.call("log", &piece), Ok(Outcome::Taken)));
    }
    let piece = messages.bytes("Piece", &[("offset", Value::U64(9))]);
    assert_eq!(server.call("log", &piece).err(), Some(Fault::OutOfRange));
    let got = server.end("log").map(|reply| pulled(reply, &[2])).expect("an end");
    let all = messages.message("Program", &[("request", Value::Bytes(b"abcde".to_vec().into()))]);
    assert_eq!(read(&messages, "Program", &got[0]), all);
}

#[test]
fn an_upload_that_is_not_ended_leaves_nothing_to_the_next() {
    let messages = messages();
    let mut server = ThermostatServer(Room::default());
    let item = Value::Bytes(b"ab".to_vec().into());
    let piece = messages.bytes("Piece", &[("offset", Value::U64(0)), ("item", item)]);
    assert!(matches!(server.call("log", &piece), Ok(Outcome::Taken)));
    server.abandon("set");
    assert_eq!(server.0.log, b"ab", "it is another method's");
    server.abandon("log");
    assert!(server.0.log.is_empty());
    assert!(matches!(server.call("log", &piece), Ok(Outcome::Taken)), "from the start again");
}

#[test]
fn only_an_upload_has_an_end() {
    let mut server = ThermostatServer(Room::default());
    for method in THERMOSTAT_METHODS.iter().filter(|method| method.name != "log") {
        assert_eq!(server.end(method.name).err(), Some(Fault::UnknownMethod));
    }
}

#[test]
fn a_word_of_rust_is_a_method_like_another() {
    let messages = messages();
    let mut server = ThermostatServer(Room::default());
    let target = target(&messages);
    let got = items(server.call("type", &target.encode_to_vec()));
    let expected = messages.message("State", &[("target", Value::Message(target))]);
    assert_eq!(got.len(), 2);
    assert!(got.iter().all(|item| read(&messages, "State", item) == expected));
}
