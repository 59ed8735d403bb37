//! Asynchronous serial: start bit, eight data bits, stop bit.

/// Bits on the wire for one byte of 8N1.
pub const BITS_PER_BYTE: u64 = 10;

/// The rate a UART really runs at when `clock_hz` is divided by the nearest whole number.
///
/// RM0090 (STM32F4), USART fractional baud rate generation: with 16 times oversampling the divider
/// has steps of a sixteenth, so bit time is a whole number of clock periods.
#[must_use]
pub const fn real_baud_millihertz(clock_hz: u64, baud: u64) -> u64 {
    clock_hz * 1000 / divider(clock_hz, baud)
}

/// The nearest whole divider, never zero.
#[must_use]
pub const fn divider(clock_hz: u64, baud: u64) -> u64 {
    let nearest = (clock_hz + baud / 2) / baud;
    if nearest == 0 { 1 } else { nearest }
}

/// Nanoseconds for `bytes` bytes at a divided clock, rounded to the nearest.
#[must_use]
pub const fn duration_ns(bytes: u64, clock_hz: u64, divider: u64) -> u64 {
    let periods = bytes as u128 * BITS_PER_BYTE as u128 * divider as u128;
    ((periods * 1_000_000_000 + clock_hz as u128 / 2) / clock_hz as u128) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_stm32f4_at_84_mhz_runs_at_the_rates_that_were_measured() {
        // Measured on a logic analyser: 115226 and 923077 baud.
        assert_eq!(real_baud_millihertz(84_000_000, 115_200) / 1000, 115_226);
        assert_eq!(real_baud_millihertz(84_000_000, 921_600) / 1000, 923_076);
    }

    #[test]
    fn a_kilobyte_at_115200_takes_what_was_measured() {
        // 88.877 ms captured, 3 us of it software.
        let ns = duration_ns(1024, 84_000_000, divider(84_000_000, 115_200));
        assert_eq!(ns, 88_868_571);
    }
}
