"""A Cortex-M4 without a board: unicorn runs the image, Python answers for the peripherals.

What it leaves out: time (an instruction costs nothing, and while the processor waits the next thing
due happens at once), interrupt priorities and nesting (handlers run one at a time, lowest number
first, and only between slices of the program), stacked registers (they are kept outside of memory),
the MPU and faults. It shows that an image boots and what it does, never how long that takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from elftools.elf.elffile import ELFFile
from unicorn import UC_ARCH_ARM, UC_ERR_EXCEPTION, UC_MODE_MCLASS, UC_MODE_THUMB, Uc, UcError
from unicorn.arm_const import (
    UC_ARM_REG_IPSR,
    UC_ARM_REG_LR,
    UC_ARM_REG_PC,
    UC_ARM_REG_PRIMASK,
    UC_ARM_REG_SP,
    UC_CPU_ARM_CORTEX_M4,
)

#: Instructions between two looks at the peripherals.
SLICE = 2_000
#: Turns (a handler or a slice) after which an image counts as hung.
PATIENCE = 3_000
#: What ``bx lr`` branches to at the end of a handler: to thread mode, main stack, basic frame.
EXC_RETURN = 0xFFFF_FFF9
#: WFE and WFI.
WAITS = (0xBF20, 0xBF30)


class Peripheral(Protocol):
    """A block of registers; offsets are those of 32-bit words."""

    def read(self, offset: int) -> int: ...
    def write(self, offset: int, value: int) -> None: ...


class Clocked(Protocol):
    """A peripheral that does things by itself and interrupts."""

    def step(self) -> None:
        """Does what is to be done without the processor."""

    def idle(self) -> bool:
        """The processor waits: lets the next thing due happen, and tells whether there was one."""

    def interrupts(self) -> Iterable[int]:
        """The interrupts it asks for."""


class Registers:
    """Registers that only remember, which is all that most need."""

    def __init__(self) -> None:
        self.words: dict[int, int] = {}

    def read(self, offset: int) -> int:
        return self.words.get(offset, 0)

    def write(self, offset: int, value: int) -> None:
        self.words[offset] = value


class Nvic(Registers):
    """Enable and pending bits of the interrupt controller, at 0xE000_E000."""

    def __init__(self) -> None:
        super().__init__()
        self.enabled: set[int] = set()
        self.pended: set[int] = set()

    def write(self, offset: int, value: int) -> None:
        sets = {0x100: self.enabled, 0x180: self.enabled, 0x200: self.pended, 0x280: self.pended}
        block = offset & ~0x7F
        if block not in sets:
            super().write(offset, value)
            return
        first = (offset - block) * 8
        numbers = {first + bit for bit in range(32) if value >> bit & 1}
        if block in (0x100, 0x200):
            sets[block].update(numbers)
        else:
            sets[block].difference_update(numbers)


class HungError(AssertionError):
    """The image never came to what the test waits for."""


class CortexM4:
    """The processor, its memory and the bus to ``peripherals`` by base address."""

    #: Bytes of a block of registers, and the start and size of each bus of a chip.
    BLOCK = 0x400
    BUSES = ((0x4000_0000, 0x80000), (0x5006_0000, 0x1000))

    def __init__(self, image: Path, flash: tuple[int, int], ram: tuple[int, int]) -> None:
        self.peripherals: dict[int, Peripheral] = {}
        self.clocked: list[Clocked] = []
        self.nvic = Nvic()
        self.peripherals[0xE000_E000] = self.nvic
        self._unicorn = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        self._unicorn.ctl_set_cpu_model(UC_CPU_ARM_CORTEX_M4)
        for start, size in (flash, ram, (0xFFFF_F000, 0x1000)):
            self._unicorn.mem_map(start, size)
        for start, size in (*self.BUSES, (0xE000_0000, 0x100000)):
            self._unicorn.mmio_map(start, size, self._load, start, self._store, start)
        with image.open("rb") as file:
            for segment in ELFFile(file).iter_segments("PT_LOAD"):
                if segment["p_filesz"]:
                    self._unicorn.mem_write(segment["p_paddr"], segment.data())
        self._vectors = flash[0]
        self._unicorn.reg_write(UC_ARM_REG_SP, self.word(self._vectors))
        self._pc = self.word(self._vectors + 4)

    def word(self, address: int) -> int:
        return int.from_bytes(self.memory(address, 4), "little")

    def memory(self, address: int, size: int) -> bytes:
        return bytes(self._unicorn.mem_read(address, size))

    def write_memory(self, address: int, data: bytes) -> None:
        self._unicorn.mem_write(address, data)

    @property
    def stack(self) -> int:
        """Where the stack ends that is in use: the stack pointer."""
        return int(self._unicorn.reg_read(UC_ARM_REG_SP))

    def settle(self, waits: int = 20, patience: int = PATIENCE) -> None:
        """Runs until the processor waits and goes on waiting."""
        seen = 0
        for _ in range(patience):
            seen = 0 if not self._turn() else seen + 1
            if seen == waits:
                return
        raise HungError(f"the program does not come to rest; it is at {self._pc:#x}")

    def _turn(self) -> bool:
        """A handler or a slice of the program; true if there was nothing to do."""
        for peripheral in self.clocked:
            peripheral.step()
        masked = self._unicorn.reg_read(UC_ARM_REG_PRIMASK) & 1
        if not masked:
            asked = self.nvic.pended.union(*(each.interrupts() for each in self.clocked))
            due = sorted(asked & self.nvic.enabled)
            if due:
                self.nvic.pended.discard(due[0])
                self._handle(due[0])
                return False
        if not self._slice():
            return False
        # With interrupts off a wait is for ever: an image that has halted.
        more = [peripheral.idle() for peripheral in self.clocked]
        return bool(masked) or not any(more)

    def _slice(self) -> bool:
        """Goes on with the program; true if it waits."""
        failure = None
        try:
            self._unicorn.emu_start(self._pc | 1, EXC_RETURN & ~1, count=SLICE)
        except UcError as error:
            failure = error
        self._pc = self._unicorn.reg_read(UC_ARM_REG_PC)
        # A wait ends the slice: WFE with an error, WFI without; the program counter stands on the
        # instruction or behind it.
        for at in (self._pc, self._pc - 2):
            ended = failure is not None or at != self._pc
            if ended and int.from_bytes(self.memory(at, 2), "little") in WAITS:
                self._pc = at + 2
                return True
        if failure:
            raise HungError(f"the program stopped at {self._pc:#x}: {failure}") from failure
        return False

    def _handle(self, number: int) -> None:
        program = self._unicorn.context_save()
        self._unicorn.reg_write(UC_ARM_REG_IPSR, 16 + number)
        self._unicorn.reg_write(UC_ARM_REG_LR, EXC_RETURN)
        handler = self.word(self._vectors + 4 * (16 + number))
        try:
            self._unicorn.emu_start(handler | 1, EXC_RETURN & ~1, count=100 * SLICE)
            raise HungError(f"the handler of interrupt {number} does not end")
        except UcError as error:
            if error.errno != UC_ERR_EXCEPTION:
                raise HungError(f"the handler of interrupt {number} failed: {error}") from error
        self._unicorn.context_restore(program)

    def _find(self, address: int) -> tuple[Peripheral, int]:
        block = self.BLOCK if address < 0xE000_0000 else 0x1000
        base = address & ~(block - 1)
        return self.peripherals.setdefault(base, Registers()), address - base

    def _load(self, _: Uc, offset: int, _size: int, start: int) -> int:
        peripheral, at = self._find(start + offset)
        return peripheral.read(at & ~3) >> 8 * (at & 3)

    def _store(self, _: Uc, offset: int, _size: int, value: int, start: int) -> None:
        peripheral, at = self._find(start + offset)
        peripheral.write(at & ~3, value << 8 * (at & 3))
