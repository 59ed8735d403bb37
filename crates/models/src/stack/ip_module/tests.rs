//! Commands and events timed by hand, full buffers, responses and losses. The socket is an ideal
//! pipe.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::channel::{Receiver, Sender, channel};
use airlag_sim::{Clock, Duration, Instant, Sim, Simulation};
use proptest::prelude::*;

use super::*;
use crate::mcu::Board;

/// 600 B at 3 Mbaud: 2 ms.
const CONFIG: Config = Config {
    line: Format { baud: 3_000_000, bits: 10 },
    command: 13,
    event: 34,
    reply: 0,
    datagram: 1_460,
    input_buffer: 2_048,
    flow_control: true,
    decode: Duration::from_us(1_000),
    encode: Duration::from_us(500),
    loss: 0.0,
    write: Duration::from_us(10),
    read: Duration::from_us(20),
    poll: Duration::ZERO,
};

/// Observed datagrams, with the time of each, ns.
type Log = Rc<RefCell<Vec<(u64, Vec<u8>)>>>;

/// A socket that accepts a datagram every `takes`.
struct Socket {
    sim: Sim,
    takes: Duration,
    sent: Log,
    arriving: Receiver<Vec<u8>>,
}

impl Link for Socket {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(CONFIG.datagram).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        self.sent.borrow_mut().push((self.sim.now().as_ns(), chunk.to_vec()));
        self.sim.sleep(self.takes).await;
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        match self.arriving.receive().await {
            Some(data) => {
                buffer[..data.len()].copy_from_slice(&data);
                Ok(data.len())
            }
            None => std::future::pending().await,
        }
    }
}

struct Bench {
    bench: Simulation,
    host: Attached,
    sent: Log,
    arrives: Sender<Vec<u8>>,
    incidents: Rc<RefCell<Vec<&'static str>>>,
}

fn attach(config: Config, takes: Duration) -> Bench {
    let bench = Simulation::new(1);
    let sim = bench.sim();
    let board = |name| Board::new(&sim, name, Clock::exact());
    let (sent, incidents): (Log, Rc<RefCell<Vec<&str>>>) = (Rc::default(), Rc::default());
    let (arrives, arriving) = channel(&sim);
    let socket = Socket { sim: sim.clone(), takes, sent: Rc::clone(&sent), arriving };
    let log = Rc::clone(&incidents);
    let happened = Rc::new(move |name| log.borrow_mut().push(name));
    let host = start([&board("host"), &board("module")], config, socket, happened);
    Bench { bench, host, sent, arrives, incidents }
}

impl Bench {
    /// Sends `datagrams` one after the other, and returns when each call returned, ns.
    fn write(self, datagrams: &[Vec<u8>]) -> (Vec<u64>, Self) {
        let Self { bench, mut host, sent, arrives, incidents } = self;
        let sim = bench.sim();
        let (done, kept): (Rc<RefCell<Vec<u64>>>, _) = (Rc::default(), Rc::new(RefCell::new(None)));
        let (log, back, all) = (Rc::clone(&done), Rc::clone(&kept), datagrams.to_vec());
        bench.sim().spawn("program", async move {
            for datagram in all {
                host.send(&datagram).await.expect("it fits");
                log.borrow_mut().push(sim.now().as_ns());
            }
            *back.borrow_mut() = Some(host);
        });
        bench.run().expect("it ends");
        let host = kept.borrow_mut().take().expect("it ended");
        let done = done.borrow().clone();
        (done, Self { bench, host, sent, arrives, incidents })
    }

    /// Datagrams that arrive at the socket at these times, us, are read by a program that waits
    /// from the start. Returns when the program has each, ns.
    fn read(self, arrivals: &[(u64, Vec<u8>)]) -> Vec<(u64, Vec<u8>)> {
        let Self { bench, mut host, arrives, .. } = self;
        let sim = bench.sim();
        for (us, datagram) in arrivals {
            let (arrives, datagram) = (arrives.clone(), datagram.clone());
            let at = Instant::START + Duration::from_us(*us);
            sim.at(at, move || arrives.send(datagram));
        }
        drop(arrives);
        let (log, count): (Log, _) = (Rc::default(), arrivals.len());
        let got = Rc::clone(&log);
        bench.sim().spawn("program", async move {
            let mut buffer = vec![0; CONFIG.datagram];
            for _ in 0..count {
                let len = host.receive(&mut buffer).await.expect("it arrives");
                got.borrow_mut().push((sim.now().as_ns(), buffer[..len].to_vec()));
            }
        });
        bench.run().expect("it ends");
        log.take()
    }
}

fn times(log: &Log) -> Vec<u64> {
    log.borrow().iter().map(|&(at, _)| at).collect()
}

#[test]
fn a_command_crosses_the_line_before_the_module_reads_it() {
    let (done, bench) = attach(CONFIG, Duration::ZERO).write(&[vec![7; 512], vec![8; 512]]);
    // 10 us, then (512 + 13) B of 10 bits at 3 Mbaud: 1750 us. The module takes 1000 us of its own
    // while the host writes the next command.
    assert_eq!(done, [1_760_000, 3_520_000]);
    assert_eq!(times(&bench.sent), [2_760_000, 4_520_000]);
    assert_eq!(bench.sent.borrow()[1].1, vec![8; 512]);
    assert!(bench.incidents.borrow().is_empty());
}

