//! Two ports and a wire in virtual time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airlag_sim::{Clock, Duration, Simulation};
use embedded_io_async::Write;
use proptest::prelude::*;

use super::*;
use crate::mcu::Board;
use crate::mcu::interrupt::ExceptionCosts;
use crate::mcu::uart::{Rounding, Transmitter, WriteCosts};

const EXCEPTIONS: Exceptions =
    Exceptions { costs: ExceptionCosts { entry: 12, exit: 12, tail_chain: 6 }, tick: None };
const WRITE: WriteCosts = WriteCosts { call: 100, copy_byte: 20, queue: 2048 };
const READ: ReadCosts = ReadCosts {
    turn: 10,
    call: 100,
    copy_byte: 20,
    check_byte: 15,
    byte_handler: 60,
    boundary_handler: 54,
    idle_handler: 70,
    queue: 2048,
    piece: 32,
};
/// 42 MHz over 42 gives a bit of exactly one microsecond.
const BAUD: u64 = 1_000_000;
const BIT: u64 = 168;

fn dma(start: usize) -> Reception {
    Reception::Dma(Ring::new(32, start))
}

/// Reads: the cycle of each, and its bytes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    reads: Vec<(u64, Vec<u8>)>,
    faults: Faults,
    events: u64,
}

impl Seen {
    fn bytes(&self) -> Vec<u8> {
        self.reads.iter().flat_map(|(_, bytes)| bytes.clone()).collect()
    }
    fn last(&self) -> u64 {
        self.reads.last().expect("something was read").0
    }
}

/// Writes each of `messages` at its cycle; the reader stalls after every read.
fn exchange(
    reception: Reception,
    costs: ReadCosts,
    messages: Vec<(u64, Vec<u8>)>,
    stall: Duration,
) -> Seen {
    let bench = Simulation::new(0);
    let cpu = |name| Cpu::new(&Board::new(&bench, name, Clock::exact()), 168_000_000);
    let (sending, receiving) = (cpu("sender"), cpu("receiver"));
    let baud = Baud::new(42_000_000, 4, BAUD, Rounding::Nearest).expect("in range");
    let wire = Wire::new(&bench);
    let mut writer = Transmitter::new(&sending, baud, &wire, WRITE);
    bench.spawn("sender", async move {
        for (at, message) in messages {
            sending.until(at).await;
            let mut rest = &message[..];
            while !rest.is_empty() {
                let taken = writer.write(rest).await.expect("infallible");
                rest = &rest[taken..];
            }
        }
    });
    let mut reader = Receiver::new(&receiving, baud, &wire, reception, costs, EXCEPTIONS);
    let seen = Rc::new(RefCell::new(Seen::default()));
    let (kept, sim) = (Rc::clone(&seen), bench.sim());
    bench.spawn("receiver", async move {
        let mut buffer = [0; 64];
        loop {
            let got = reader.read(&mut buffer).await.expect("infallible");
            kept.borrow_mut().reads.push((receiving.now(), buffer[..got].to_vec()));
            kept.borrow_mut().faults = reader.faults();
            sim.sleep(stall).await;
        }
    });
    bench.run().expect("no livelock");
    let mut seen = seen.borrow().clone();
    seen.events = bench.events_fired();
    seen
}

fn message(length: usize) -> Vec<u8> {
    (0..length).map(|at| at as u8).collect()
}

fn steadily(reception: Reception, length: usize) -> Seen {
    exchange(reception, READ, vec![(0, message(length))], Duration::ZERO)
}

#[test]
fn a_byte_by_interrupt_costs_what_the_parameters_say() {
    // Written at 0: ready at 100 + 20, first tick at 168, end of the stop bit after 11 bits = 1848,
    // where a sample falls. The handler takes 60 + 20 between entry and exit; then the loop
    // finishes its iteration.
    let seen = steadily(Reception::Interrupt, 1);
    let resumed = 1_848 + 12 + 80 + 12;
    // Eight of the ten cycles of the iteration were over.
    let look = resumed + 2;
    assert_eq!(seen.reads, [(look + 100 + 20 + 15, vec![0])]);
}

#[test]
fn a_polled_byte_waits_for_the_loop_and_for_nothing_else() {
    let seen = steadily(Reception::Poll, 1);
    assert_eq!(seen.reads, [(1_850 + 100 + 40 + 15, vec![0])]);
}

#[test]
fn behind_a_ring_bytes_wait_for_an_idle_frame() {
    let seen = steadily(dma(0), 12);
    // Ready at 100 + 12 * 20: 3 bits to the first tick, 120 bits of data, 10 bits of silence.
    let idle = 133 * BIT;
    let waited = seen.last() - idle;
    let work = 12 + 70 + 12 * 20 + 12 + 100 + 12 * 35;
    assert!((work..work + READ.turn).contains(&waited), "{waited}");
    assert_eq!(seen.reads.len(), 1);
}

#[test]
fn a_last_byte_on_a_boundary_of_the_ring_does_not_wait() {
    let (early, late) = (steadily(dma(4), 12), steadily(dma(0), 12));
    let saved = late.last() - early.last();
    assert!(saved.abs_diff(10 * BIT + 16) <= READ.turn, "{saved}");
}

#[test]
fn what_lies_before_a_boundary_is_handed_over_while_the_rest_arrives() {
    let seen = steadily(dma(8), 12);
    let sizes: Vec<usize> = seen.reads.iter().map(|(_, bytes)| bytes.len()).collect();
    assert_eq!(sizes, [8, 4]);
}

