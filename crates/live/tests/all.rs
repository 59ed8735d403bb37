//! Links in real time, and probes, over loopback.

mod probes;
mod relay;
