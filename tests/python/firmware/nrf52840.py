"""As much of an nRF52840 as the images for the DK touch.

What it leaves out, beside what the processor does: clocks, which are ready at once, and USB. The
radio hands its frames over to the test, bit by bit and with their times, and the test answers.
Times are those of the hardware: the program takes none.
"""

from __future__ import annotations

from pathlib import Path

from .cortex_m4 import PATIENCE, CortexM4
from .nrf_ports import FACTORY, USER, Clock, Erased, Flash, Gpio, Gpiote, Ports, Random, Uarte
from .nrf_radio import RADIO, Radio
from .nrf_time import FOREVER, TIMER0, Interconnect, Rtc, Time, Timer


class Nrf52840(CortexM4):
    """The chip with an image in its flash, and what can be seen of it from outside."""

    BLOCK = 0x1000
    BUSES = ((0x4000_0000, 0x80000), (0x5000_0000, 0x1000), (0x1000_0000, 0x2000))

    def __init__(self, image: Path, start: int = 0) -> None:
        """Starts an image at its address, as a boot loader would."""
        super().__init__(image, flash=(start, 0x10_0000 - start), ram=(0x2000_0000, 0x4_0000))
        #: What the outputs did, in order: time in ns, pin and level.
        self.changes: list[tuple[int, str, int]] = []
        self.time = Time()
        ppi = Interconnect(lambda address, value: self._store_at(address, value))
        ports = Ports(self._changed)
        self.ports = ports.ports
        self.rtc, self.timer = Rtc(self.time), Timer(self.time, ppi.signal)
        self.radio = Radio(self, self.time, ppi.signal)
        self.uart = Uarte(self)
        gpiote = Gpiote(ports)
        self.peripherals |= {
            0x1000_0000: Erased(FACTORY),
            0x1000_1000: Erased(USER),
            0x4000_0000: Clock(),
            RADIO: self.radio,
            0x4000_2000: self.uart,
            0x4000_6000: gpiote,
            TIMER0: self.timer,
            0x4000_D000: Random(),
            0x4001_1000: self.rtc,
            0x4001_E000: Flash(),
            0x4001_F000: ppi,
            0x5000_0000: ports,
        }
        self.clocked += [gpiote, self.uart, self.radio, self.rtc, self.time]

    def advance(self, us: int) -> None:
        """Runs for a time, until all that happens in it has happened."""
        self.time.horizon = self.time.now + 1_000 * us
        self.settle(patience=100 * PATIENCE)
        self.time.now, self.time.horizon = self.time.horizon, FOREVER

    def drive(self, pin: str, level: int) -> None:
        """Puts a level on an input from outside, such as ``P1.03``."""
        gpio, number = self.ports[int(pin[1])], int(pin[3:])
        gpio.driven = gpio.driven & ~(1 << number) | level << number

    def output(self, pin: str) -> int:
        """The level of an output."""
        return self.ports[int(pin[1])].words.get(Gpio.OUT, 0) >> int(pin[3:]) & 1

    def rises(self, pin: str) -> list[int]:
        """Times at which an output rose, ns."""
        return [time for time, changed, level in self.changes if (changed, level) == (pin, 1)]

    def _store_at(self, address: int, value: int) -> None:
        peripheral, at = self._find(address)
        peripheral.write(at, value)

    def _changed(self, pin: str, level: int) -> None:
        self.changes.append((self.time.now, pin, level))
