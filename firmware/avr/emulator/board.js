// An Arduino Uno with a program on it in virtual time: avr8js with interrupts and inputs at their cycles.
//
// avr8js enters an interrupt in two cycles, at once after SEI or RETI too, executes CBI in one cycle, and handles one
// event of a peripheral per instruction. Here, the entry takes the four cycles of the ATmega328P data sheet
// (DS40002061A, section 7.7.1), the instruction after SEI or RETI is executed first (section 7.7), CBI takes the two
// cycles of the instruction set summary, all due events are handled, and an input passes its synchroniser.

import {
  AVRIOPort, AVRSPI, AVRTimer, AVRUSART, CPU, PinState, avrInstruction, portBConfig, portCConfig, portDConfig, spiConfig,
  timer0Config, timer1Config, timer2Config, usart0Config,
} from "avr8js";
import { flash } from "../../loop/elf.js";

const CLOCK_HZ = 16e6;
/** Cycle of the system clock. */
export const CYCLE_NS = 1e9 / CLOCK_HZ;
const FLASH_BYTES = 32 * 1024;
const SRAM_BYTES = 2 * 1024;
/** Cycles of an interrupt's entry, and of CBI, beyond those of avr8js. */
const ENTRY = 4 - 2;
const CLEAR_BIT = 2 - 1;
/** Opcodes. The instruction after the first two is executed before a pending interrupt. */
const SEI = 0x9478;
const RETI = 0x9518;
const isClearBit = (opcode) => (opcode & 0xff00) === 0x9800;
const STATUS = 0x5f;
const INTERRUPTS = 0x80;
const LEVELS = new Map([[PinState.Low, 0], [PinState.High, 1]]);

export class Board {
  #cpu;
  #ports;
  #spi;
  #serial;

  /** Starts an image at time 0, without a boot loader. */
  constructor(image) {
    const program = new Uint8Array(FLASH_BYTES).fill(0xff);
    flash(image, program, 0);
    const cpu = new CPU(new Uint16Array(program.buffer), SRAM_BYTES);
    this.#cpu = cpu;
    const [d, b, c] = [portDConfig, portBConfig, portCConfig].map((port) => new AVRIOPort(cpu, port));
    this.#ports = { d, b, c };
    for (const timer of [timer0Config, timer1Config, timer2Config]) new AVRTimer(cpu, timer);
    this.#spi = new AVRSPI(cpu, spiConfig, CLOCK_HZ);
    this.#serial = new AVRUSART(cpu, usart0Config, CLOCK_HZ);
  }

  /** Virtual time, ns. */
  get ns() {
    return this.#cpu.cycles * CYCLE_NS;
  }

  /** Earliest time at which the program can act, ns. The processor never sleeps: SLEEP takes one cycle. */
  get acts() {
    return this.ns;
  }

  /** Executes an instruction, and enters a pending interrupt after it. */
  step() {
    const cpu = this.#cpu;
    const opcode = cpu.progMem[cpu.pc];
    avrInstruction(cpu);
    if (isClearBit(opcode)) cpu.cycles += CLEAR_BIT;
    this.#handleEvents();
    if (opcode === SEI || opcode === RETI || !cpu.interruptsEnabled || cpu.nextInterrupt < 0) return;
    cpu.tick();
    cpu.cycles += ENTRY;
    this.#handleEvents();
  }

  /** Calls `changed` with each level that the program drives on a pin, named as by Arduino, at the time of the store. */
  watch(pin, changed) {
    const [port, bit] = this.#pin(pin);
    let last;
    port.addListener(() => {
      const level = LEVELS.get(port.pinState(bit));
      if (level === undefined || level === last) return;
      last = level;
      changed(level);
    });
  }

  /**
   * Puts a level on an input at a time, ns. It is latched at the next falling edge of the clock and can be read from the
   * rising edge after it (data sheet, section 14.2.4).
   */
  drive(pin, level, at) {
    const [port, bit] = this.#pin(pin);
    const readable = Math.ceil(at / CYCLE_NS - 0.5) + 1;
    this.#at(readable, () => port.setPin(bit, level === 1));
  }

  /** Connects SPI: `exchange` is called as a byte begins, and returns the byte of the other side. */
  connect(exchange) {
    this.#spi.onByte = (value) => {
      const answer = exchange(value);
      this.#at(this.#cpu.cycles + this.#spi.transferCycles, () => this.#spi.completeTransfer(answer));
    };
  }

  /** Calls `printed` with each line of the serial port. */
  listen(printed) {
    this.#serial.onLineTransmit = (line) => printed(line.trimEnd());
  }

  /** Sends a text to the serial port, one byte after the other, from a time on, ns. */
  type(text, at) {
    const [first, ...rest] = text;
    if (first === undefined) return;
    this.#serial.onRxComplete = () => this.#send(rest.shift());
    this.#at(Math.ceil(at / CYCLE_NS), () => this.#send(first));
  }

  #send(character) {
    if (character !== undefined) this.#serial.writeByte(character.charCodeAt(0));
  }

  #pin(name) {
    const { d, b, c } = this.#ports;
    if (name < 8) return [d, name];
    return name < 14 ? [b, name - 8] : [c, name - 14];
  }

  #at(cycle, call) {
    this.#cpu.addClockEvent(call, cycle - this.#cpu.cycles);
  }

  /** Handles the events of peripherals that are due, but enters no interrupt. */
  #handleEvents() {
    const cpu = this.#cpu;
    const enabled = cpu.data[STATUS] & INTERRUPTS;
    cpu.data[STATUS] &= ~INTERRUPTS;
    while (cpu.nextClockEvent !== null && cpu.nextClockEvent.cycles <= cpu.cycles) cpu.tick();
    cpu.data[STATUS] |= enabled;
  }
}
