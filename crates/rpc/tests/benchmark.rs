//! The benchmark service, byte for byte.

use std::mem::size_of;

use airlag_rpc::benchmark::{BenchmarkReply, BenchmarkServer};
use airlag_rpc::flash::{Flash, Memory, PAGE};
use airlag_rpc::service::{Fault, Outcome, Reply, Service};

type Server<'a> = BenchmarkServer<Flash<&'a [u8]>>;

fn server(memory: &[u8]) -> Server<'_> {
    BenchmarkServer(Flash::new(memory))
}

fn answer(server: &mut Server, method: &str, request: &[u8]) -> Result<Vec<u8>, Fault> {
    match server.call(method, request)? {
        Outcome::Reply(mut reply) => {
            assert!(reply.next());
            let mut bytes = vec![0; reply.len()];
            assert_eq!(reply.read(&mut bytes), bytes.len());
            Ok(bytes)
        }
        Outcome::Stream(_) | Outcome::Taken => panic!("{method} answers once"),
    }
}

fn fault(method: &str, request: &[u8]) -> Option<Fault> {
    server(&[0; 10_000]).call(method, request).err()
}

/// A field that contains `len` bytes or letters.
fn letters(number: u8, len: usize) -> Vec<u8> {
    let head = [number << 3 | 2, (len & 0x7F) as u8 | 0x80, (len >> 7) as u8];
    head.into_iter().chain(std::iter::repeat_n(b'x', len)).collect()
}

#[test]
fn an_echo_gives_back_what_it_got() {
    let request = [0x0A, 2, b'h', b'i'];
    assert_eq!(answer(&mut server(&[]), "echo", &request), Ok(request.to_vec()));
}

#[test]
fn an_empty_message_is_answered_by_an_empty_one() {
    assert_eq!(answer(&mut server(&[]), "echo", &[]), Ok(vec![]));
    let read = server(&[1]).call("flash_read", &[]);
    let Ok(Outcome::Reply(mut reply)) = read else { panic!("one answer") };
    assert!(reply.next());
    assert_eq!((reply.len(), reply.read(&mut [0; 4])), (0, 0));
    assert!(!reply.next());
}

#[test]
fn a_read_brings_the_bytes_at_its_address() {
    let memory: Vec<u8> = (0..=255).collect();
    let got = answer(&mut server(&memory), "flash_read", &[0x08, 0xFD, 0x01, 0x10, 2]);
    assert_eq!(got, Ok(vec![0x08, 0xFD, 0x01, 0x12, 2, 253, 254]));
}

#[test]
fn a_name_that_is_none_of_the_methods_is_unknown() {
    for method in ["", "Echo", "echo ", "counter_upload_end", "flash_read\0"] {
        assert_eq!(fault(method, &[]), Some(Fault::UnknownMethod), "{method}");
        assert_eq!(server(&[]).end(method).err(), Some(Fault::UnknownMethod), "{method}");
    }
}

