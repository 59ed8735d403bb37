//! Clocks and pins of a Nucleo-F429ZI. The README has the same table by connector.

use airlag_ends::delay::AtLeast;
use airlag_ends::program::{self, Pins};
use airlag_ends::strobe::{self, Hold};
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

bind_interrupts!(struct Irqs {
    EXTI0 => exti::InterruptHandler<interrupt::typelevel::EXTI0>;
    EXTI4 => exti::InterruptHandler<interrupt::typelevel::EXTI4>;
    EXTI9_5 => exti::InterruptHandler<interrupt::typelevel::EXTI9_5>;
});

/// SPI clock: 84 MHz over 8, as in the latency comparison of `docs/sources.md`. Both radios are
/// specified up to 10 MHz. The next possible clock below that is 5_250_000.
const SPI_HZ: u32 = 10_500_000;

/// An input whose edges can be awaited.
pub type Input = ExtiInput<'static, Async>;
/// A bus with one chip on it.
pub type Bus =
    ExclusiveDevice<BlockingAsync<Spi<'static, Blocking, Master>>, Output<'static>, AtLeast>;
/// An nRF24L01+ on the radio header.
pub type Nrf24 = airlag_ends::nrf24::Nrf24<Bus, Output<'static>, Input>;
/// An RFM95W or another SX127x module on the radio header.
pub type Sx127x = airlag_ends::sx127x::Sx127x<Bus, Input, Output<'static>>;
/// An output for pulses.
pub type Strobe = strobe::Strobe<Output<'static>, Microsecond>;

/// Hold of a pulse.
pub struct Microsecond;

impl Hold for Microsecond {
    /// Waits for at least 168 cycles, which are 1 us. The function runs one iteration of a loop per two
    /// cycles of its argument, and one more. An iteration takes three cycles or more.
    fn hold() {
        cortex_m::asm::delay(168);
    }
}

/// Pins and peripherals for the images.
pub struct Board {
    /// Pins of an end: PA0 as the trigger, PE14 as the mark, PE15 as the strobe.
    pub pins: Pins<Input, Strobe, Light>,
    /// The serial port to the host.
    pub host: Host,
    /// The radio header.
    pub radio: Radio,
    /// The serial port of a wire or a modem.
    pub serial: Port,
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

impl Radio {
    /// The header with an nRF24L01+. `None` if the settings of the image are invalid.
    #[must_use]
    pub fn nrf24(self) -> Option<Nrf24> {
        Nrf24::new(self.bus, self.control, self.interrupt)
    }

    /// The header with an SX127x. `None` if the settings of the image are invalid.
    #[must_use]
    pub fn sx127x(self) -> Option<Sx127x> {
        Sx127x::new(self.bus, self.control, self.interrupt, self.ready)
    }
}

/// USART3, which the ST-LINK of the board connects to a serial port of the host.
pub struct Host {
    /// The port.
    pub port: Peri<'static, peripherals::USART3>,
    /// PD8.
    pub tx: Peri<'static, peripherals::PD8>,
    /// PD9.
    pub rx: Peri<'static, peripherals::PD9>,
}

/// UART5, before it is configured for polling, interrupts or DMA.
pub struct Port {
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
    /// Starts the clocks and configures the pins. The red light is on.
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
            pins: Pins {
                trigger: ExtiInput::new(p.PA0, p.EXTI0, Pull::Down, Irqs),
                mark: Strobe::new(Output::new(p.PE14, Level::Low, Speed::VeryHigh)),
                strobe: Strobe::new(Output::new(p.PE15, Level::Low, Speed::VeryHigh)),
                light: Light,
            },
            host: Host { port: p.USART3, tx: p.PD8, rx: p.PD9 },
            radio: Radio {
                bus,
                control: Output::new(p.PD15, Level::Low, Speed::VeryHigh),
                interrupt: ExtiInput::new(p.PB4, p.EXTI4, Pull::None, Irqs),
                ready: ExtiInput::new(p.PC7, p.EXTI7, Pull::None, Irqs),
            },
            serial: Port {
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
/// `docs/sources.md`. The clock source is the 8 MHz output of the ST-LINK on the board. UART5 and
/// USART3 get 42 MHz, SPI1 gets 84 MHz, and the random number generator gets the 48 MHz that it requires.
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
pub struct Light;

impl program::Light for Light {
    fn switch(&mut self, on: bool) {
        let pin = 14;
        pac::GPIOB.bsrr().write(|w| if on { w.set_bs(pin, true) } else { w.set_br(pin, true) });
    }
}

/// Stops the board with the red light on, after an error that cannot be handled.
pub fn halt() -> ! {
    program::Light::switch(&mut Light, true);
    cortex_m::interrupt::disable();
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    halt()
}
