//! IEEE 802.15.4 at 2.4 GHz on the radio of the chip.

use airlag_app::control::Setting;
use airlag_drivers::Ieee802154 as Driver;
use airlag_drivers::ieee802154::{Config, FCS, MAX_FRAME};
use airlag_ends::program::Protocol;
use airlag_ends::settings::{Role, Settings, all, setting};
use embassy_nrf::pac::radio::vals::{Crcinc, Len, Map, Mode, Plen, Skipaddr};

use crate::board::{Irqs, Peripherals, RADIO_SETTINGS, SETTINGS};
use crate::radio::{Layout, Radio};

/// Longest PSDU, octets.
const PSDU: u8 = (MAX_FRAME + FCS) as u8;
/// Start of frame delimiter (IEEE Std 802.15.4-2006, 6.3.2).
const DELIMITER: u8 = 0xA7;

/// Settings of the radio.
const OWN: [Setting; RADIO_SETTINGS] = [
    setting("channel", "", 20, [11, 26]),
    setting("acknowledge", "", 1, [0, 1]),
    // macMaxFrameRetries (IEEE Std 802.15.4-2006, 7.4.2).
    setting("retries", "", 3, [0, 7]),
    setting("pan", "", 7, [0, 0xFFFE]),
    // Two consecutive addresses in the PAN: twice this number for the sender, and the next one
    // for the receiver.
    setting("pair", "", 1, [0, 0x7FFE]),
];

/// IEEE 802.15.4 data frames.
pub struct Ieee802154(Driver<Radio>);

impl Ieee802154 {
    /// Takes the radio of a board.
    #[must_use]
    pub fn new((radio, timer): Peripherals) -> Self {
        let radio = Radio::new(radio, timer, Irqs, Layout::Checked);
        let values = OWN.map(|setting| setting.value);
        Self(Driver::new(radio, config(Role::Receiver, values)))
    }
}

impl Protocol<SETTINGS> for Ieee802154 {
    type Link = Driver<Radio>;

    fn settings(role: Role) -> [Setting; SETTINGS] {
        all(role, OWN)
    }

    async fn set_up(&mut self, settings: &Settings<SETTINGS>) -> bool {
        let radio = settings.radio();
        self.0.configure(config(settings.role, radio));
        let [channel, ..] = radio;
        // Registers of the product specification v1.7, section 6.20.12.
        self.0.radio().configure(PSDU, |radio| {
            radio.mode().write(|w| w.set_mode(Mode::Ieee802154250kbit));
            // 5 MHz apart, the first one at 2405 MHz (6.1.2.1).
            radio.frequency().write(|w| {
                w.set_frequency((channel as u8 - 10) * 5);
                w.set_map(Map::Default);
            });
            radio.sfd().write(|w| w.set_sfd(DELIMITER));
            radio.pcnf0().write(|w| {
                w.set_lflen(8);
                w.set_plen(Plen::_32bitZero);
                w.set_crcinc(Crcinc::Include);
            });
            radio.pcnf1().write(|w| w.set_maxlen(PSDU));
            radio.crccnf().write(|w| {
                w.set_len(Len::Two);
                w.set_skipaddr(Skipaddr::Ieee802154);
            });
            radio.crcpoly().write(|w| w.set_crcpoly(0x1_1021));
            radio.crcinit().write(|w| w.set_crcinit(0));
        });
        true
    }

    fn link(&mut self) -> &mut Self::Link {
        &mut self.0
    }
}

fn config(role: Role, radio: [u64; RADIO_SETTINGS]) -> Config {
    let [_, acknowledge, retries, pan, pair] = radio;
    let [own, peer] = role.addresses(pair);
    let (acknowledge, retries) = (acknowledge != 0, retries as u8);
    Config { pan: pan as u16, own, peer, acknowledge, retries }
}
