//! Instructions with documented cycle counts, between the edges of pulses on GP15.
//!
//! The program makes two pulses for each instruction in the table of the README. The instruction
//! runs 100 times during the first pulse, and 200 times during the second pulse. The difference of
//! the two pulse widths is therefore the time of 100 instructions alone. The instructions run from
//! RAM, because the first run from flash would wait for the flash cache.

#![no_std]
#![no_main]
#![expect(unsafe_code, reason = "only assembly has a known number of cycles")]

use core::arch::asm;

use airlag_rp2040::end;
use embassy_rp::gpio::{Level, Output};

/// Base address of SIO. GPIO_OUT_SET and GPIO_OUT_CLR are at offsets from it (RP2040 data sheet, section 2.3.1.7).
const SIO: u32 = 0xD000_0000;
/// SYSINFO, behind the bridge to the peripherals; its registers are read-only (section 2.20.1).
const SYSINFO: u32 = 0x4000_0000;
/// GP15.
const PIN: u32 = 1 << 15;

/// A function with two pulses around 100 and 200 repetitions.
macro_rules! measured {
    ($name:ident: $($line:literal),+) => {
        #[unsafe(link_section = ".data.measured")]
        #[inline(never)]
        fn $name() {
            let mut word = 0_u32;
            pulse!("100", &raw mut word, $($line),+);
            pulse!("200", &raw mut word, $($line),+);
        }
    };
}

/// One pulse. `r0` is free, `r1` points to a word in RAM, `r2` to SIO, `r4` to SYSINFO, and label 9 is a function that returns.
macro_rules! pulse {
    ($times:literal, $word:expr, $($line:literal),+) => {
        // SAFETY: it writes the word, two registers of SIO that affect GP15 only, and the stack below its top,
        // and declares the registers that it changes.
        unsafe {
            asm!(
                "str r3, [r2, #0x14]",
                concat!(".rept ", $times),
                $($line),+,
                ".endr",
                "str r3, [r2, #0x18]",
                "b 8f",
                ".balign 4",
                "9: bx lr",
                "8:",
                inout("r0") 0_u32 => _,
                in("r1") $word,
                in("r2") SIO,
                in("r3") PIN,
                in("r4") SYSINFO,
                out("lr") _,
            );
        }
    };
}

measured!(add: "adds r0, #1");
measured!(multiply: "muls r0, r3, r0");
measured!(taken_branch: "b 7f", "7:");
measured!(call: "bl 9f");
measured!(load: "ldr r0, [r1]");
measured!(store: "str r0, [r1]");
measured!(load_io: "ldr r0, [r2]");
measured!(load_peripheral: "ldr r0, [r4]");
measured!(store_peripheral: "str r0, [r4]");
measured!(push_and_pop: "push {{r0, r1, r2, r3}}", "pop {{r0, r1, r2, r3}}");
measured!(barrier: "dmb");
measured!(read_special: "mrs r0, primask");

#[cortex_m_rt::entry]
fn main() -> ! {
    let p = embassy_rp::init(Default::default());
    core::mem::forget(Output::new(p.PIN_15, Level::Low));
    cortex_m::interrupt::free(|_| {
        for measured in [
            add,
            multiply,
            taken_branch,
            call,
            load,
            store,
            load_io,
            load_peripheral,
            store_peripheral,
            push_and_pop,
            barrier,
            read_special,
        ] {
            measured();
        }
    });
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    end::halt()
}