#[test]
fn a_second_message_within_a_frame_keeps_the_line_from_being_idle() {
    let second = (50 + 5) * BIT;
    let both = vec![(0, message(5)), (second, message(5))];
    let seen = exchange(dma(0), READ, both, Duration::ZERO);
    assert_eq!(seen.reads.len(), 1, "one idle line behind both: {seen:?}");
    let apart = vec![(0, message(5)), (100 * BIT, message(5))];
    assert_eq!(exchange(dma(0), READ, apart, Duration::ZERO).reads.len(), 2);
}

#[test]
fn a_polling_loop_that_stalls_for_more_than_a_byte_loses_bytes() {
    let all = vec![(0, message(12))];
    let short = exchange(Reception::Poll, READ, all.clone(), Duration::from_us(8));
    assert_eq!(short.faults.overruns, 0);
    assert_eq!(short.bytes(), message(12));
    let long = exchange(Reception::Poll, READ, all, Duration::from_us(25));
    assert!(long.faults.overruns > 0, "{long:?}");
    assert_eq!(long.bytes().len() as u64 + long.faults.overruns, 12);
    // The data register keeps the older byte.
    assert_eq!(long.bytes()[..2], [0, 1]);
}

#[test]
fn an_interrupt_driven_port_bears_the_same_stall() {
    let all = vec![(0, message(12))];
    let seen = exchange(Reception::Interrupt, READ, all, Duration::from_us(25));
    assert_eq!((seen.bytes(), seen.faults), (message(12), Faults::default()));
}

#[test]
fn a_queue_that_nobody_empties_drops_what_comes_last() {
    let small = ReadCosts { queue: 8, ..READ };
    let all = vec![(0, message(40))];
    let seen = exchange(Reception::Interrupt, small, all, Duration::from_us(1_000));
    assert!(seen.faults.dropped > 0);
    assert_eq!(seen.bytes().len() as u64 + seen.faults.dropped, 40);
}

#[test]
fn a_byte_costs_one_event_however_long_the_loop_turned() {
    let seen = steadily(Reception::Poll, 1_000);
    assert_eq!(seen.bytes().len(), 1_000);
    assert!(seen.events < 1_100, "{} events", seen.events);
    let seen = steadily(dma(0), 1_000);
    assert!(seen.events < 200, "{} events", seen.events);
}

#[test]
fn a_read_that_is_dropped_loses_nothing() {
    let bench = Simulation::new(0);
    let cpu = Cpu::new(&Board::new(&bench, "board", Clock::exact()), 168_000_000);
    let baud = Baud::new(42_000_000, 4, BAUD, Rounding::Nearest).expect("in range");
    let wire = Wire::new(&bench);
    let mut writer = Transmitter::new(&cpu, baud, &wire, WRITE);
    let mut reader = Receiver::new(&cpu, baud, &wire, dma(0), READ, EXCEPTIONS);
    let read = Rc::new(Cell::new(0));
    let kept = Rc::clone(&read);
    bench.spawn("both", async move {
        writer.write(&message(5)).await.expect("infallible");
        let mut buffer = [0; 8];
        {
            let mut impatient = pin!(reader.read(&mut buffer));
            poll_fn(|context| Poll::Ready(impatient.as_mut().poll(context).is_ready())).await;
        }
        kept.set(reader.read(&mut buffer).await.expect("infallible"));
    });
    bench.run().expect("no livelock");
    assert_eq!(read.get(), 5);
}

proptest! {
    #[test]
    fn bytes_come_out_once_and_in_order(
        lengths in prop::collection::vec(1_usize..80, 1..6), gap in 0_u64..40_000,
        mode in 0_usize..3, start in 0_usize..32,
    ) {
        let reception = [Reception::Poll, Reception::Interrupt, dma(start)][mode].clone();
        let messages: Vec<(u64, Vec<u8>)> = lengths
            .iter()
            .enumerate()
            .map(|(nth, &length)| (nth as u64 * gap, message(length)))
            .collect();
        let sent: Vec<u8> = messages.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        let seen = exchange(reception, READ, messages, Duration::ZERO);
        prop_assert_eq!(seen.bytes(), sent);
        prop_assert_eq!(seen.faults, Faults::default());
        let times: Vec<u64> = seen.reads.iter().map(|&(at, _)| at).collect();
        prop_assert!(times.windows(2).all(|two| two[0] < two[1]), "{:?}", times);
    }

    /// The last byte is read soon after its stop bit: within an idle frame and the time of the
    /// software.
    #[test]
    fn nothing_is_read_before_it_arrived_or_long_after(
        length in 1_usize..300, mode in 0_usize..3, start in 0_usize..32,
    ) {
        let reception = [Reception::Poll, Reception::Interrupt, dma(start)][mode].clone();
        let seen = steadily(reception, length);
        let ready = WRITE.call + WRITE.copy_byte * length as u64;
        let arrived = ready.div_ceil(BIT) * BIT + length as u64 * 10 * BIT;
        let idle = if mode == 2 { 10 * BIT } else { 0 };
        let work = 12 + 70 + 12 + READ.turn + BIT / 16 + 100 + 32 * 55 + 200;
        prop_assert!(seen.last() > arrived);
        prop_assert!(seen.last() < arrived + idle + work, "{} {}", seen.last(), arrived);
    }
}