#[test]
fn what_is_no_such_message_is_malformed() {
    for (method, request) in [
        ("echo", &[0x0A][..]),
        ("echo", &[0x0A, 2, b'h']),
        ("echo", &[0x0A, 1, 0xFF]),
        ("echo", &[0x08, 1]),
        ("echo", &[0x0B, 0x0C]),
        ("echo", &[0x00, 0x00]),
        ("flash_read", &[0x08, 0x80]),
        ("flash_read", &[0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]),
        ("data_write", &[0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        ("data_write", &[0x08, 1]),
        ("counter_stream", &[0x0F]),
        ("counter_upload", &[0x15, 1, 2, 3]),
    ] {
        assert_eq!(fault(method, request), Some(Fault::Malformed), "{method} {request:?}");
    }
}

#[test]
fn a_field_that_is_not_known_is_passed_over() {
    let got = answer(&mut server(&[]), "echo", &[0x7A, 1, 9, 0x0A, 1, b'a', 0x78, 0x80, 0x01]);
    assert_eq!(got, Ok(vec![0x0A, 1, b'a']));
}

#[test]
fn every_limit_holds_and_one_byte_beyond_it_is_too_large() {
    assert_eq!(fault("echo", &letters(1, 256)), None);
    assert_eq!(fault("echo", &letters(1, 257)), Some(Fault::TooLarge));
    assert_eq!(fault("data_write", &letters(1, 8192)), None);
    assert_eq!(fault("data_write", &letters(1, 8193)), Some(Fault::TooLarge));
    // 8192 and 8193, of a memory that has more.
    assert_eq!(fault("flash_read", &[0x10, 0x80, 0x40]), None);
    assert_eq!(fault("flash_read", &[0x10, 0x81, 0x40]), Some(Fault::TooLarge));
}

#[test]
fn a_read_beyond_the_memory_is_out_of_range() {
    let mut server = server(&[0; 100]);
    for (address, length, fits) in
        [(0, 100, true), (100, 0, true), (99, 1, true), (0, 101, false), (100, 1, false)]
    {
        let told = server.call("flash_read", &[0x08, address, 0x10, length]).err();
        assert_eq!(told, (!fits).then_some(Fault::OutOfRange), "{length} at {address}");
    }
    // The values of both fields together exceed 32 bits.
    let most = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
    let request = [&[0x08][..], &most, &[0x10], &most].concat();
    assert_eq!(server.call("flash_read", &request).err(), Some(Fault::OutOfRange));
}

#[test]
fn a_stream_begins_before_its_first_item() {
    let Ok(Outcome::Stream(mut reply)) = server(&[]).call("counter_stream", &[0x08, 2]) else {
        panic!("a stream")
    };
    assert_eq!((reply.len(), reply.read(&mut [0; 4])), (0, 0));
    let mut items = Vec::new();
    while reply.next() {
        let mut item = vec![0; reply.len()];
        reply.read(&mut item);
        items.push(item);
    }
    assert_eq!(items, [&[][..], &[0x08, 1, 0x10, 10]]);
}

#[test]
fn an_item_that_is_left_half_read_is_left_behind() {
    let Ok(Outcome::Stream(mut reply)) = server(&[]).call("counter_stream", &[0x08, 3]) else {
        panic!("a stream")
    };
    assert!(reply.next() && reply.next());
    assert_eq!(reply.read(&mut [0; 1]), 1);
    assert!(reply.next());
    let mut item = [0; 9];
    let len = reply.read(&mut item);
    assert_eq!(item[..len], [0x08, 2, 0x10, 20]);
}

/// A memory that records every read.
#[derive(Clone)]
struct Noting<'a>(&'a std::cell::RefCell<Vec<(usize, usize)>>);

impl Memory for Noting<'_> {
    fn capacity(&self) -> usize {
        8192
    }

    fn read(&mut self, address: usize, into: &mut [u8]) {
        self.0.borrow_mut().push((address, into.len()));
    }
}

#[test]
fn nothing_is_read_before_it_is_wanted_and_never_more_than_a_page() {
    let notes = std::cell::RefCell::default();
    let mut server = BenchmarkServer(Flash::new(Noting(&notes)));
    let Ok(Outcome::Reply(mut reply)) = server.call("flash_read", &[0x08, 8, 0x10, 0xE8, 0x07])
    else {
        panic!("one answer")
    };
    assert!(reply.next());
    assert!(notes.borrow().is_empty());
    // The address takes 2 bytes, and the tag and the length of the data take 3.
    reply.read(&mut [0; 7]);
    assert_eq!(notes.take(), [(8, 2)]);
    reply.read(&mut [0; 600]);
    assert_eq!(notes.take(), [(10, PAGE), (10 + PAGE, PAGE), (10 + 2 * PAGE, 88)]);
    reply.read(&mut [0; 1000]);
    assert_eq!(notes.take(), [(610, PAGE), (610 + PAGE, 142)]);
}

#[test]
fn the_longest_answer_is_held_in_less_than_a_tenth_of_it() {
    let held = size_of::<Server>() + size_of::<BenchmarkReply<Flash<&[u8]>>>();
    assert!(held < 8192 / 10, "{held} B");
}
