//! A board that timestamps edges itself and sends them in the frames of [`airlag_link::edges`].

use std::path::Path;
use std::time::Duration as Wall;

use airlag_link::edges::{self, Hello, Order, Report, Rows, Start, Triggers};
use airlag_link::framing::{Deframer, frame, framed_len};
use airlag_trace::{Header, Recorder, Row, Sink, Trace};

use super::{Error, Instrument, Plan, Recorded, Refusal, SILENCE_TIMEOUT};

/// Settings of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Channels to record, in order. Empty means all that the board has.
    pub channels: Vec<u8>,
    /// Triggers that the board makes on channel 0.
    pub triggers: Option<Triggers>,
    /// Time without data after which the board counts as stopped. `None` means the default.
    pub silence: Option<Wall>,
}

/// Records the edges that the board at `path` timestamps, at a baud rate, for the duration of the plan.
///
/// # Errors
///
/// If the device cannot be opened, or no board responds in this protocol.
pub fn record(
    path: &Path,
    baud: u32,
    plan: &Plan,
    setup: Setup,
    on_progress: impl FnMut(u64),
) -> Result<Recorded, Error> {
    super::record(path, baud, plan, Board::new(plan, setup), on_progress)
}

/// A board and the state of its recording.
struct Board {
    deframer: Deframer<{ edges::LONGEST }>,
    recorder: Recorder,
    lasting_ns: u64,
    setup: Setup,
    hello: Option<Hello>,
    /// Sequence number and dropped-row count expected in the next frame.
    next: (u8, u32),
    /// Rows that the board lost.
    lost: u64,
    /// First and last timestamp recorded, ticks.
    span: Option<[u64; 2]>,
    is_over: bool,
}

impl Board {
    fn new(plan: &Plan, setup: Setup) -> Self {
        Self {
            deframer: Deframer::new(),
            recorder: Recorder::within(plan.memory),
            lasting_ns: plan.lasting.map_or(u64::MAX, |lasting| lasting.as_ns()),
            setup,
            hello: None,
            next: (0, 0),
            lost: 0,
            span: None,
            is_over: false,
        }
    }

    fn greet(&mut self, hello: Hello) -> Result<(), Refusal> {
        let refused = |found: &str, right: String| Err(Refusal::Version(found.into(), right));
        if self.setup.triggers.is_some() && !hello.makes_triggers {
            return refused("the board makes no triggers", "no period in the address".into());
        }
        if let Some(absent) = self.setup.channels.iter().find(|&&nth| nth >= hello.channels) {
            let right = format!("0 to {}", hello.channels - 1);
            return refused(&format!("the board has no channel {absent}"), right);
        }
        // A second hello responds to a repeated command. Frames are counted from 0 again.
        self.next = (0, 0);
        if self.hello.is_none() {
            self.hello = Some(hello);
            if self.setup.channels.is_empty() {
                self.setup.channels = (0..hello.channels).collect();
            }
            self.recorder.header(Header {
                names: self.setup.channels.iter().map(u8::to_string).collect(),
                epoch_unix_ns: None,
                sample_rate_hz: Some(1e12 / f64::from(hello.tick_ps)),
            });
        }
        Ok(())
    }

    /// Extracts the levels of the recorded channels, in their order, from the levels of all
    /// channels.
    fn selected(&self, levels: u8) -> u64 {
        let of = self.setup.channels.iter().enumerate();
        of.fold(0, |all, (nth, &channel)| all | u64::from(levels >> channel & 1) << nth)
    }

    fn ns(&self, ticks: u64) -> u64 {
        let tick_ps = self.hello.map_or(0, |hello| hello.tick_ps);
        u64::try_from(u128::from(ticks) * u128::from(tick_ps) / 1_000).unwrap_or(u64::MAX)
    }

    fn rows(&mut self, rows: Rows<'_>) -> Result<(), Refusal> {
        if self.hello.is_none() {
            return Ok(());
        }
        let all = self.selected(u8::MAX);
        let is_whole = (rows.sequence, rows.dropped) == self.next;
        self.lost += u64::from(rows.dropped.wrapping_sub(self.next.1));
        self.next = (rows.sequence.wrapping_add(1), rows.dropped);
        if let Some([_, last]) = self.span.filter(|_| !is_whole) {
            // The levels are unknown from the last received row to the first row of this frame.
            self.recorder.row(Row { at_ns: self.ns(last) as i64, levels: 0, known: 0 });
        }
        for row in rows.iter() {
            let [first, last] = self.span.unwrap_or([row.at; 2]);
            // A board whose clock restarts was reset. Its rows do not continue the recording.
            if row.at < last || self.ns(row.at) > i64::MAX as u64 || self.is_over {
                break;
            }
            let is_in_time = self.ns(row.at) - self.ns(first) <= self.lasting_ns;
            if is_in_time {
                let levels = self.selected(row.levels);
                self.recorder.row(Row { at_ns: self.ns(row.at) as i64, levels, known: all });
            }
            self.span = Some([first, row.at]);
            self.is_over = !is_in_time;
        }
        self.recorder.refusal().map_or(Ok(()), |_| Err(Refusal::Memory))
    }
}

