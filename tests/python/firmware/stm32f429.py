"""As much of an STM32F429 as the images touch; register offsets and bits from RM0090.

What it leaves out, beside what the processor does: clocks (they are ready at once), flash wait
states, the overflow of the timer, pull resistors, alternate functions and pin speeds. Registers not
named here only remember what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from .cortex_m4 import CortexM4, Registers
from .serial import Dma, Uart
from .spi import Spi

USART3_IRQ, TIM5_IRQ, UART5_IRQ = 39, 50, 53
#: Interrupt of each EXTI line: 0 to 4 have their own.
EXTI_IRQS = {line: 6 + line for line in range(5)} | dict.fromkeys(range(5, 10), 23)
#: Interrupts of DMA1's streams.
DMA1_IRQS = dict(enumerate([11, 12, 13, 14, 15, 16, 17, 47]))


class Rcc(Registers):
    """Every clock that is switched on is ready, and the one asked for is in use."""

    def read(self, offset: int) -> int:
        value = super().read(offset)
        if offset == 0x00:  # CR: HSIRDY, HSERDY and PLLRDY follow their ON bits
            return value | (value & 0x0101_0001) << 1
        if offset == 0x08:  # CFGR: SWS follows SW
            return value & ~0xC | (value & 3) << 2
        if offset == 0x74:  # CSR: LSIRDY follows LSION
            return value | (value & 1) << 1
        return value


class Power(Registers):
    """CSR says that voltage scaling and over-drive are ready."""

    def read(self, offset: int) -> int:
        return super().read(offset) | (0x3_4000 if offset == 0x04 else 0)


class Gpio(Registers):
    """One port: levels from outside in, changes of the outputs out."""

    MODER, IDR, ODR, BSRR = 0x00, 0x10, 0x14, 0x18

    def __init__(self, port: str, changed: Callable[[str, int], None]) -> None:
        super().__init__()
        self.port = port
        self.driven = 0
        self._changed = changed

    def read(self, offset: int) -> int:
        if offset == self.IDR:
            return self.driven
        return super().read(offset)

    def write(self, offset: int, value: int) -> None:
        if offset != self.BSRR:
            super().write(offset, value)
            return
        before = self.words.get(self.ODR, 0)
        after = before & ~(value >> 16) | value & 0xFFFF
        self.words[self.ODR] = after
        for pin in range(16):
            if (before ^ after) >> pin & 1:
                self._changed(f"P{self.port}{pin}", after >> pin & 1)


class Exti(Registers):
    """Edges to pending bits, for the port that SYSCFG selects."""

    IMR, RTSR, FTSR, PR = 0x00, 0x08, 0x0C, 0x14

    def __init__(self, syscfg: Registers) -> None:
        super().__init__()
        self._syscfg = syscfg

    def write(self, offset: int, value: int) -> None:
        if offset == self.PR:  # cleared by writing 1
            value = self.read(self.PR) & ~value
        super().write(offset, value)

    def edge(self, port: str, pin: int, level: int) -> None:
        """A pin has changed to ``level``."""
        selected = self._syscfg.read(0x08 + pin // 4 * 4) >> pin % 4 * 4 & 0xF
        wanted = self.read(self.RTSR if level else self.FTSR)
        if "ABCDEFGHI".index(port) == selected and wanted >> pin & 1:
            self.words[self.PR] = self.read(self.PR) | 1 << pin

    def step(self) -> None: ...

    def idle(self) -> bool:
        return False

    def interrupts(self) -> Iterable[int]:
        asked = self.read(self.PR) & self.read(self.IMR)
        return {irq for line, irq in EXTI_IRQS.items() if asked >> line & 1}


class Timer(Registers):
    """The time base: its counter stands still until the processor waits, and then leaps to the
    alarm, compare channel 2.
    """

    DIER, SR, CNT, PSC, CCR2 = 0x0C, 0x10, 0x24, 0x28, 0x38
    ALARM = 1 << 2

    def step(self) -> None: ...

    def idle(self) -> bool:
        if not self.read(self.DIER) & self.ALARM:
            return False
        self.words[self.CNT] = self.read(self.CCR2)
        self.words[self.SR] = self.read(self.SR) | self.ALARM
        return True

    def write(self, offset: int, value: int) -> None:
        if offset == self.SR:  # cleared by writing 0
            value &= self.read(self.SR)
        super().write(offset, value)

    def interrupts(self) -> Iterable[int]:
        return {TIM5_IRQ} if self.read(self.DIER) & self.read(self.SR) & self.ALARM else ()


class Random(Registers):
    """Numbers that anybody could foresee, each as soon as it is asked for."""

    SR, DR = 0x04, 0x08

    def __init__(self) -> None:
        super().__init__()
        self._state = 1

    def read(self, offset: int) -> int:
        if offset == self.SR:  # DRDY
            return 1
        if offset == self.DR:  # Numerical Recipes, section 7.1
            self._state = (1_664_525 * self._state + 1_013_904_223) & 0xFFFF_FFFF
            return self._state
        return super().read(offset)


class Stm32f429(CortexM4):
    """The chip with an image in its flash, and what can be seen of it from outside."""

    def __init__(self, image: Path) -> None:
        super().__init__(image, flash=(0x0800_0000, 0x20_0000), ram=(0x2000_0000, 0x3_0000))
        #: What the outputs did, in order: pin and level.
        self.changes: list[tuple[str, int]] = []
        #: Called at every change of an output.
        self.watchers: list[Callable[[str, int], None]] = [
            lambda pin, level: self.changes.append((pin, level))
        ]
        syscfg = Registers()
        self.ports = {port: Gpio(port, self._changed) for port in "ABCDEFGHI"}
        self.exti, self.timer = Exti(syscfg), Timer()
        self.spi = Spi()
        self.uart = Uart(UART5_IRQ)
        #: The port to the host, through the debug probe.
        self.host = Uart(USART3_IRQ)
        dma = Dma(DMA1_IRQS, {0: self.uart, 7: self.uart}, self.memory, self.write_memory)
        for index, port in enumerate(self.ports.values()):
            self.peripherals[0x4002_0000 + 0x400 * index] = port
        self.peripherals |= {
            0x4000_0C00: self.timer,
            0x4000_4800: self.host,
            0x4000_5000: self.uart,
            0x4000_7000: Power(),
            0x4001_3000: self.spi,
            0x4001_3800: syscfg,
            0x4001_3C00: self.exti,
            0x4002_3800: Rcc(),
            0x4002_6000: dma,
            0x5006_0800: Random(),
        }
        # The port before the DMA, which takes a byte before the program could see it.
        self.clocked += [self.exti, self.timer, self.host, self.uart, dma]

    def drive(self, pin: str, level: int) -> None:
        """Puts a level on an input from outside, such as ``PA0``."""
        port, number = pin[1], int(pin[2:])
        gpio = self.ports[port]
        if gpio.driven >> number & 1 != level:
            gpio.driven ^= 1 << number
            self.exti.edge(port, number, level)

    def output(self, pin: str) -> int:
        """The level of an output."""
        return self.ports[pin[1]].read(Gpio.ODR) >> int(pin[2:]) & 1

    def pulses(self, pin: str) -> int:
        """How often an output rose and fell again."""
        levels = [level for changed, level in self.changes if changed == pin]
        assert levels == [1, 0] * (len(levels) // 2), f"{pin} did {levels}"
        return len(levels) // 2

    def _changed(self, pin: str, level: int) -> None:
        for watcher in self.watchers:
            watcher(pin, level)
