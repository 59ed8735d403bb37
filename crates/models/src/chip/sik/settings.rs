//! User settings, and the widths that the firmware computes from them (`tdm_init`).

use airlag_link::airtime::sik::{Frame, TRAILER};

use super::hopping::Span;

/// Bytes in the user's stream that mark the start of a MAVLink frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// No framing: bytes are sent as they arrive.
    Off,
    /// 0xFE of MAVLink 1.0.
    V10,
    /// 0xFE, and 0x55 for MAVLink 0.9, as in releases up to 1.7.
    V09V10,
    /// 0xFE, and 0xFD of MAVLink 2.
    V10V20,
}

/// Parameters of the radio, named after its AT commands where they have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `AIR_SPEED`, kbit/s.
    pub air_rate: u64,
    /// `ECC`: Golay code.
    pub ecc: bool,
    /// `MAVLINK`.
    pub framing: Framing,
    /// `OPPRESEND`: retransmit the last packet when there is time.
    pub opportunistic_resend: bool,
    /// `NUM_CHANNELS`.
    pub channels: u8,
    /// `MIN_FREQ` and `MAX_FREQ`.
    pub span: Span,
    /// `NETID`.
    pub network: u16,
    /// `MAX_WINDOW`, ms.
    pub max_window_ms: u64,
    /// `DUTY_CYCLE`, percent.
    pub duty_cycle: u8,
    /// `LBT_RSSI`, on or off. The threshold is a property of the receiver on the air.
    pub listen_before_talk: bool,
    /// Buffer for data waiting for the air, bytes.
    pub receive_buffer: usize,
    /// Buffer for data waiting for the serial port, bytes.
    pub send_buffer: usize,
}

/// Amount of data that fits into the rest of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// This number of data bytes.
    Bytes(usize),
    /// No data until this number of ticks has passed.
    In(u64),
    /// No more data.
    Over,
}

/// Durations of a round, in ticks. A tick is 32 periods of a timer that counts the processor clock
/// over 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Firmware's estimate for one byte.
    pub per_byte: u64,
    /// Firmware's estimate of a packet's overhead.
    pub latency: u64,
    /// Transmit window of either radio.
    pub window: u64,
    /// Silence between two windows.
    pub silence: u64,
    /// Largest user data of a packet, bytes.
    pub max_data: usize,
    /// Time for which the channel must be clear with listen before talk.
    pub listen: u64,
    framed: usize,
}

/// Processor cycles per tick: `timer2_tick` drops five bits of a counter of SYSCLK/12.
pub const TICK: u64 = 12 * 32;

/// Longest window that the trailer's 13 bits can represent.
pub const MAX_WINDOW: u64 = 0x1FFF;

/// Smallest usable room, bytes (`PACKET_OVERHEAD`). At 2 kbit/s, the longest window that the
/// trailer can represent has room for only 16 bytes, so these radios never send at that rate.
const LEAST: usize = TRAILER + 16;

impl Round {
    /// Computes the durations for `settings`, in the firmware's integer arithmetic.
    ///
    /// The firmware assumes 16 us per tick, which would be correct for a processor at 24 MHz; the
    /// Si1000 runs at 24.5 MHz.
    #[must_use]
    pub const fn new(settings: &Settings) -> Self {
        let frame = Frame { rate_kbps: settings.air_rate, ecc: settings.ecc };
        let rate = airlag_link::airtime::sik::rate_kbps(settings.air_rate);
        let mut per_byte = (8 + 8_000_000 / (rate * 1_000)) / 16 + 1;
        let mut latency = (8 + 10 / 2) * per_byte + 13;
        let max_data = frame.max_data();
        if settings.ecc {
            per_byte *= 2;
            latency += 4 * per_byte;
        }
        let silence = 2 * latency;
        let mut window = 3 * (latency + max_data as u64 * per_byte);
        let listen = 5_000 / 16;
        if settings.listen_before_talk && window < 3 * listen {
            window = 3 * listen;
        }
        // 0.4 s at most while hopping (FCC part 15.247).
        let regulatory = 1_000_000 / 16 * 4 / 10;
        if settings.channels > 1 && window >= regulatory {
            window = regulatory;
        }
        let wanted = settings.max_window_ms * (1_000 / 16);
        if window > wanted {
            window = wanted;
        }
        if window > MAX_WINDOW {
            window = MAX_WINDOW;
        }
        // The preamble has 16 nibbles instead of 10. This changes the estimated packet time but not
        // the round.
        latency += (16 - 10) / 2 * per_byte;
        let fits = (window.saturating_sub(latency) / per_byte) as usize;
        let framed = if fits < max_data { fits } else { max_data };
        Self { per_byte, latency, window, silence, max_data, listen, framed }
    }

