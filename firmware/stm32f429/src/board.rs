//! Clocks and pins of a Nucleo-F429ZI. The README has the same table by connector.

use embassy_embedded_hal::adapter::BlockingAsync;
use embassy_stm32::exti::{self, ExtiInput};
use embassy_stm32::gpio::{Level, Output, Pull, Speed};
use embassy_stm32::mode::{Async, Blocking};
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, Hse, HseMode, Pll, PllMul, PllPDiv, PllPreDiv, PllQDiv, PllSource,
    Sysclk,
};
use embassy_stm32::spi::{self, Spi, mode::Master};
use embassy_stm32::time::Hertz;
use embassy_stm32::{Config, Peri, bind_interrupts, interrupt, pac, peripherals};
use embedded_hal_bus::spi::ExclusiveDevice;

use crate::delay::AtLeast;
use crate::settings::SPI_HZ;
use crate::strobe::Strobe;

bind_interrupts!(struct Irqs {
    EXTI0 => exti::InterruptHandler<interrupt::typelevel::EXTI0>;
    EXTI4 => exti::InterruptHandler<interrupt::typelevel::EXTI4>;
    EXTI9_5 => exti::InterruptHandler<interrupt::typelevel::EXTI9_5>;
});

/// An input whose edges can be awaited.
pub type Input = ExtiInput<'static, Async>;
/// A bus with one chip on it.
pub type Bus =
    ExclusiveDevice<BlockingAsync<Spi<'static, Blocking, Master>>, Output<'static>, AtLeast>;

/// Pins and peripherals for the images.
pub struct Board {
    /// PA0: starts a transfer.
    pub trigger: Input,
    /// PE15: marks the arrival of a message.
    pub strobe: Strobe,
    /// The radio header.
    pub radio: Radio,
    /// The serial port.
    pub serial: Serial,
    /// The generator of random numbers.
    pub random: Peri<'static, peripherals::RNG>,
}

/// SPI1 and the other pins of a radio.
pub struct Radio {
    /// PA5, PA6, PB5, and PD14 as chip select.
    pub bus: Bus,
    /// PD15: CE of an nRF24, reset of an SX127x.
    pub control: Output<'static>,
    /// PB4: IRQ of an nRF24, DIO0 of an SX127x.
    pub interrupt: Input,
    /// PC7: DIO5 of an SX127x.
    pub ready: Input,
}

/// UART5, before it is configured for polling, interrupts or DMA.
pub struct Serial {
    /// The port.
    pub port: Peri<'static, peripherals::UART5>,
    /// PC12.
    pub tx: Peri<'static, peripherals::PC12>,
    /// PD2.
    pub rx: Peri<'static, peripherals::PD2>,
    /// DMA1 stream 7, channel 4.
    pub tx_dma: Peri<'static, peripherals::DMA1_CH7>,
    /// DMA1 stream 0, channel 4.
    pub rx_dma: Peri<'static, peripherals::DMA1_CH0>,
}

impl Board {
    /// Starts the clocks and configures the pins. The red light is on until [`ready`] is called.
    #[must_use]
    pub fn start() -> Self {
        let p = embassy_stm32::init(clocks());
        core::mem::forget(Output::new(p.PB14, Level::High, Speed::Low));
        let mut config = spi::Config::default();
        config.frequency = Hertz(SPI_HZ);
        let spi = Spi::new_blocking(p.SPI1, p.PA5, p.PB5, p.PA6, config);
        let select = Output::new(p.PD14, Level::High, Speed::VeryHigh);
        let Ok(bus) = ExclusiveDevice::new(BlockingAsync::new(spi), select, AtLeast);
        Self {
            trigger: ExtiInput::new(p.PA0, p.EXTI0, Pull::Down, Irqs),
            strobe: Strobe::new(Output::new(p.PE15, Level::Low, Speed::VeryHigh)),
            radio: Radio {
                bus,
                control: Output::new(p.PD15, Level::Low, Speed::VeryHigh),
                interrupt: ExtiInput::new(p.PB4, p.EXTI4, Pull::None, Irqs),
                ready: ExtiInput::new(p.PC7, p.EXTI7, Pull::None, Irqs),
            },
            serial: Serial {
                port: p.UART5,
                tx: p.PC12,
                rx: p.PD2,
                tx_dma: p.DMA1_CH7,
                rx_dma: p.DMA1_CH0,
            },
            random: p.RNG,
        }
    }
}

/// Clock configuration with a system clock of 168 MHz, as in the latency comparison of
/// `docs/sources.md`. The clock source is the 8 MHz output of the ST-LINK on the board. UART5 gets
/// 42 MHz, SPI1 gets 84 MHz, and the random number generator gets the 48 MHz that it requires.
/// Without the ST-LINK, the program stops in this function, with the red light of the board off.
fn clocks() -> Config {
    let mut config = Config::default();
    let rcc = &mut config.rcc;
    rcc.hse = Some(Hse { freq: Hertz(8_000_000), mode: HseMode::Bypass });
    rcc.pll_src = PllSource::HSE;
    rcc.pll = Some(Pll {
        prediv: PllPreDiv::DIV4,
        mul: PllMul::MUL168,
        divp: Some(PllPDiv::DIV2),
        divq: Some(PllQDiv::DIV7),
        divr: None,
    });
    rcc.sys = Sysclk::PLL1_P;
    rcc.ahb_pre = AHBPrescaler::DIV1;
    rcc.apb1_pre = APBPrescaler::DIV4;
    rcc.apb2_pre = APBPrescaler::DIV2;
    config
}

/// LD3, the red light.
const LD3: usize = 14;

/// Set-up is complete: switches the red light off.
pub fn ready() {
    pac::GPIOB.bsrr().write(|w| w.set_br(LD3, true));
}

/// Switches the red light on after an error. It stays on.
pub fn complain() {
    pac::GPIOB.bsrr().write(|w| w.set_bs(LD3, true));
}

/// Stops the board after an error that cannot be handled.
pub fn halt() -> ! {
    complain();
    cortex_m::interrupt::disable();
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    halt()
}