#[test]
fn an_event_is_read_after_the_pause_behind_it() {
    let read = attach(CONFIG, Duration::ZERO).read(&[(100, vec![5; 512])]);
    // 100 us, 500 us of the module, (512 + 34) B: 1820 us, a pause of 10 bits: 3.334 us, and 20 us.
    assert_eq!(read, [(2_443_334, vec![5; 512])]);
}

#[test]
fn a_program_that_polls_finds_an_event_at_its_next_look() {
    let config = Config { poll: Duration::from_us(1_000), ..CONFIG };
    let read = attach(config, Duration::ZERO).read(&[(100, vec![5; 512]), (1_200, vec![6; 512])]);
    // The first poll after 2423.334 us is at 3 ms. The second event ends at 4240 us: the program
    // waits for it from 3020 us on.
    assert_eq!(read[0].0, 3_020_000);
    assert_eq!(read[1].0, 5_040_000);
}

#[test]
fn a_host_waits_for_the_response_to_its_command() {
    let config = Config { reply: 22, ..CONFIG };
    let (done, bench) = attach(config, Duration::ZERO).write(&[vec![7; 512], vec![8; 512]]);
    // The module responds at 2760 us: 22 B take 73.334 us, and the pause 3.334 us.
    assert_eq!(done[0], 2_836_668);
    assert_eq!(times(&bench.sent), [2_760_000, 2_836_668 + 2_760_000]);
}

#[test]
fn flow_control_stops_a_host_and_without_it_commands_are_lost() {
    // The socket takes a datagram in 10 ms, and the buffer holds one command beside the one in
    // progress.
    let datagrams: Vec<Vec<u8>> = (0..4).map(|number| vec![number; 400]).collect();
    let slow = Duration::from_ms(10);
    let config = Config { input_buffer: 1_024, ..CONFIG };
    let (done, bench) = attach(config, slow).write(&datagrams);
    assert_eq!(bench.sent.borrow().len(), 4, "none is lost");
    let sent = times(&bench.sent);
    // The third command begins when the first one has left the buffer.
    assert_eq!(done[2], sent[0] + 10_000_000 + 413 * 10_000 / 3 + 1);
    let config = Config { flow_control: false, ..config };
    let (_, bench) = attach(config, slow).write(&datagrams);
    assert_eq!(*bench.incidents.borrow(), [BUFFER_OVERFLOW; 2]);
    let kept: Vec<u8> = bench.sent.borrow().iter().map(|(_, datagram)| datagram[0]).collect();
    assert_eq!(kept, [0, 1]);
}

#[test]
fn a_datagram_that_is_too_long_is_refused() {
    let Bench { bench, mut host, .. } = attach(CONFIG, Duration::ZERO);
    bench.sim().spawn("program", async move {
        let refused = host.send(&[0; 1_461]).await;
        assert_eq!(refused, Err(Refused { len: 1_461, most: 1_460 }));
    });
    bench.run().expect("it ends");
}

#[test]
fn a_module_loses_its_share_in_both_directions() {
    let config = Config { loss: 0.25, decode: Duration::ZERO, encode: Duration::ZERO, ..CONFIG };
    let datagrams = vec![vec![1; 12]; 2_000];
    let (_, bench) = attach(config, Duration::ZERO).write(&datagrams);
    let kept = bench.sent.borrow().len();
    assert_eq!(kept + bench.incidents.borrow().len(), 2_000);
    assert!((1_420..1_580).contains(&kept), "{kept}");
}

proptest! {
    /// Datagrams keep their order and their bytes in both directions, and none is faster than its
    /// line.
    #[test]
    fn datagrams_keep_order_and_bytes(
        sizes in prop::collection::vec(1_usize..1_460, 1..12),
        poll_us in 0_u64..3_000,
        reply in 0_usize..40,
        flow_control: bool,
    ) {
        let poll = Duration::from_us(poll_us);
        // Without flow control, nothing is lost if the buffer is large enough.
        let config = Config { poll, reply, flow_control, input_buffer: 40_000, ..CONFIG };
        let datagrams: Vec<Vec<u8>> = (0_u8..).zip(&sizes).map(|(n, &size)| vec![n; size]).collect();
        let (done, bench) = attach(config, Duration::ZERO).write(&datagrams);
        let sent: Vec<Vec<u8>> = bench.sent.borrow().iter().map(|(_, d)| d.clone()).collect();
        prop_assert_eq!(&sent, &datagrams);
        let mut line_ns = 0;
        for ((&done, &at), &size) in done.iter().zip(&times(&bench.sent)).zip(&sizes) {
            line_ns += config.line.duration_ns(size + config.command);
            prop_assert!(done + 20 >= line_ns && at + 20 >= line_ns);
        }
        let arrivals: Vec<(u64, Vec<u8>)> = datagrams.iter().map(|d| (50, d.clone())).collect();
        let read = attach(config, Duration::ZERO).read(&arrivals);
        prop_assert_eq!(read.iter().map(|(_, d)| d.clone()).collect::<Vec<_>>(), datagrams);
        prop_assert!(read.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }
}
