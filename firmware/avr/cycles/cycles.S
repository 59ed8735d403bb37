; Pulses on pin 4 of an Uno around instructions whose cycles are known: 100 of each, then 200.
;
; tests/python/firmware/test_sketches.py has their order. The difference of two pulses is 100 times the instruction. At
; the end, timer 0 makes two pulses of one of its periods.

#include <avr/io.h>

#define PIN 4
#define IO(name) _SFR_IO_ADDR(name)

; The preprocessor does not replace names in the arguments of a macro below.
.equ spare, IO(GPIOR0)
.equ spi_data, IO(SPDR)
.equ spi_status, IO(SPSR)
.equ spi_done, SPIF
.equ outputs, IO(PORTD)
.equ memory, RAMSTART

.section .vectors, "ax"
  jmp start
  jmp interrupt   ; INT0
  .skip 14 * 4
  jmp overflow    ; TIMER0_OVF

.text

; Two pulses, with 100 and 200 repetitions of one or more instructions.
.macro pulses first, second=, third=, fourth=, fifth=, sixth=
  .irp times, 100, 200
    cp r1, r1      ; Z is set
    sbi IO(PORTD), PIN
    .rept \times
      \first
      \second
      \third
      \fourth
      \fifth
      \sixth
    .endr
    cbi IO(PORTD), PIN
  .endr
.endm

subroutine:
  ret

start:
  ldi r16, lo8(RAMEND)
  out IO(SPL), r16
  ldi r16, hi8(RAMEND)
  out IO(SPH), r16
  clr r1
  ldi r16, (1 << PIN) | (1 << 2)
  out IO(DDRD), r16
  ldi r26, lo8(RAMSTART)
  ldi r27, hi8(RAMSTART)
  ldi r30, 0
  ldi r31, 0

  pulses "rcall subroutine"   ; first, because it reaches no further than 4 KiB
  pulses "call subroutine"
  pulses "add r16, r17"
  pulses "mul r16, r17"
  pulses "adiw r24, 1"
  pulses "brne ."
  pulses "breq ."
  pulses "rjmp ."
  pulses "ld r0, X"
  pulses "st X, r0"
  pulses "lds r0, memory"
  pulses "sts memory, r0"
  pulses "lpm r0, Z"
  pulses "push r0", "pop r0"
  pulses "in r0, spare"
  pulses "sbi spare, 0"
  pulses "cbi spare, 0"
  pulses "sbrc r1, 0", "nop"
  pulses "sbrc r1, 0", "lds r0, memory"

  ; SPI as in the transfer function of Arduino's core, at half the clock.
  ldi r16, (1 << PB5) | (1 << PB3) | (1 << PB2)
  out IO(DDRB), r16
  ldi r16, (1 << SPE) | (1 << MSTR)
  out IO(SPCR), r16
  ldi r16, 1 << SPI2X
  out IO(SPSR), r16
  pulses "out spi_data, r1", "nop", "in r0, spi_status", "sbrs r0, spi_done", "rjmp .-6", "in r0, spi_data"

  ; A falling edge requests interrupt 0 although its pin is an output.
  ldi r16, 1 << ISC01
  sts EICRA, r16
  sbi IO(EIMSK), INT0
  sei
  pulses "sbi outputs, 2", "cbi outputs, 2", "nop", "nop"

  ldi r16, 1 << TOIE0
  sts TIMSK0, r16
  ldi r16, (1 << CS01) | (1 << CS00)   ; clock / 64
  out IO(TCCR0B), r16
  rjmp .-2

interrupt:
  reti

; With two cycles of the loop that it interrupts, 14 keep its period.
overflow:
  nop
  sbi IO(PIND), PIN   ; inverts the pin
  reti
