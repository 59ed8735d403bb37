"""Time of an emulated nRF52840: events, clocks of program and radio, and the interconnect.

Registers are those of the product specification v1.7. Time passes only while the processor waits,
from one event to the next, so an instruction takes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from .cortex_m4 import Registers

RTC1_IRQ = 17
TIMER0 = 0x4000_8000
FOREVER = 1 << 62


class Events(Registers):
    """A peripheral with tasks, events, and a bit for each event that enables its interrupt."""

    INTENSET, INTENCLR = 0x304, 0x308
    #: Interrupt number.
    IRQ = 0

    def __init__(self) -> None:
        super().__init__()
        self.enabled = 0

    def write(self, offset: int, value: int) -> None:
        if offset == self.INTENSET:
            self.enabled |= value
        elif offset == self.INTENCLR:
            self.enabled &= ~value
        elif offset < 0x100 and value & 1:
            self.task(offset)
        else:
            super().write(offset, value)

    def read(self, offset: int) -> int:
        if offset in (self.INTENSET, self.INTENCLR):
            return self.enabled
        return super().read(offset)

    def task(self, offset: int) -> None:
        """Does what a task register triggers."""

    def event(self, offset: int) -> None:
        """Sets an event."""
        self.words[offset] = 1

    def step(self) -> None: ...

    def idle(self) -> bool:
        return False

    def interrupts(self) -> Iterable[int]:
        events = (bit for bit in range(32) if self.enabled >> bit & 1)
        return {self.IRQ} if any(self.words.get(0x100 + 4 * bit) for bit in events) else ()


class Time:
    """Virtual time, ns, and what is due at which time."""

    def __init__(self) -> None:
        self.now = 0
        #: Nothing happens later than this.
        self.horizon = FOREVER
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        #: Alarms of timers, as the time of the next one and what it does.
        self.alarms: list[Callable[[], tuple[int, Callable[[], None]] | None]] = []

    def at(self, time: int, action: Callable[[], None]) -> None:
        """Does something at a time."""
        self._count += 1
        self._due.append((time, self._count, action))
        self._due.sort(key=lambda due: due[:2])

    def step(self) -> None: ...

    def interrupts(self) -> Iterable[int]:
        return ()

    def idle(self) -> bool:
        """Advances to what is due next."""
        alarms = [alarm for each in self.alarms if (alarm := each()) is not None]
        next_alarm = min(alarms, key=lambda alarm: alarm[0], default=(FOREVER, lambda: None))
        next_due = self._due[0][0] if self._due else FOREVER
        if min(next_alarm[0], next_due) >= self.horizon:
            return False
        if next_due <= next_alarm[0]:
            self.now, _, action = self._due.pop(0)
        else:
            self.now, action = next_alarm
        action()
        return True


class Rtc(Events):
    """The time base of the program, 32,768 ticks a second. Of its alarms only the first one is
    modelled, and the overflow is not."""

    IRQ = RTC1_IRQ
    COUNTER, COMPARE, CC = 0x504, 0x140, 0x540
    SECOND = 1_000_000_000

    def __init__(self, time: Time) -> None:
        super().__init__()
        self._time = time
        time.alarms.append(self._next)

    def _ticks(self) -> int:
        return self._time.now * 32_768 // self.SECOND

    def read(self, offset: int) -> int:
        return self._ticks() if offset == self.COUNTER else super().read(offset)

    def _next(self) -> tuple[int, Callable[[], None]] | None:
        ticks = self.words.get(self.CC, 0)
        if not self.enabled >> 16 & 1 or ticks <= self._ticks():
            return None
        return -(-ticks * self.SECOND // 32_768), lambda: self.event(self.COMPARE)


class Timer(Events):
    """TIMER0, which counts microseconds; an alarm is what the interconnect passes on."""

    COMPARE, CC = 0x140, 0x540

    def __init__(self, time: Time, signal: Callable[[int], bool]) -> None:
        super().__init__()
        self._time, self._signal = time, signal
        self._began = 0
        time.alarms.append(self._next)

    def count(self) -> int:
        return (self._time.now - self._began) // 1_000

    def task(self, offset: int) -> None:
        if offset == 0x0C:  # CLEAR
            self._began = self._time.now
        elif 0x40 <= offset < 0x58:  # CAPTURE
            self.words[self.CC + offset - 0x40] = self.count() & 0xFFFF_FFFF

    def _next(self) -> tuple[int, Callable[[], None]] | None:
        due = []
        for number in range(2):
            at = self.words.get(self.CC + 4 * number, 0)
            if at > self.count() and self._signal(TIMER0 + self.COMPARE + 4 * number, False):
                due.append((self._began + 1_000 * at, number))
        if not due:
            return None
        time, number = min(due)
        return time, lambda: self._occur(self.COMPARE + 4 * number)

    def _occur(self, offset: int) -> None:
        self.event(offset)
        self._signal(TIMER0 + offset, True)


class Interconnect(Registers):
    """PPI: events of one peripheral to tasks of another."""

    CHENSET, CHENCLR, CH = 0x504, 0x508, 0x510
    #: Channels that are not programmable, of section 6.16.1.2: event and task.
    FIXED: ClassVar[dict[int, tuple[int, int]]] = {
        20: (0x4000_8140, 0x4000_1000),
        21: (0x4000_8140, 0x4000_1004),
        22: (0x4000_8144, 0x4000_1010),
    }

    def __init__(self, store: Callable[[int, int], None]) -> None:
        super().__init__()
        self._store = store
        self._enabled: set[int] = set()

    def write(self, offset: int, value: int) -> None:
        channels = {bit for bit in range(32) if value >> bit & 1}
        if offset == self.CHENSET:
            self._enabled |= channels
        elif offset == self.CHENCLR:
            self._enabled -= channels
        else:
            super().write(offset, value)

    def signal(self, event: int, triggers: bool = True) -> bool:
        """Whether an enabled channel passes on an event, whose task it then triggers."""
        tasks = []
        for channel in self._enabled:
            at = self.CH + 8 * channel
            ends = self.FIXED.get(channel) or (self.words.get(at), self.words.get(at + 4))
            if ends[0] == event and ends[1] is not None:
                tasks.append(ends[1])
        for task in tasks if triggers else []:
            self._store(task, 1)
        return bool(tasks)
