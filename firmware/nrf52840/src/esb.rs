//! Enhanced ShockBurst on the radio of the chip. With the defaults, its packets are those of an nRF24L01+ with the
//! address of `firmware/rp2040`, channel 76 and dynamic payload length at 2 Mbit/s.

use airlag_app::control::Setting;
use airlag_drivers::Esb as Driver;
use airlag_drivers::esb::{Config, LEGACY_PAYLOAD};
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings, all, setting};
use airlag_link::airtime::nrf24::Rate;
use embassy_nrf::pac::radio::vals::{Endian, Len, Map, Mode, Plen, S1incl, Skipaddr};

use crate::board::{Irqs, Peripherals, RADIO_SETTINGS, SETTINGS};
use crate::radio::{Layout, Radio};

/// Address, least significant byte first, as in `firmware/rp2040`.
pub const ADDRESS: [u8; 3] = [0xE7, 0xD3, 0xF0];

/// Settings of the radio.
const OWN: [Setting; RADIO_SETTINGS] = [
    setting("channel", "", 76, [0, 100]),
    // 1000 or 2000, rounded down.
    setting("rate", "kbit/s", 2_000, [1_000, 2_000]),
    setting("acknowledge", "", 1, [0, 1]),
    setting("retransmissions", "", 5, [0, 15]),
    // At least the time of an acknowledgement at 1 Mbit/s.
    setting("retransmit_delay", "us", 1_000, [500, 4_000]),
];

/// Enhanced ShockBurst.
pub struct Esb(Driver<Radio>);

impl Esb {
    /// Takes the radio of a board.
    #[must_use]
    pub fn new((radio, timer): Peripherals) -> Self {
        let radio = Radio::new(radio, timer, Irqs, Layout::Control);
        Self(Driver::new(radio, config(OWN.map(|setting| setting.value))))
    }
}

impl Protocol<SETTINGS> for Esb {
    type Link = Driver<Radio>;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        let radio = settings.radio();
        let config = config(radio);
        if config.retransmit_delay_us < config.shortest_retransmit_delay_us() {
            return false;
        }
        let [channel, ..] = radio;
        self.0.configure(config);
        // Registers of the product specification v1.7, sections 6.20.1 to 6.20.4 and 6.20.14.
        self.0.radio().configure(LEGACY_PAYLOAD as u8, |radio| {
            let (base, prefix) = registers(ADDRESS);
            radio.mode().write(|w| {
                w.set_mode(match config.rate {
                    Rate::Mbps2 => Mode::Nrf2mbit,
                    _ => Mode::Nrf1mbit,
                });
            });
            radio.frequency().write(|w| {
                w.set_frequency(channel as u8);
                w.set_map(Map::Default);
            });
            // Length of 6 bits, no S0, S1 of 3 bits: identity, and no acknowledgement.
            radio.pcnf0().write(|w| {
                w.set_lflen(6);
                w.set_s1len(3);
                w.set_s1incl(S1incl::Automatic);
                w.set_plen(Plen::_8bit);
            });
            radio.pcnf1().write(|w| {
                w.set_maxlen(LEGACY_PAYLOAD as u8);
                w.set_balen(ADDRESS.len() as u8 - 1);
                w.set_endian(Endian::Big);
            });
            radio.base0().write_value(base);
            radio.prefix0().write(|w| w.0 = prefix);
            radio.txaddress().write(|w| w.set_txaddress(0));
            radio.rxaddresses().write(|w| w.set_addr0(true));
            radio.crccnf().write(|w| {
                w.set_len(Len::Two);
                w.set_skipaddr(Skipaddr::Include);
            });
            radio.crcpoly().write(|w| w.set_crcpoly(0x1_1021));
            radio.crcinit().write(|w| w.set_crcinit(0xFFFF));
        });
        true
    }

    fn link(&mut self) -> &mut Self::Link {
        &mut self.0
    }
}

fn config(radio: [u64; RADIO_SETTINGS]) -> Config {
    let [_, rate_kbps, acknowledge, retransmit_count, retransmit_delay_us] = radio;
    Config {
        rate: if rate_kbps < 2_000 { Rate::Mbps1 } else { Rate::Mbps2 },
        address: ADDRESS.len() as u8,
        longest: LEGACY_PAYLOAD,
        acknowledge: acknowledge != 0,
        retransmit_count: retransmit_count as u8,
        retransmit_delay_us: retransmit_delay_us as u32,
    }
}

/// Returns the base address and the prefix with which an nRF52840 sends `address` in the same way as an nRF24L01+.
/// `address` has its least significant byte first. The nRF52840 sends the base address and then the prefix, both
/// with the least significant bit first. If the base address has fewer than four bytes, the nRF52840 skips the low
/// bytes of the register. An nRF24L01+ sends the most significant bit first. The bits of each byte are therefore
/// reversed here, and the prefix is the last byte on the air.
const fn registers(address: [u8; 3]) -> (u32, u32) {
    let [last, middle, first] = address;
    let base = [0, 0, first.reverse_bits(), middle.reverse_bits()];
    (u32::from_le_bytes(base), last.reverse_bits() as u32)
}
