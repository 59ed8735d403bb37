//! The benchmark service, compared with another library's messages for the same `.proto`.

use crate::described::{Messages, pulled};
use airlag_rpc::benchmark::{BENCHMARK_METHODS, BenchmarkServer};
use airlag_rpc::flash::Flash;
use airlag_rpc::method::Kind;
use airlag_rpc::service::{Fault, Outcome, Service};
use proptest::prelude::*;
use protox::prost_reflect::Value;

const PROTO: &str = "../rpc/proto/benchmark.proto";
const PACKAGE: &str = "airlag.rpc.benchmark";
/// Size of the flash memory, bytes: larger than the longest response.
const CAPACITY: usize = 9000;

fn memory() -> Vec<u8> {
    (0..CAPACITY).map(|at| (at * 31 % 251) as u8).collect()
}

fn call(
    server: &mut BenchmarkServer<Flash<&[u8]>>,
    method: &str,
    request: &[u8],
    sizes: &[usize],
) -> Result<Vec<Vec<u8>>, Fault> {
    match server.call(method, request)? {
        Outcome::Reply(reply) | Outcome::Stream(reply) => Ok(pulled(reply, sizes)),
        Outcome::Taken => Ok(Vec::new()),
    }
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1_usize..300, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_echo_is_the_message_encoded_at_once(text in ".{0,64}", sizes in sizes()) {
        let messages = Messages::of(PROTO, PACKAGE);
        let fields = [("message", Value::String(text))];
        let mut server = BenchmarkServer(Flash::new(&[][..]));
        let got = call(&mut server, "echo", &messages.bytes("EchoRequest", &fields), &sizes);
        prop_assert_eq!(got, Ok(vec![messages.bytes("EchoResponse", &fields)]));
    }

    #[test]
    fn a_piece_of_flash_is_the_message_encoded_at_once(
        address in 0..CAPACITY, len in 0_usize..=8192, sizes in sizes(),
    ) {
        let messages = Messages::of(PROTO, PACKAGE);
        let memory = memory();
        let mut server = BenchmarkServer(Flash::new(&memory[..]));
        let at = Value::U32(address as u32);
        let request = [("address", at.clone()), ("length", Value::U32(len as u32))];
        let got = call(
            &mut server, "flash_read", &messages.bytes("FlashReadRequest", &request), &sizes,
        );
        let expected = memory.get(address..address + len).map(|data| {
            let response = [("address", at), ("data", Value::Bytes(data.to_vec().into()))];
            vec![messages.bytes("FlashReadResponse", &response)]
        });
        prop_assert_eq!(got, expected.ok_or(Fault::OutOfRange));
    }

    #[test]
    fn bytes_written_are_counted(len in 0_usize..=8192, sizes in sizes()) {
        let messages = Messages::of(PROTO, PACKAGE);
        let mut server = BenchmarkServer(Flash::new(&[][..]));
        let data = Value::Bytes(vec![7; len].into());
        let got = call(
            &mut server, "data_write", &messages.bytes("DataWriteRequest", &[("data", data)]), &sizes,
        );
        let response = [("length", Value::U32(len as u32))];
        prop_assert_eq!(got, Ok(vec![messages.bytes("DataWriteResponse", &response)]));
        prop_assert_eq!(server.0.written(), len as u64);
    }

    #[test]
    fn a_stream_has_the_items_asked_for(count in 0_u32..300, sizes in sizes()) {
        let messages = Messages::of(PROTO, PACKAGE);
        let mut server = BenchmarkServer(Flash::new(&[][..]));
        let request = messages.bytes("CounterStreamRequest", &[("count", Value::U32(count))]);
        let got = call(&mut server, "counter_stream", &request, &sizes);
        let item = |seq| {
            let fields = [("seq", Value::U32(seq)), ("value", Value::I32(10 * seq as i32))];
            messages.bytes("CounterStreamResponse", &fields)
        };
        prop_assert_eq!(got, Ok((0..count).map(item).collect::<Vec<_>>()));
    }

    #[test]
    fn an_upload_is_counted_and_the_next_one_anew(first in 0_u32..50, second in 0_u32..50) {
        let messages = Messages::of(PROTO, PACKAGE);
        let mut server = BenchmarkServer(Flash::new(&[][..]));
        for count in [first, second] {
            for seq in 0..count {
                let item = [("seq", Value::U32(seq)), ("value", Value::I32(-1))];
                let item = messages.bytes("CounterUploadRequest", &item);
                prop_assert_eq!(call(&mut server, "counter_upload", &item, &[1]), Ok(vec![]));
            }
            let got = server.end("counter_upload").map(|reply| pulled(reply, &[1]));
            let response = [("received_count", Value::U32(count))];
            prop_assert_eq!(got, Ok(vec![messages.bytes("CounterUploadResponse", &response)]));
        }
    }

    #[test]
    fn no_bytes_are_a_reason_to_panic(
        method in 0..BENCHMARK_METHODS.len(),
        request in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let memory = memory();
        let mut server = BenchmarkServer(Flash::new(&memory[..]));
        let name = BENCHMARK_METHODS[method].name;
        if name == "counter_stream" {
            // Only the first of up to 2^32 items is read.
            if let Ok(Outcome::Stream(mut reply)) = server.call(name, &request) {
                use airlag_rpc::service::Reply as _;
                (0..9).for_each(|_| { reply.next(); });
            }
        } else if let Ok(items) = call(&mut server, name, &request, &[7]) {
            prop_assert!(items.len() <= 1);
        }
    }
}

#[test]
fn the_methods_are_those_of_the_proto_in_its_order() {
    let server = BenchmarkServer(Flash::new(&[][..]));
    let listed: Vec<_> = BENCHMARK_METHODS.iter().map(|m| (m.name, m.number, m.kind)).collect();
    let expected = [
        ("echo", 0, Kind::Unary),
        ("flash_read", 1, Kind::Unary),
        ("data_write", 2, Kind::Unary),
        ("counter_stream", 3, Kind::Stream),
        ("counter_upload", 4, Kind::Upload),
    ];
    assert_eq!(listed, expected);
    assert_eq!(server.methods(), expected.map(|(name, ..)| name));
}
