//! Requests as an emulator sends them.

mod lines;
