//! Mesh headers of forwarded frames and fragments.
//!
//! ```text
//!  │ 1 0 │ 1 │ 1 │ 1111 │ hops left │ originator │ destination │ what would be the frame's payload
//!  │ dispatch, short addresses, "deep" │ 1       │ 2, BE      │ 2, BE       │
//! ```
//!
//! The mesh header follows RFC 4944, 5.2. A Thread router forwards each frame unchanged, and
//! reassembles only datagrams that are addressed to the router itself
//! (`MeshForwarder::HandleMesh`). If the next hop is the destination, the sender adds no mesh
//! header (`MeshForwarder::UpdateIp6RouteFtd`). OpenThread initially sets the number of hops left
//! to 19. The number 19 does not fit into the four bits of the first octet, so the header contains
//! a separate octet for the number of hops left. At most five hops are needed in this model.

/// Length of the header, octets.
pub const HEADER_LEN: usize = 6;

/// Initial hop limit: `Mle::kMaxRouteCost` plus three (`MeshForwarder::kMeshHeaderHopsLeft`).
pub const HOPS: u8 = 16 + 3;

/// Dispatch with two short addresses and a separate octet for the hop limit.
const SHORT: u8 = 0b1011_0000;
const DEEP: u8 = 0b1111;

/// A mesh header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mesh {
    /// Remaining hops.
    pub hops_left: u8,
    /// RLOC16 of the originator.
    pub from: u16,
    /// RLOC16 of the destination.
    pub to: u16,
}

impl Mesh {
    /// Encodes the header, followed by `payload`.
    #[must_use]
    pub fn before(&self, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_LEN + payload.len());
        if self.hops_left < DEEP {
            bytes.push(SHORT | self.hops_left);
        } else {
            bytes.extend([SHORT | DEEP, self.hops_left]);
        }
        bytes.extend(self.from.to_be_bytes());
        bytes.extend(self.to.to_be_bytes());
        bytes.extend_from_slice(payload);
        bytes
    }

    /// Decodes a header, and returns the rest of the payload. `None` without a header between short
    /// addresses.
    #[must_use]
    pub fn read(payload: &[u8]) -> Option<(Self, &[u8])> {
        let (&dispatch, mut rest) = payload.split_first()?;
        if dispatch & !DEEP != SHORT {
            return None;
        }
        let mut hops_left = dispatch & DEEP;
        if hops_left == DEEP {
            (hops_left, rest) = rest.split_first().map(|(&hops, rest)| (hops, rest))?;
        }
        let (&[f0, f1, t0, t1], rest) = rest.split_first_chunk()?;
        let (from, to) = (u16::from_be_bytes([f0, f1]), u16::from_be_bytes([t0, t1]));
        Some((Self { hops_left, from, to }, rest))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_header_is_laid_out_as_the_standard_says() {
        // RFC 4944, 5.2: dispatch 10, V and F set for 16-bit addresses, 0xF: the hop limit follows.
        let mesh = Mesh { hops_left: HOPS, from: 0x0400, to: 0x0C01 };
        assert_eq!(mesh.before(&[7]), [0xBF, 19, 0x04, 0x00, 0x0C, 0x01, 7]);
        let last = Mesh { hops_left: 14, ..mesh };
        assert_eq!(last.before(&[7]), [0xBE, 0x04, 0x00, 0x0C, 0x01, 7]);
    }

    proptest! {
        #[test]
        fn a_header_comes_back(
            hops_left: u8, from: u16, to: u16, payload in prop::collection::vec(any::<u8>(), 0..100),
        ) {
            let mesh = Mesh { hops_left, from, to };
            let bytes = mesh.before(&payload);
            prop_assert_eq!(Mesh::read(&bytes), Some((mesh, payload.as_slice())));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let _ = Mesh::read(&bytes);
        }
    }
}
