//! Asynchronous serial transmission with a start bit, eight data bits and a stop bit (8N1).

/// Bits on the wire for one byte of 8N1.
pub const BITS_PER_BYTE: u64 = 10;

/// Actual rate of a UART whose `clock_hz` is divided by the nearest whole number, millihertz.
///
/// RM0090 (STM32F4), USART fractional baud rate generation: with 16 times oversampling the divider
/// has steps of a sixteenth, so bit time is a whole number of clock periods.
#[must_use]
pub const fn real_baud_millihertz(clock_hz: u64, baud: u64) -> u64 {
    clock_hz * 1000 / divider(clock_hz, baud)
}

/// Nearest whole divider, never zero.
#[must_use]
pub const fn divider(clock_hz: u64, baud: u64) -> u64 {
    let nearest = (clock_hz + baud / 2) / baud;
    if nearest == 0 { 1 } else { nearest }
}

/// Duration of `bytes` bytes at a divided clock, rounded, nanoseconds.
#[must_use]
pub const fn duration_ns(bytes: u64, clock_hz: u64, divider: u64) -> u64 {
    let periods = bytes as u128 * BITS_PER_BYTE as u128 * divider as u128;
    ((periods * 1_000_000_000 + clock_hz as u128 / 2) / clock_hz as u128) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_are_those_of_the_reference_manual() {
        // RM0090, error calculation for programmed baud rates, oversampling by 16: at 84 MHz
        // 115.226 and 923.076 kbit/s, at 42 MHz 115.068 kbit/s.
        assert_eq!(real_baud_millihertz(84_000_000, 115_200) / 1000, 115_226);
        assert_eq!(real_baud_millihertz(84_000_000, 921_600) / 1000, 923_076);
        assert_eq!(real_baud_millihertz(42_000_000, 115_200) / 1000, 115_068);
    }

    #[test]
    fn twelve_bytes_take_what_a_logic_analyser_shows_on_the_wire() {
        // Capture with the wire on a third channel: 116 bits from the first start bit to the last
        // edge in 1005.332 us. This is 42 MHz divided by 364, as computed by the library of the
        // captured program.
        assert_eq!(duration_ns(12, 42_000_000, 364), 1_040_000);
        assert_eq!(duration_ns(1, 42_000_000, 364) * 116 / 10, 1_005_337);
    }
}
