//! Packets that a node has seen (`PacketHistory.cpp`).

use std::collections::VecDeque;

/// Packets of the history. The firmware keeps at least 100, and replaces the oldest one.
const MOST: usize = 100;

/// The packets seen last, by sender and identifier.
#[derive(Clone, Debug, Default)]
pub struct History(VecDeque<(u32, u32)>);

impl History {
    /// Records a packet in place of the oldest one; returns true if it had been seen before.
    pub fn sees_again(&mut self, from: u32, id: u32) -> bool {
        if self.0.contains(&(from, id)) {
            return true;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back((from, id));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_new_once_until_many_others_follow() {
        let mut history = History::default();
        assert!(!history.sees_again(1, 0));
        assert!(history.sees_again(1, 0));
        assert!(!history.sees_again(2, 0));
        for id in 1..=MOST as u32 {
            assert!(!history.sees_again(1, id));
        }
        assert!(!history.sees_again(1, 0));
    }
}
