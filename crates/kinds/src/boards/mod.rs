//! Components that several kinds of link share: boards and their pins, a bus, a port, a piconet.

pub mod bare;
pub mod deep_sleep;
pub mod piconet;
pub mod rtos;
pub mod serial;
pub mod spi;
pub mod stm32;
