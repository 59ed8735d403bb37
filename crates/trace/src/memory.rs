//! Memory limits for reading a capture.
//!
//! A small file can contain a large capture: repeated samples compress a thousandfold, and each may be an
//! edge. Memory is therefore not limited by the file size but by counting before each allocation.

use std::fmt;

use crate::error::Problem;

/// Memory limit for a capture. It also limits the unpacked size of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemoryLimit(u64);

impl MemoryLimit {
    /// Unpacked bytes permitted per byte of the memory limit. They pass through a small buffer, so they cost
    /// time but no memory.
    const UNPACKED: u64 = 16;
    /// Ratio of the limit to the largest text that is read completely. Parsed as JSON, a text
    /// needs up to 20 times its size.
    const TEXT: u64 = 128;

    /// A limit in bytes.
    #[must_use]
    pub const fn of(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Limit in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Largest unpacked size of an archive, bytes.
    #[must_use]
    pub const fn unpacked_bytes(self) -> u64 {
        self.0.saturating_mul(Self::UNPACKED)
    }

    /// Largest size of a text that is read completely, bytes.
    pub(crate) const fn text_bytes(self) -> u64 {
        self.0 / Self::TEXT
    }

    /// Largest size of each of `buffers` buffers, which share half of the limit, bytes.
    pub(crate) const fn share_bytes(self, buffers: usize) -> u64 {
        self.0 / 2 / if buffers == 0 { 1 } else { buffers as u64 }
    }

    /// Smallest limit that permits `wanted` if this one permits `allowed`.
    pub(crate) fn raised(self, wanted: u64, allowed: u64) -> Self {
        let scaled = u128::from(self.0) * u128::from(wanted) / u128::from(allowed.max(1));
        let bytes = u64::try_from(scaled).unwrap_or(u64::MAX);
        Self(bytes.saturating_add(1).checked_next_power_of_two().unwrap_or(u64::MAX))
    }
}

impl Default for MemoryLimit {
    /// 2 GiB: twenty million transfers with their statistics.
    fn default() -> Self {
        Self::of(2 << 30)
    }
}

/// Formats the limit in the syntax of the option that sets it.
impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Bytes(self.0), f)
    }
}

/// A number of bytes in a suitable unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (shift, unit) in [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")] {
            if self.0 >> shift > 0 {
                let whole = self.0.is_multiple_of(1 << shift);
                let value = self.0 as f64 / (1u64 << shift) as f64;
                return write!(f, "{value:.*}{unit}", usize::from(!whole));
            }
        }
        write!(f, "{}B", self.0)
    }
}

/// Counts the memory of a capture.
#[derive(Clone, Debug, Default)]
pub struct Held {
    limit: MemoryLimit,
    bytes: u64,
    /// Reason why the memory was not sufficient.
    refused: Option<Refused>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    ByLimit,
    BySystem,
}

impl Held {
    /// An empty count with a limit.
    #[must_use]
    pub const fn within(limit: MemoryLimit) -> Self {
        Self { limit, bytes: 0, refused: None }
    }

    /// Appends an item with a size of `item_bytes` to a list. If there is no memory for the item,
    /// [`refusal`](Self::refusal) returns a problem from then on.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T, item_bytes: usize) {
        if list.len() < list.capacity() {
            list.push(item);
        } else {
            self.push_to_full(list, item, item_bytes);
        }
    }

    /// Separate from [`push`](Self::push), so that the code executed for every edge stays short.
    #[cold]
    #[inline(never)]
    fn push_to_full<T>(&mut self, list: &mut Vec<T>, item: T, item_bytes: usize) {
        if self.grow(list, item_bytes) {
            list.push(item);
        }
    }

    /// Grows a list with items of `item_bytes`. Its capacity is doubled, or extended by the remaining memory.
    /// Returns `false` if no memory remains; [`refusal`](Self::refusal) then returns a problem from then on.
    #[cold]
    #[inline(never)]
    pub fn grow<T>(&mut self, list: &mut Vec<T>, item_bytes: usize) -> bool {
        let item_bytes = item_bytes.max(1) as u64;
        let left = (self.limit.bytes().saturating_sub(self.bytes)) / item_bytes;
        let more = (list.capacity().max(4) as u64).min(left);
        let spare = list.capacity() - list.len();
        let room = usize::try_from(more).unwrap_or(usize::MAX).saturating_add(spare);
        if more == 0 {
            self.refused.get_or_insert(Refused::ByLimit);
        } else if list.try_reserve_exact(room).is_err() {
            self.starve();
        } else {
            self.bytes += more * item_bytes;
        }
        self.refused.is_none()
    }

    /// Records that the operating system refused an allocation.
    pub fn starve(&mut self) {
        self.refused.get_or_insert(Refused::BySystem);
    }

    /// Counts memory that is already allocated.
    ///
    /// # Errors
    /// If it exceeds the limit.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Problem> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limit.bytes() {
            self.refused.get_or_insert(Refused::ByLimit);
        }
        self.refusal().map_or(Ok(()), Err)
    }

    /// Problem that prevents further allocations, if any.
    #[must_use]
    pub fn refusal(&self) -> Option<Problem> {
        self.refused.map(|refused| match refused {
            Refused::ByLimit => Problem::OverMemory { limit: self.limit },
            Refused::BySystem => Problem::OutOfMemory { held: self.bytes },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_to_the_limit_and_not_past_it() {
        let mut held = Held::within(MemoryLimit::of(1_000));
        let mut list = Vec::new();
        for _ in 0..200 {
            held.push(&mut list, 7u64, 10);
        }
        assert_eq!((list.len(), list.capacity()), (100, 100));
        let refusal = held.refusal().unwrap().to_string();
        assert!(refusal.contains("1000B") && refusal.contains("--memory 2KiB"), "{refusal}");
        assert!(!held.grow(&mut vec![0u8; 1], 1));
    }

    #[test]
    fn room_that_a_list_has_left_is_not_counted_twice() {
        let mut held = Held::within(MemoryLimit::of(1_000));
        let mut list = Vec::with_capacity(40);
        held.charge(400).unwrap();
        list.push(7u64);
        assert!(held.grow(&mut list, 10));
        assert_eq!((list.capacity(), held.bytes), (80, 800));
    }

    #[test]
    fn what_the_system_refuses_is_no_abort() {
        let mut held = Held::within(MemoryLimit::of(u64::MAX));
        let mut list: Vec<[u8; 1 << 40]> = Vec::new();
        while held.grow(&mut list, 1) {
            assert!(list.capacity() < 1 << 20);
            held.bytes = 0;
        }
        assert!(matches!(held.refusal(), Some(Problem::OutOfMemory { .. })));
    }

    #[test]
    fn sizes_are_written_as_the_option_takes_them() {
        let texts = [1 << 30, 3 << 29, 17 << 20, 1_000, 5 << 40].map(|b| Bytes(b).to_string());
        assert_eq!(texts, ["1GiB", "1.5GiB", "17MiB", "1000B", "5TiB"]);
        assert_eq!(MemoryLimit::of(2 << 30).raised(40 << 30, 32 << 30), MemoryLimit::of(4 << 30));
    }
}
