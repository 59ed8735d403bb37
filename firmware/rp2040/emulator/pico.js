// A Pico in virtual time: rp2040js, with state machines and pads in step with its processor.
//
// rp2040js runs state machines in a timer of Node, one instruction of all four at a time, without their
// delays, and does not connect an output to the input of its pin. Here, each cycle of 8 ns steps
// the enabled machines, an instruction with a delay takes its cycles, an output is on its pad a cycle later, and the
// input synchroniser takes two cycles, as in the data sheet (section 3.5.6.3). The clock divider is not modelled.
// The processor's cycles are those of rp2040js: no waits for flash or for a busy bus.

import { Simulator } from "rp2040js";
import { flash } from "../../loop/elf.js";

export const CYCLE_NS = 8;
/** Cycles of a sleeping processor between two looks at the alarms, among them those of the DMA. */
const SLEEP = 4;
const CTRL = 0;
const FLASH = 0x10000000;
/** Vector table, behind the second stage of the boot loader. */
const VECTORS = FLASH + 0x100;
const FUNCTION_PIO = [6, 7];
const JUMP_ON_PIN = 0b110;
/** Memory before the start, and how much of it untouched ends the search for the deepest stack. */
const UNTOUCHED = 0xa5;
const UNTOUCHED_BYTES = 1024;
const SRAM = 0x20000000;

export class Pico {
  /** Boots an image. The boot ROM is not needed: the image does not call it. */
  constructor(image) {
    this.chip = new Simulator().rp2040;
    this.chip.logger = quiet();
    this.cycle = 0;
    /** Levels from outside, and on the pads; bit i is GPi. */
    this.outside = 0;
    this.pads = 0;
    this.seen = 0;
    this.late = [0, 0];
    /** Pins whose input is enabled, and which PIO drives which pin. */
    this.enabled = 0;
    this.functions = [0, 0];
    this.machines = [];
    /** Called with each change of the pads: mask of what changed, levels, mask of what the chip drives. */
    this.onPads = () => {};
    /** Called at the start of each cycle. */
    this.onCycle = () => {};
    this.#connect();
    flash(image, this.chip.flash, FLASH);
    this.chip.sram.fill(UNTOUCHED);
    this.chip.core.VTOR = VECTORS;
    this.chip.core.reset();
  }

  get ns() {
    return this.cycle * CYCLE_NS;
  }

  /** Largest depth of the stack so far, bytes. */
  get stack() {
    const { sram, flashView } = this.chip;
    const top = flashView.getUint32(VECTORS - FLASH, true) - SRAM;
    let deepest = top;
    for (let at = top - 1; at >= 0 && deepest - at < UNTOUCHED_BYTES; at--) {
      if (sram[at] !== UNTOUCHED) deepest = at;
    }
    return top - deepest;
  }

  /** Runs until a time, ns. */
  run(until) {
    const { core, clock } = this.chip;
    while (this.ns < until) {
      const cycles = core.waiting ? SLEEP : core.executeInstruction();
      for (let nth = 0; nth < cycles; nth++) this.#step();
      clock.tick(cycles * CYCLE_NS);
    }
  }

  #step() {
    const { late, machines } = this;
    this.onCycle();
    this.seen = late[0] & this.enabled;
    late[0] = late[1];
    late[1] = this.pads;
    for (const machine of machines) {
      if (machine.due > this.cycle) continue;
      const before = machine.cycles;
      machine.step();
      machine.due = this.cycle + Math.max(1, machine.cycles - before);
    }
    this.cycle++;
    this.#drive();
  }

  /** What is on the pads: outputs win over what is outside. */
  #drive() {
    const [first, second] = this.chip.pio;
    const [one, two] = this.functions;
    const driven = (first.pinDirections & one) | (second.pinDirections & two);
    const pads = (this.outside & ~driven) | (((first.pinValues & one) | (second.pinValues & two)) & driven);
    if (pads !== this.pads) {
      this.onPads(pads ^ this.pads, pads, driven);
      this.pads = pads;
    }
  }

  #connect() {
    const pico = this;
    const { chip } = this;
    Object.defineProperty(chip, "gpioValues", { get: () => pico.seen });
    for (const pio of chip.pio) {
      // The timer of Node stays off.
      pio.run = () => {};
      const write = pio.writeUint32.bind(pio);
      pio.writeUint32 = (offset, value) => {
        write(offset, value);
        if (offset === CTRL) {
          this.machines = chip.pio.flatMap((each) => each.machines.filter((machine) => machine.enabled));
        }
      };
      for (const machine of pio.machines) {
        machine.due = 0;
        const holds = machine.jmpCondition.bind(machine);
        machine.jmpCondition = (condition) =>
          condition === JUMP_ON_PIN ? ((pico.seen >>> machine.jmpPin) & 1) === 1 : holds(condition);
      }
    }
    for (const address of [0x40014, 0x4001c]) {
      const registers = chip.peripherals[address];
      const write = registers.writeUint32.bind(registers);
      registers.writeUint32 = (offset, value) => {
        write(offset, value);
        this.#configure();
      };
    }
    this.#configure();
  }

  /** Reads again how the pads are configured. */
  #configure() {
    const mask = (holds) =>
      this.chip.gpio.reduce((all, pin) => (holds(pin) ? all | (1 << pin.index) : all), 0);
    this.enabled = mask((pin) => pin.inputEnable && pin.inputOverride === 0);
    this.functions = FUNCTION_PIO.map((nth) => mask((pin) => pin.functionSelect === nth));
  }
}

/** Only errors are printed: what rp2040js lacks, it reports for each access. */
function quiet() {
  const error = (part, text) => console.error(`rp2040js: ${part}: ${text}`);
  return { debug() {}, info() {}, warn() {}, error };
}
