//! The air between radios, and the files that record it.

mod tshark;
mod unobserved;
