// The host's side of the serial port on USB: 19 bulk packets of 64 bytes a millisecond at most, as at full speed.
//
// rp2040js takes a packet at the moment it is written, however full the host is, and answers each
// request for one with no bytes. Here, a packet waits for its turn and until the host takes it, and a request until
// there are bytes. rp2040js enumerates the device.

import { USBCDC } from "rp2040js";

const BUFFERS = 0x80;
const AVAILABLE = 1 << 10;
const FULL = 1 << 15;
const LENGTH = 0x3ff;
/** DTR and RTS. */
const OPEN = 3;
/** USB 2.0, table 5-9: bulk transactions of 64 bytes in a frame of 1 ms. */
const TURN_NS = 1e6 / 19;

export class Host {
  constructor(chip) {
    this.usb = chip.usbCtrl;
    this.memory = chip.usbDPRAM;
    this.view = chip.usbDPRAMView;
    this.clock = chip.clock;
    this.port = new USBCDC(this.usb);
    // rp2040js sends this request to the device. It belongs to an interface (PSTN 1.2, section 6.3.12).
    this.port.cdcSetControlLineState = (state = OPEN) => {
      this.port.initialized = true;
      this.usb.sendSetupPacket(Uint8Array.of(0x21, 0x22, state, 0, 0, 0, 0, 0));
    };
    /** Called with the bytes of each packet. */
    this.onPacket = () => {};
    /** Whether the host takes packets. */
    this.takes = true;
    this.orders = [];
    this.isAsked = false;
    this.pending = null;
    this.turn = this.clock.createAlarm(() => this.#take());
    const forward = this.usb.DPRAMUpdated.bind(this.usb);
    this.usb.DPRAMUpdated = (offset, value) => {
      const endpoint = (offset - BUFFERS) >> 3;
      const isBuffer = offset >= BUFFERS && offset < BUFFERS + 0x80 && value & AVAILABLE;
      if (!isBuffer || endpoint === 0) forward(offset, value);
      else if (offset & 4 && endpoint === this.port.outEndpoint) this.#ask(offset);
      else if (endpoint === this.port.inEndpoint) this.#offer(offset);
    };
  }

  /** Sends bytes to the device. */
  send(bytes) {
    this.orders.push(...bytes);
    if (this.isAsked) this.#answer();
  }

  /** Opens or closes the port. */
  open(is) {
    this.port.cdcSetControlLineState(is ? OPEN : 0);
  }

  #offer(offset) {
    this.pending = offset;
    this.turn.schedule(TURN_NS);
  }

  #take() {
    const offset = this.pending;
    if (!this.takes) {
      this.turn.schedule(TURN_NS);
      return;
    }
    this.pending = null;
    const value = this.view.getUint32(offset, true);
    const at = this.#address(offset);
    const bytes = this.memory.slice(at, at + (value & LENGTH));
    this.view.setUint32(offset, value & ~(AVAILABLE | FULL), true);
    this.usb.indicateBufferReady(this.port.inEndpoint, false);
    this.onPacket(bytes);
  }

  #ask(offset) {
    this.isAsked = offset;
    if (this.orders.length > 0) this.#answer();
  }

  #answer() {
    const offset = this.isAsked;
    this.isAsked = false;
    const bytes = this.orders.splice(0, 64);
    this.memory.set(bytes, this.#address(offset));
    const value = this.view.getUint32(offset, true) & ~(AVAILABLE | LENGTH);
    this.view.setUint32(offset, value | FULL | bytes.length, true);
    this.usb.indicateBufferReady(this.port.outEndpoint, true);
  }

  /** Where the packet of an endpoint is in the memory of the controller. */
  #address(offset) {
    // Control registers of endpoints from 1 on are as far apart as their buffers', which begin with endpoint 0.
    return this.view.getUint32(offset - BUFFERS, true) & 0xffc0;
  }
}