fn framed(order: Order) -> Vec<u8> {
    let (mut message, mut line) = ([0; edges::ORDER], vec![0; framed_len(edges::ORDER) + 1]);
    let len = edges::order(order, &mut message);
    // A leading delimiter ends any earlier, incomplete frame.
    let framed = frame(&message[..len], &mut line[1..]).unwrap_or(0);
    line.truncate(1 + framed);
    line
}

impl Instrument for Board {
    const EXPECTED: &'static str = "a board that runs the stamper of crates/app";

    fn start(&self) -> Vec<u8> {
        let channels = match &self.setup.channels[..] {
            [] => u8::MAX,
            some => some.iter().fold(0, |mask, nth| mask | 1 << nth),
        };
        let triggers = self.setup.triggers;
        framed(Order::Start(Start { version: edges::VERSION, channels, triggers }))
    }

    fn silence(&self) -> Wall {
        self.setup.silence.unwrap_or(SILENCE_TIMEOUT)
    }

    fn stop(&self) -> Vec<u8> {
        framed(Order::Stop)
    }

    fn take(&mut self, bytes: &[u8], _: &mut Vec<u8>) -> Result<(), Refusal> {
        for &byte in bytes {
            let Some(message) = self.deframer.feed(byte) else { continue };
            let message = message.to_vec();
            match edges::read_report(&message) {
                Some(Report::Hello(hello)) => self.greet(hello)?,
                Some(Report::Foreign(version)) => {
                    let found = format!("the board uses protocol version {version}");
                    return Err(Refusal::Version(found, format!("version {}", edges::VERSION)));
                }
                Some(Report::Rows(rows)) => self.rows(rows)?,
                None => {}
            }
        }
        Ok(())
    }

    fn has_answered(&self) -> bool {
        self.hello.is_some()
    }

    fn recorded_ns(&self) -> u64 {
        self.span.map_or(0, |[first, last]| self.ns(last) - self.ns(first))
    }

    fn lost_samples(&self) -> u64 {
        self.lost
    }

    fn latest_ns(&self) -> Option<u64> {
        self.span.map(|[_, last]| self.ns(last))
    }

