use core::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use embedded_hal::digital::{ErrorKind, ErrorType};

use super::*;

/// A trigger with `left` pending edges.
struct Trigger {
    left: u32,
}

impl ErrorType for Trigger {
    type Error = ErrorKind;
}

impl Wait for Trigger {
    async fn wait_for_high(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
    async fn wait_for_low(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
    async fn wait_for_rising_edge(&mut self) -> Result<(), ErrorKind> {
        self.left = self.left.checked_sub(1).ok_or(ErrorKind::Other)?;
        Ok(())
    }
    async fn wait_for_falling_edge(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
    async fn wait_for_any_edge(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

#[derive(Default)]
struct Strobe(Vec<bool>);

impl ErrorType for Strobe {
    type Error = Infallible;
}

impl OutputPin for Strobe {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.push(true);
        Ok(())
    }
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.push(false);
        Ok(())
    }
}

#[test]
fn every_trigger_is_answered_with_one_pulse_until_the_input_fails() {
    let (mut echo, mut strobe) = (Echo::new(), Strobe::default());
    let mut trigger = Trigger { left: 2 };
    let ended =
        pin!(echo.run(&mut trigger, &mut strobe)).poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(ended, Poll::Ready(EchoError::Trigger(ErrorKind::Other)));
    assert_eq!(strobe.0, [true, false, true, false]);
    assert_eq!(echo.answered(), 2);
}
