//! What an owner sets, and the widths the firmware computes from it (`tdm_init`).

use airlag_link::airtime::sik::{Frame, TRAILER};

/// Which bytes of the user's stream the radio takes for the beginning of a MAVLink frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// None: bytes leave as they come.
    Off,
    /// 0xFE of MAVLink 1.0.
    V10,
    /// 0xFE, and 0x55 of MAVLink 0.9, as releases up to 1.7 do.
    V09V10,
    /// 0xFE, and 0xFD of MAVLink 2.
    V10V20,
}

/// The radio's parameters, by the names of its AT commands where they have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `AIR_SPEED`, kbit/s.
    pub air_rate: u64,
    /// `ECC`: Golay code.
    pub ecc: bool,
    /// `MAVLINK`.
    pub framing: Framing,
    /// `OPPRESEND`: send the last packet again when there is time.
    pub opportunistic_resend: bool,
    /// `NUM_CHANNELS`.
    pub channels: u8,
    /// `NETID`.
    pub network: u16,
    /// `MAX_WINDOW`, ms.
    pub max_window_ms: u64,
    /// `DUTY_CYCLE`, percent.
    pub duty_cycle: u8,
    /// `LBT_RSSI`, as on or off: the air of the bench has no signal strength.
    pub listen_before_talk: bool,
    /// Bytes the radio keeps for the air.
    pub receive_buffer: usize,
    /// Bytes the radio keeps for its serial port.
    pub send_buffer: usize,
}

/// Ticks of a round. A tick is 32 periods of a timer that counts the processor clock over 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// What the firmware believes one byte takes.
    pub per_byte: u64,
    /// What it believes a packet takes besides its bytes.
    pub latency: u64,
    /// Transmit window, and the peer's.
    pub window: u64,
    /// Between two windows.
    pub silence: u64,
    /// Bytes of user data in a packet at most.
    pub max_data: usize,
    /// How long the channel has to be quiet, where there is listening before talking.
    pub listen: u64,
    framed: usize,
}

/// Processor cycles of a tick: `timer2_tick` drops five bits of a counter of SYSCLK/12.
pub const TICK: u64 = 12 * 32;

/// The widest window the trailer's 13 bits can tell.
pub const MAX_WINDOW: u64 = 0x1FFF;

impl Round {
    /// The widths for `settings`, in the firmware's own whole numbers.
    ///
    /// It takes a tick for 16 us, which is what a processor at 24 MHz would make of it; the Si1000
    /// runs at 24.5 MHz.
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
        // The preamble has 16 nibbles instead of 10. That changes what a packet is believed to take
        // and not the round.
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

    /// What the firmware believes a packet with `data` bytes takes.
    #[must_use]
    pub const fn flight(&self, data: usize) -> u64 {
        self.latency + (data + TRAILER) as u64 * self.per_byte
    }

    /// The longest MAVLink frame that is kept in one piece.
    #[must_use]
    pub const fn max_framed(&self) -> usize {
        self.framed
    }

    /// Bytes of data that fit into `remaining` ticks of a window; none if not even a packet without
    /// data does.
    #[must_use]
    pub const fn room(&self, remaining: u64) -> Option<usize> {
        let Some(left) = remaining.checked_sub(self.latency) else { return None };
        let Some(room) = ((left / self.per_byte) as usize).checked_sub(TRAILER + 1) else {
            return None;
        };
        Some(if room < self.max_data { room } else { self.max_data })
    }
}
