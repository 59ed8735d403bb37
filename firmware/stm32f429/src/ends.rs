//! The two ends of a link. After an error, the red light stays on and the end continues, so a run
//! that ends with the light off had no error.

use airlag_app::{Receiver, Sender};
use airlag_link::Link;

use crate::board::{self, Input};
use crate::settings::{LARGEST, SIZE};
use crate::strobe::Strobe;

/// Sends a message at every rising edge of the trigger.
pub async fn send(mut trigger: Input, mut link: impl Link) -> ! {
    let Ok(mut sender) = Sender::<LARGEST>::new(SIZE) else { board::halt() };
    loop {
        let _ = sender.run(&mut trigger, &mut link).await;
        board::complain();
    }
}

/// Raises the strobe for every message whose bytes are all correct.
pub async fn receive(mut link: impl Link, mut strobe: Strobe) -> ! {
    let mut receiver = Receiver::<LARGEST>::new();
    loop {
        let _ = receiver.run(&mut link, &mut strobe).await;
        board::complain();
    }
}
