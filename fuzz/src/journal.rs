//! What an emulation or a session of probes that was killed leaves on the disk.

use airlag_live::journal::{MAGIC, NONE, Outcome, read};
use airlag_live::probe::journal as session;

/// Bytes behind the magic of a journal: blocks that a power cut may have left in any state. The first byte says
/// whether the checksums are made right, so that what they guard is reached, too.
///
/// # Panics
/// If the packets of what is read contradict each other.
pub fn journal(bytes: &[u8]) {
    let Some((&right, blocks)) = bytes.split_first() else { return };
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(blocks);
    if right & 1 == 1 {
        mend(&mut file[MAGIC.len()..]);
    }
    let mut probed = file.clone();
    probed[..MAGIC.len()].copy_from_slice(session::MAGIC);
    if let Ok((_, probes)) = session::read(&probed[..]) {
        assert_eq!(probes.exchanges.len(), probes.counts.len());
        assert!(probes.exchanges.len() * 16 <= file.len());
    }
    let Ok(went) = read(&file[..]) else { return };
    assert_eq!(went.offered_ns.len(), went.arrived_ns.len());
    assert!(went.offered_ns.len() * 16 <= file.len());
    let mut count = 0;
    for (outcome, &arrived) in went.outcomes().zip(&went.arrived_ns) {
        assert!(outcome != Outcome::Arrived || arrived != NONE);
        count += 1;
    }
    assert_eq!(count, went.offered_ns.len());
}

/// Sets the checksum of every block that is whole.
fn mend(mut blocks: &mut [u8]) {
    while let Some((head, rest)) = blocks.split_first_chunk_mut::<8>() {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some((block, behind)) = rest.split_at_mut_checked(length) else { return };
        head[4..].copy_from_slice(&crc32fast::hash(block).to_le_bytes());
        blocks = behind;
    }
}
