//! Probe sessions over loopback, with a scripted network between the ends.

use std::io::{BufReader, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration as Wall;

use airlag_link::framing::Deframer;
use airlag_live::probe::reflect::Reflector;
use airlag_live::probe::{Carrier, Error, Pattern, Plan, Target, probe};
use airlag_rig::Interrupt;
use airlag_sim::Duration;
use airlag_stats::clock::{Clock, Exchange};
use airlag_stats::probes::{Lost, Probes};

const TIMEOUT: Duration = Duration::from_ms(300);

fn plan(target: &str, count: u64, period: Duration) -> Plan {
    Plan {
        target: target.parse().expect("a target"),
        carrier: None,
        size: 64,
        pattern: Pattern::Periodic(period),
        count: Some(count),
        lasting: None,
        timeout: TIMEOUT,
        seed: 1,
        error_ns: None,
        metrics: None,
        kept: None,
    }
}

/// Runs `session` against a reflector on a free port of this scheme.
fn reflected<R>(scheme: &str, rate: u32, session: impl FnOnce(&str) -> R) -> (R, [u64; 3]) {
    let target: Target = format!("{scheme}://127.0.0.1:0").parse().expect("a target");
    let reflector = Reflector::open(&target, rate, None).expect("a free port");
    let (name, counts) = (reflector.name().to_owned(), reflector.counts());
    let interrupt = Interrupt::default();
    let result = thread::scope(|scope| {
        let serving = scope.spawn(|| interrupt.watch(|| reflector.run()));
        let result = session(&name);
        interrupt.request();
        serving.join().expect("no panic").expect("no error");
        result
    });
    let of = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
    (result, [of(&counts.answered), of(&counts.ignored), of(&counts.limited)])
}

fn run(plan: &Plan) -> Probes {
    probe(plan, |_| ()).expect("a session")
}

/// Checks that the four timestamps of every response are in order and agree with a linear far
/// clock.
fn is_sound(probes: &Probes) {
    let clock = Clock::of(&probes.exchanges);
    for one in probes.exchanges.iter().filter(|one| one.is_complete()) {
        assert!(one.sent_ns <= one.arrived_ns && one.received_ns <= one.answered_ns);
        assert!(one.scheduled_ns <= one.sent_ns);
        // Timestamps of our own messages have a resolution of 256 ns.
        assert!(one.round_trip_ns() >= -256, "{one:?}");
        let [forward, back] = clock.at(one.sent_ns).expect("a piece").one_way_ns(one);
        assert!(forward > -300.0 && back > -300.0, "{forward} {back}");
    }
}

#[test]
fn every_request_is_answered_over_every_transport_in_every_pattern() {
    let ms = Duration::from_ms(1);
    let patterns = [
        Pattern::Periodic(ms),
        Pattern::Poisson(ms),
        Pattern::Swept { period: ms, link: Duration::from_us(700) },
        Pattern::Bursts { period: Duration::from_ms(5), length: 8.try_into().expect("not 0") },
        Pattern::Schedule((0..100).map(|nth| Duration::from_us(500 * nth)).collect()),
        Pattern::ClosedLoop,
    ];
    for scheme in ["udp", "tcp", "ws"] {
        for pattern in &patterns {
            let (probes, [answered, ignored, limited]) = reflected(scheme, 100_000, |name| {
                run(&Plan { pattern: pattern.clone(), ..plan(name, 100, ms) })
            });
            let complete = probes.exchanges.iter().filter(|one| one.is_complete()).count();
            assert_eq!((probes.exchanges.len(), complete), (100, 100), "{scheme} {pattern:?}");
            assert_eq!((answered, ignored, limited), (100, 0, 0));
            assert_eq!((probes.duplicates, probes.too_late), (0, 0));
            is_sound(&probes);
        }
    }
}

#[test]
fn calls_of_the_echo_are_answered_without_timestamps_and_lose_no_direction() {
    let ms = Duration::from_ms(1);
    for pattern in [Pattern::Periodic(ms), Pattern::ClosedLoop] {
        for size in [8, 64, 256] {
            let (probes, counted) = reflected("rpc:tcp", 1, |name| {
                run(&Plan { pattern: pattern.clone(), size, ..plan(name, 100, ms) })
            });
            assert_eq!(counted, [100, 0, 0], "{pattern:?} {size}");
            let stamps = |one: &Exchange| (one.is_complete(), one.is_stamped());
            assert!(probes.exchanges.iter().all(|one| stamps(one) == (true, false)));
            assert!(probes.exchanges.iter().all(|one| one.round_trip_ns() > 0));
            assert!(Clock::of(&probes.exchanges).pieces.is_empty());
            assert_eq!((probes.is_stateful, probes.duplicates, probes.too_late), (false, 0, 0));
        }
    }
    for size in [7, 257] {
        let (error, _) = reflected("rpc:tcp", 1, |name| {
            probe(&Plan { size, ..plan(name, 1, ms) }, |_| ()).expect_err("does not fit")
        });
        assert!(matches!(error, Error::Size { least: 8, most: 256, .. }), "{error}");
    }
}

/// Every tenth call is dropped on the way to the reflector.
#[test]
fn a_call_without_an_answer_is_lost_and_those_after_it_are_not() {
    let ms = Duration::from_ms(1);
    let (probes, _) = reflected("rpc:tcp", 1, |name| {
        let server = name.strip_prefix("rpc:tcp://").expect("a name").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let name = format!("rpc:tcp://{}", listener.local_addr().expect("an address"));
        thread::scope(|scope| {
            scope.spawn(move || {
                let (near, _) = listener.accept().expect("a client");
                let far = TcpStream::connect(server).expect("a server");
                let back = thread::spawn({
                    let (mut far, mut near) =
                        (far.try_clone().expect("a copy"), near.try_clone().expect("a copy"));
                    move || std::io::copy(&mut far, &mut near).map(drop)
                });
                forward_but(near, &far, |nth| nth % 10 == 9);
                far.shutdown(std::net::Shutdown::Both).expect("open");
                let _ = back.join();
            });
            run(&Plan { pattern: Pattern::Periodic(ms), ..plan(&name, 100, ms) })
        })
    });
    let lost: Vec<usize> = (0..100).filter(|&nth| !probes.exchanges[nth].is_complete()).collect();
    assert_eq!(lost.len(), 10, "{lost:?}");
    let transfers = probes.transfers(TIMEOUT.as_ns() as i64);
    assert_eq!(probes.lost(&transfers), Lost { unknown: 10, ..Lost::default() });
}

/// Forwards frames, except calls whose index, from 0, satisfies `drops`.
fn forward_but(from: TcpStream, mut to: &TcpStream, drops: impl Fn(usize) -> bool) {
    let (mut frame, mut calls) = (Vec::new(), 0);
    for byte in BufReader::new(from).bytes().map_while(Result::ok) {
        frame.push(byte);
        if byte != 0 {
            continue;
        }
        let mut deframer = Deframer::<600>::new();
        let is_call = frame.iter().any(|&byte| {
            // Control messages have both bits set.
            deframer.feed(byte).is_some_and(|container| container[2] >> 6 != 0b11)
        });
        let dropped = is_call && drops(calls);
        calls += usize::from(is_call);
        if !dropped {
            to.write_all(&frame).expect("a server");
        }
        frame.clear();
    }
}

/// A carrier whose far end runs the reflector of a board.
#[test]
fn packets_of_a_carrier_are_answered_until_it_is_closed() {
    let (carrier, far) = Carrier::pair(64).expect("sockets");
    let planned = Plan {
        carrier: Some(carrier),
        timeout: Duration::from_ms(2_000),
        ..plan("ble:board", 50, Duration::from_ms(1))
    };
    let too_long = probe(&Plan { size: 65, ..planned.clone() }, |_| ()).expect_err("too long");
    assert!(matches!(too_long, Error::Size { least: 12, most: 64, .. }), "{too_long}");
    let none = probe(&Plan { carrier: None, ..planned.clone() }, |_| ()).expect_err("no carrier");
    assert!(none.to_string().starts_with("cannot open ble:board"), "{none}");
    let answering = thread::spawn(move || {
        let (mut reflector, mut packet) = (airlag_app::Reflector::new(), [0; 64]);
        for _ in 0..50 {
            let (len, _) = rustix::net::recv(&far, &mut packet, rustix::net::RecvFlags::empty())
                .expect("a packet");
            assert_eq!(len, 64);
            assert!(reflector.answer(&mut packet[..len], 1_000, || 2_024));
            rustix::net::send(&far, &packet[..len], rustix::net::SendFlags::empty()).expect("sent");
        }
    });
    let probes = run(&planned);
    answering.join().expect("no panic");
    assert!(probes.exchanges.iter().all(Exchange::is_stamped));
    let residence = |one: &Exchange| one.answered_ns - one.received_ns;
    assert!(probes.exchanges.iter().all(|one| residence(one) == 1_024));
    // The far end is closed, which ends a session.
    let ended = probe(&planned, |_| ()).expect_err("closed");
    assert!(matches!(ended, Error::Ended { .. }), "{ended}");
}

/// Forwards datagrams between a client and `server`. `outcome` returns, by direction and number, how many copies
/// of a datagram arrive, and whether after the next one.
fn network<R>(
    server: &str,
    outcome: impl Fn(usize, usize) -> (usize, bool) + Sync,
    session: impl FnOnce(&str) -> R,
) -> R {
    let near = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let far = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    far.connect(server.strip_prefix("udp://").expect("udp")).expect("a server");
    for socket in [&near, &far] {
        socket.set_read_timeout(Some(Wall::from_millis(20))).expect("a timeout");
    }
    let name = format!("udp://{}", near.local_addr().expect("an address"));
    let ends = std::sync::atomic::AtomicBool::new(false);
    let client = std::sync::Mutex::new(None);
    thread::scope(|scope| {
        for way in 0..2 {
            let (near, far, ends, client, outcome) = (&near, &far, &ends, &client, &outcome);
            scope.spawn(move || {
                let (mut packet, mut nth) = ([0; 2_048], 0);
                let mut held: Option<Vec<u8>> = None;
                while !ends.load(Ordering::Relaxed) {
                    let got = if way == 0 {
                        near.recv_from(&mut packet).map(|(len, from)| {
                            *client.lock().expect("a client") = Some(from);
                            len
                        })
                    } else {
                        far.recv(&mut packet)
                    };
                    let Ok(len) = got else { continue };
                    let send = |bytes: &[u8]| match (way, *client.lock().expect("a client")) {
                        (0, _) => far.send(bytes).map(drop),
                        (_, Some(to)) => near.send_to(bytes, to).map(drop),
                        _ => Ok(()),
                    };
                    let (copies, waits) = outcome(way, nth);
                    nth += 1;
                    if waits {
                        held = Some(packet[..len].to_vec());
                        continue;
                    }
                    for _ in 0..copies {
                        let _ = send(&packet[..len]);
                    }
                    if let Some(late) = held.take() {
                        let _ = send(&late);
                    }
                }
            });
        }
        let result = session(&name);
        ends.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn losses_are_attributed_to_a_direction_and_duplicates_and_reordering_counted() {
    // Every tenth of 300 requests is lost on the forward path. Of the responses to the other
    // requests, every ninth is lost on the return path, every 50th arrives twice, and every 70th
    // arrives after the next one.
    let outcome = |way: usize, nth: usize| match (way, nth) {
        (0, nth) => (usize::from(nth % 10 != 3), false),
        (_, nth) if nth % 9 == 4 => (0, false),
        (_, nth) if nth % 70 == 20 => (1, true),
        (_, nth) => (1 + usize::from(nth % 50 == 10), false),
    };
    let (probes, _) = reflected("udp", 100_000, |name| {
        network(name, outcome, |name| run(&plan(name, 300, Duration::from_ms(2))))
    });
    let transfers = probes.transfers(TIMEOUT.as_ns() as i64);
    let forward = (0..300).filter(|nth| nth % 10 == 3).count() as u64;
    let back = (0..270).filter(|nth| nth % 9 == 4).count() as u64;
    let twice = (0..270).filter(|nth| nth % 9 != 4 && nth % 70 != 20 && nth % 50 == 10).count();
    let overtaken = (0..270).filter(|nth| nth % 9 != 4 && nth % 70 == 20).count();
    assert_eq!(probes.lost(&transfers), Lost { forward, back, unknown: 0 });
    assert_eq!(probes.duplicates, twice as u64);
    assert_eq!(probes.reordered(), overtaken as u64);
    is_sound(&probes);
}

#[test]
fn an_answer_is_as_long_as_its_request_and_junk_is_ignored() {
    let (lengths, [answered, ignored, _]) = reflected("udp", 100_000, |name| {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
        socket.connect(name.strip_prefix("udp://").expect("udp")).expect("a reflector");
        socket.set_read_timeout(Some(Wall::from_secs(5))).expect("a timeout");
        let mut into = [0; 2_048];
        for len in 0..44 {
            socket.send(&vec![0xFF; len]).expect("sent");
        }
        (44..200)
            .map(|len| {
                socket.send(&vec![0xA5; len]).expect("sent");
                (len, socket.recv(&mut into).expect("an answer"))
            })
            .collect::<Vec<_>>()
    });
    assert!(lengths.iter().all(|(asked, answered)| asked == answered), "{lengths:?}");
    assert_eq!((answered, ignored), (156, 44));
}

#[test]
fn one_client_gets_no_more_than_the_rate() {
    let (probes, [answered, _, limited]) = reflected("udp", 50, |name| {
        let length = 200.try_into().expect("not 0");
        let pattern = Pattern::Bursts { period: Duration::from_secs(1), length };
        run(&Plan { pattern, ..plan(name, 200, Duration::from_ms(1)) })
    });
    // The limit permits the responses of one second at once, plus the tokens added during the test.
    assert!((50..100).contains(&answered), "{answered}");
    assert_eq!(answered + limited, 200);
    assert_eq!(probes.exchanges.iter().filter(|one| one.is_complete()).count() as u64, answered);
}

#[test]
fn a_session_without_a_reflector_ends_with_an_error() {
    let free = UdpSocket::bind("127.0.0.1:0").expect("a free port").local_addr().expect("one");
    for scheme in ["udp", "tcp"] {
        let asked = plan(&format!("{scheme}://{free}"), 1_000_000, Duration::from_ms(1));
        assert!(probe(&asked, |_| ()).is_err());
    }
    let small = Plan { size: 43, ..plan("udp://127.0.0.1:9", 1, Duration::from_ms(1)) };
    assert!(matches!(probe(&small, |_| ()), Err(Error::Size { least: 44, .. })));
}

#[test]
fn an_interrupted_session_keeps_what_it_recorded() {
    let interrupt = Interrupt::default();
    let (probes, _) = reflected("tcp", 1, |name| {
        let forever = Plan { count: None, ..plan(name, 0, Duration::from_ms(1)) };
        let mut sent = 0;
        interrupt.watch(|| {
            probe(&forever, |now| {
                sent = now.answered;
                if sent > 20 {
                    interrupt.request();
                }
            })
        })
    });
    let probes = probes.expect("what was recorded");
    assert!(probes.exchanges.iter().filter(|one| one.is_complete()).count() > 20);
}

#[test]
fn metrics_are_served_during_a_session() {
    let (scraped, _) = reflected("udp", 100_000, |name| {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let metrics = free.local_addr().expect("bound");
        drop(free);
        let plan = Plan { metrics: Some(metrics), ..plan(name, 150, Duration::from_ms(2)) };
        let mut scraped = None;
        let probes = probe(&plan, |now| {
            if scraped.is_none() && now.answered > 10 {
                let mut scraper = TcpStream::connect(metrics).expect("a port");
                scraper.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").expect("asked");
                let mut text = String::new();
                scraper.read_to_string(&mut text).expect("answered");
                scraped = Some((now, text));
            }
        });
        assert_eq!(probes.expect("a session").exchanges.len(), 150);
        scraped.expect("scraped")
    });
    let (now, text) = scraped;
    assert!(now.p50_ns > 0 && now.p50_ns <= now.p99_ns && now.p99_ns <= 2 * now.max_ns);
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 200") && body.ends_with("# EOF\n"));
    let count = body.lines().find(|line| line.starts_with("airlag_probe_answered_total{"));
    let count = count.and_then(|line| line.rsplit(' ').next()).expect("a sample");
    assert!(count.parse::<u64>().expect("a number") >= now.answered);
}