    /// Ticks of two windows and two silences.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        2 * (self.window + self.silence)
    }

    /// Firmware's estimate for a packet with `data` bytes.
    #[must_use]
    pub const fn flight(&self, data: usize) -> u64 {
        self.latency + (data + TRAILER) as u64 * self.per_byte
    }

    /// Longest MAVLink frame that is not split.
    #[must_use]
    pub const fn max_framed(&self) -> usize {
        self.framed
    }

    /// Data bytes that the firmware allows in a packet with `remaining` ticks left.
    ///
    /// The firmware stores this number in eight bits. A long window therefore appears short
    /// whenever the number that would fit into its rest slightly exceeds 256 or 512.
    #[must_use]
    pub const fn room(&self, remaining: u64) -> Room {
        let Some(left) = remaining.checked_sub(self.latency) else { return Room::Over };
        let fit = left / self.per_byte;
        let shown = (fit & 0xFF) as usize;
        if shown >= LEAST {
            let room = shown - (TRAILER + 1);
            return Room::Bytes(if room < self.max_data { room } else { self.max_data });
        }
        if fit < 256 {
            return Room::Over;
        }
        // Wait until one byte less than the multiple of 256 fits.
        Room::In(left - ((fit & !0xFF) * self.per_byte - 1))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use airlag_link::airtime::sik::RATES_KBPS;
    use proptest::prelude::*;

    /// Default settings for 915 MHz.
    pub(in super::super) const DELIVERED: Settings = Settings {
        air_rate: 64,
        ecc: false,
        framing: Framing::Off,
        opportunistic_resend: false,
        channels: 50,
        network: 25,
        max_window_ms: 131,
        duty_cycle: 100,
        span: Span { low_khz: 915_000, high_khz: 928_000 },
        listen_before_talk: false,
        receive_buffer: 1_850,
        send_buffer: 645,
    };

    #[test]
    fn a_delivered_radio_has_the_round_its_firmware_reports() {
        let round = Round::new(&DELIVERED);
        assert_eq!((round.per_byte, round.latency), (9, 157));
        assert_eq!((round.window, round.silence, round.ticks()), (7_140, 260, 14_800));
    }

    #[test]
    fn a_tick_is_shorter_than_the_firmware_takes_it_for() {
        // 7400 ticks from window to window: 118.4 ms according to the comments of the firmware,
        // 115.98 ms according to its timer.
        let half_ns = Round::new(&DELIVERED).ticks() / 2 * TICK * 1_000_000_000 / 24_500_000;
        assert_eq!(half_ns, 115_983_673);
    }

    #[test]
    fn an_owner_narrows_the_window_and_the_trailer_bounds_it() {
        let window = |max_window_ms, air_rate| {
            Round::new(&Settings { max_window_ms, air_rate, ..DELIVERED }).window
        };
        assert_eq!(window(20, 64), 20 * 62);
        assert_eq!(window(131, 2), 131 * 62);
        assert!(window(131, 250) < window(131, 64));
    }

    #[test]
    fn error_correction_doubles_the_cost_of_a_byte() {
        let coded = Round::new(&Settings { ecc: true, ..DELIVERED });
        assert_eq!((coded.per_byte, coded.max_data), (18, 118));
    }

    #[test]
    fn the_slowest_rate_leaves_no_room_in_the_widest_window() {
        let begins = |air_rate| {
            let round = Round::new(&Settings { air_rate, ..DELIVERED });
            round.room(round.window)
        };
        assert_eq!(begins(2), Room::Over);
        assert!(matches!(begins(4), Room::Bytes(_)));
    }

    #[test]
    fn what_fits_is_counted_in_eight_bits() {
        let round = Round::new(&DELIVERED);
        let left = |bytes: u64| round.latency + bytes * round.per_byte;
        assert_eq!(round.room(left(255)), Room::Bytes(250));
        assert_eq!(round.room(left(256 + 100)), Room::Bytes(97));
        // At its start, a window has room for 775 bytes, which appears as 7.
        assert_eq!(round.room(round.window), Room::In(round.window - left(768) + 1));
        assert_eq!(round.room(left(17)), Room::Over);
        assert_eq!(round.room(round.latency - 1), Room::Over);
    }

    proptest! {
        #[test]
        fn a_packet_that_is_allowed_is_believed_to_fit(
            remaining in 0_u64..=MAX_WINDOW, air_rate in prop::sample::select(RATES_KBPS.to_vec()),
            ecc: bool,
        ) {
            let round = Round::new(&Settings { air_rate, ecc, ..DELIVERED });
            match round.room(remaining) {
                Room::Bytes(room) => prop_assert!(round.flight(room) < remaining),
                Room::In(ticks) => {
                    prop_assert!(matches!(round.room(remaining - ticks), Room::Bytes(_)));
                    prop_assert!(!matches!(round.room(remaining - ticks + 1), Room::Bytes(_)));
                }
                Room::Over => {}
            }
        }

        #[test]
        fn a_packet_is_over_before_the_firmware_gives_it_up(
            air_rate in prop::sample::select(RATES_KBPS.to_vec()), ecc: bool, data in 0_usize..=118,
        ) {
            // At 2 and 4 kbit/s a byte takes longer than estimated; half a silence covers it.
            let round = Round::new(&Settings { air_rate, ecc, ..DELIVERED });
            let patience = round.flight(data) + round.silence / 2;
            let frame = Frame { rate_kbps: air_rate, ecc };
            let patience_ns = patience * TICK * 1_000_000_000 / 24_500_000;
            prop_assert!(frame.duration_ns(data + TRAILER) < patience_ns);
        }
    }
}
