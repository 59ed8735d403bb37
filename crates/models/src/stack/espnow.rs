//! ESP-NOW.
