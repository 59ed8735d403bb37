//! Containers, and payloads put together of them.

use airlag_rpc::Instant;
use airlag_rpc::assemble::Assembler;
use airlag_rpc::container::{Container, Kind, MAX_CONTAINERS};

/// Room for payloads: more than one container holds.
const ROOM: usize = 600;
const PATIENCE_NS: u64 = 1_000;

/// Bytes as packets, each with its length before it; the first byte of each says how much time passed.
///
/// # Panics
/// If a container is another once it is written again, or a payload is not what its containers carried.
pub fn assembler(bytes: &[u8]) {
    let mut assembler = Assembler::new([0; ROOM]);
    let mut carried: Vec<u8> = Vec::new();
    let (mut now, mut total, mut containers) = (Instant(0), 0, 0);
    for packet in super::pieces(bytes) {
        let Some((&later, packet)) = packet.split_first() else { continue };
        now = now.after(u64::from(later) * 16);
        let expired = assembler.expire(now, PATIENCE_NS);
        assert!(expired.is_none() || later > 0);
        let Ok(container) = Container::parse(packet) else { continue };
        let mut again = [0; 300];
        let length = container.write(&mut again).expect("at most 261 bytes");
        assert_eq!(Container::parse(&again[..length]), Ok(container));
        if let Kind::First { total: claimed } = container.kind {
            (total, containers) = (usize::from(claimed), 0);
            carried.clear();
        }
        let fed = assembler.feed(&container, now);
        if fed.is_ok() && !matches!(container.kind, Kind::Control(_)) {
            containers += 1;
            carried.extend(container.payload);
            assert!(containers <= MAX_CONTAINERS && carried.len() <= total.min(ROOM));
        }
        if let Ok(Some(payload)) = fed {
            assert_eq!(payload, carried);
            assert_eq!(payload.len(), total);
            assert_eq!(assembler.under_way(), None);
        }
    }
}