    fn finish(mut self) -> Trace {
        let ends = self.span.map(|[first, last]| {
            self.ns(last).min(self.ns(first).saturating_add(self.lasting_ns)) as i64
        });
        self.recorder.end(ends.unwrap_or(0));
        self.recorder.into_trace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_app::Stamper;
    use airlag_sim::Duration;
    use airlag_trace::MemoryLimit;

    const TICK_PS: u32 = 62_500;

    /// A simulated board whose line drops the frames with the given numbers.
    struct Pair {
        board: Board,
        stamper: Stamper<64>,
        frames: usize,
    }

    impl Pair {
        fn new(lasting: Option<Duration>) -> Self {
            Self::of(lasting, &[])
        }

        fn of(lasting: Option<Duration>, channels: &[u8]) -> Self {
            let memory = MemoryLimit::of(1 << 20);
            let plan = Plan { lasting, memory };
            let setup = Setup { channels: channels.to_vec(), triggers: None, silence: None };
            let (board, mut stamper) = (Board::new(&plan, setup), Stamper::new(2, TICK_PS));
            board.start().iter().for_each(|&byte| stamper.receive(byte));
            Self { board, stamper, frames: 0 }
        }

        /// Timestamps levels at ticks, and transfers the board's frames except those in `lost`.
        fn stamp(&mut self, rows: &[(u64, u8)], now: u64, lost: &[usize]) {
            rows.iter().for_each(|&(at, levels)| self.stamper.stamp(at, levels));
            while let Some(line) = self.stamper.poll(now).map(<[u8]>::to_vec) {
                if !lost.contains(&self.frames) {
                    let taken = self.board.take(&line, &mut Vec::new());
                    assert!(taken.is_ok(), "refused");
                }
                self.frames += 1;
                if self.frames > 1 && !self.stamper.is_waiting() {
                    break;
                }
            }
        }

        fn segments(self, channel: usize) -> Vec<(i64, i64, bool, Vec<i64>)> {
            let trace = self.board.finish();
            let of = trace.channels[channel].segments.iter();
            of.map(|s| (s.begin_ns, s.end_ns, s.initial, s.edges_ns.clone())).collect()
        }
    }

    #[test]
    fn edges_are_exact_on_the_boards_clock() {
        let mut pair = Pair::new(None);
        pair.stamp(&[], 16_000, &[]);
        pair.stamp(&[(16_001, 1), (16_002, 3), (16_005, 2)], 16_010, &[]);
        pair.stamp(&[(16_016, 0)], 32_000, &[]);
        assert_eq!(pair.board.recorded_ns(), 1_000_000);
        let edges = vec![1_000_062, 1_000_312];
        assert_eq!(pair.segments(0), [(1_000_000, 2_000_000, false, edges)]);
    }

    #[test]
    fn a_lost_frame_and_dropped_rows_are_gaps() {
        let mut pair = Pair::new(None);
        pair.stamp(&[], 16, &[]);
        pair.stamp(&[(32, 1)], 48, &[]);
        // Three frames so far: the hello, and two with rows. The next one, which is lost, contains
        // a falling and a rising edge.
        pair.stamp(&[(64, 0), (80, 1)], 96, &[3]);
        pair.stamp(&[(128, 0)], 144, &[]);
        let segments = pair.segments(0);
        assert_eq!(segments, [(1_000, 3_000, false, vec![2_000]), (8_000, 9_000, false, vec![])]);

        let mut pair = Pair::new(None);
        pair.stamp(&[], 16, &[]);
        // The buffer has room for 64 of the 80 rows. The gap lies between the last of them and the
        // next row.
        let many: Vec<(u64, u8)> = (0..80).map(|at| (96 + 16 * at, (at % 2) as u8)).collect();
        pair.stamp(&many, 1_600, &[]);
        pair.stamp(&[(1_616, 0)], 1_632, &[]);
        assert_eq!(pair.board.lost_samples(), 16);
        let segments = pair.segments(0);
        let spans: Vec<_> = segments.iter().map(|found| (found.0, found.1)).collect();
        assert_eq!(spans, [(1_000, 69_000), (100_000, 102_000)]);
        assert_eq!((segments[0].3.len(), &segments[1].3), (63, &vec![101_000]));
    }

    #[test]
    fn channels_are_recorded_as_selected() {
        let mut pair = Pair::of(None, &[1, 0]);
        pair.stamp(&[], 16, &[]);
        pair.stamp(&[(32, 1), (48, 3)], 64, &[]);
        let trace = pair.board.finish();
        let names: Vec<&str> = trace.channels.iter().map(|channel| &channel.name[..]).collect();
        assert_eq!(names, ["1", "0"]);
        assert_eq!(trace.channels[0].segments[0].edges_ns, [3_000]);
        assert_eq!(trace.channels[1].segments[0].edges_ns, [2_000]);
    }

    #[test]
    fn the_recording_ends_after_its_duration() {
        let mut pair = Pair::new(Some(Duration::from_us(10)));
        pair.stamp(&[], 16, &[]);
        pair.stamp(&[(32, 1), (160, 0), (176, 0), (177, 1)], 400, &[]);
        assert!(pair.board.recorded_ns() >= 10_000);
        assert_eq!(pair.segments(0), [(1_000, 11_000, false, vec![2_000, 10_000])]);
    }

    #[test]
    fn a_board_that_cannot_do_what_is_ordered_is_refused() {
        let triggers = Triggers {
            phase: edges::Phase::Frozen,
            period_ns: 1_000_000,
            pulse_ns: 1_000,
            seed: 1,
        };
        for setup in [
            Setup { channels: Vec::new(), triggers: Some(triggers), silence: None },
            Setup { channels: vec![2], triggers: None, silence: None },
        ] {
            let plan = Plan { lasting: None, memory: MemoryLimit::of(1 << 20) };
            let (mut board, mut stamper) =
                (Board::new(&plan, setup), Stamper::<4>::new(2, TICK_PS));
            board.start().iter().for_each(|&byte| stamper.receive(byte));
            let hello = stamper.poll(0).expect("a hello").to_vec();
            assert!(matches!(board.take(&hello, &mut Vec::new()), Err(Refusal::Version(..))));
            assert!(!board.has_answered());
        }
    }
}
