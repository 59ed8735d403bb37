// Pins of an end: src/end.rs, src/nrf24.rs and src/sx127x.rs.

export const MARK = 13;
export const TRIGGER = 14;
export const STROBE = 15;
export const LIGHT = 25;

const SELECT = 17;

/** Pins of the radio, by its name: see firmware/loop/link.js. */
export const RADIOS = {
  nrf24: {
    select: SELECT,
    driven: { name: "CE", request: "ce", pin: 20, rest: 0 },
    read: [{ name: "IRQ", pin: 21 }],
  },
  sx127x: {
    select: SELECT,
    driven: { name: "RESET", request: "reset", pin: 20, rest: 1 },
    read: [
      { name: "DIO0", pin: 21 },
      { name: "DIO5", pin: 22 },
    ],
  },
};
