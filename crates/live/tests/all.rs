//! Emulated links in real time, and probe sessions, over loopback.

mod clocks;
mod probes;
mod relay;
