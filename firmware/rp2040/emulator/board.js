// A Pico with a program on it in virtual time: rp2040js with SPI0 at its clock, and pins with times.
//
// rp2040js completes a byte on SPI at once, and enters an exception in no time. Here, a byte takes its clocks, an
// exception takes the processor's 15 cycles before its first instruction, and an input passes the two cycles of the
// synchroniser. A sleeping processor costs nothing to emulate. State machines, DMA and USB are in pico.js.

import { GPIOPinState, Simulator } from "rp2040js";
import { flash } from "../../loop/elf.js";

/** Cycle of the system clock, 125 MHz. */
export const CYCLE_NS = 8;
/** From a pin to the register that the processor reads, cycles (RP2040 data sheet, section 2.19). */
const SYNCHRONISER = 2;
/** From an interrupt to the first instruction of its handler, cycles (Arm, Cortex-M0+: interrupt latency). */
const EXCEPTION_ENTRY = 15;
const FLASH = 0x10000000;
/** Vector table, behind the second stage of the boot loader. */
const VECTORS = FLASH + 0x100;

export class Board {
  #debt = 0;

  /** Boots an image at time 0. The boot ROM is not needed: the image does not call it. */
  constructor(image) {
    this.chip = new Simulator().rp2040;
    this.chip.logger = { debug() {}, info() {}, warn() {}, error: report };
    this.clock = this.chip.clock;
    flash(image, this.chip.flash, FLASH);
    const { core } = this.chip;
    core.VTOR = VECTORS;
    core.reset();
    const enter = core.exceptionEntry.bind(core);
    core.exceptionEntry = (number) => {
      this.#debt += EXCEPTION_ENTRY;
      enter(number);
    };
  }

  /** Virtual time, ns. */
  get ns() {
    return this.clock.nanos;
  }

  /** Earliest time at which the program can act, ns: now, or the next alarm of a sleeping processor. */
  get acts() {
    if (!this.chip.core.waiting) return this.ns;
    return this.clock.nextAlarm ? this.clock.nextAlarm.nanos : Infinity;
  }

  /** Executes an instruction, or lets a sleeping processor sleep until its next alarm. */
  step() {
    const { core } = this.chip;
    if (core.waiting) {
      this.clock.tick(this.acts - this.ns);
      return;
    }
    if (core.interruptsUpdated) core.checkForInterrupts();
    if (this.#debt > 0) {
      const cycles = this.#debt;
      this.#debt = 0;
      this.clock.tick(cycles * CYCLE_NS);
      return;
    }
    this.clock.tick(core.executeInstruction() * CYCLE_NS);
  }

  /** Calls `changed` with each level that the program drives on a pin, at the time of the store. */
  watch(pin, changed) {
    this.chip.gpio[pin].addListener((state, last) => {
      const level = state === GPIOPinState.High;
      if (level !== (last === GPIOPinState.High)) changed(level ? 1 : 0);
    });
  }

  /** Puts a level on an input at a time, ns, not before now. */
  drive(pin, level, at) {
    const sampled = Math.ceil(at / CYCLE_NS) + SYNCHRONISER;
    this.at(sampled * CYCLE_NS, () => this.chip.gpio[pin].setInputValue(level === 1));
  }

  /** Calls at a time, ns, or now if that is over. */
  at(ns, call) {
    this.clock.createAlarm(call).schedule(Math.max(0, ns - this.ns));
  }

  /** Connects SPI0: `exchange` is called as a byte begins, and returns the byte of the other side. */
  connect(exchange) {
    const [spi] = this.chip.spi;
    spi.onTransmit = (value) => {
      const answer = exchange(value);
      this.at(this.ns + (spi.dataBits * 1e9) / spi.clockFrequency, () => spi.completeTransmit(answer));
    };
  }
}

function report(part, text) {
  console.error(`rp2040js: ${part}: ${text}`);
}
