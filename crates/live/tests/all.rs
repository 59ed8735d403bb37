//! Links in real time, and probes, over loopback.

mod clocks;
mod probes;
mod relay;
