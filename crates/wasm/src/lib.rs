//! # airlag-wasm: the questions for a browser
//!
//! **Enters:** a question in JSON. **Leaves:** the answer in JSON, byte for byte what the command line prints, and
//! the arrays on which it is based. Converts and calls, without any logic.
//!
//! A page calls five functions, with addresses in the memory of the module:
//!
//! 1. [`question`] reserves memory for the text of a question, and the page writes it there.
//! 2. [`ask`] answers it.
//! 3. [`text`] and [`text_len`] are the answer, or one line that says what is wrong.
//! 4. [`arrays`] makes a directory of the arrays the text: name, type, address and number of elements of each.
//!
//! Addresses are valid until the next question. There is one thread, so a page that cancels ends its worker.

mod arrays;
mod random;

use std::cell::RefCell;

use airlag_study::question::{Evidence, SILENT, ask as answer_of};

/// What the functions share.
#[derive(Default)]
struct Desk {
    question: Vec<u8>,
    text: Vec<u8>,
    evidence: Vec<Evidence>,
    arrays: Vec<arrays::Array>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Reserves memory for a question of `len` bytes of UTF-8, and returns its address.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the name of a symbol")]
pub extern "C" fn question(len: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.question = vec![0; len];
        desk.question.as_mut_ptr()
    })
}

/// Answers the question. Returns 1 if the text is the answer, 0 if it is an error.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the name of a symbol")]
pub extern "C" fn ask() -> u32 {
    DESK.with_borrow_mut(|desk| {
        (desk.evidence, desk.arrays) = Default::default();
        let question = String::from_utf8_lossy(&desk.question);
        match answer_of(&question, Vec::new(), SILENT) {
            Ok(reply) => {
                (desk.text, desk.evidence) = (reply.json.into_bytes(), reply.evidence);
                1
            }
            Err(error) => {
                desk.text = error.to_string().into_bytes();
                0
            }
        }
    })
}

/// Address of the text.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the name of a symbol")]
pub extern "C" fn text() -> *const u8 {
    DESK.with_borrow(|desk| desk.text.as_ptr())
}

/// Length of the text, bytes.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the name of a symbol")]
pub extern "C" fn text_len() -> usize {
    DESK.with_borrow(|desk| desk.text.len())
}

/// Lays out the arrays of the run `nth` of the answer, and makes their directory the text. An answer without this run
/// has none.
#[unsafe(no_mangle)]
#[allow(unsafe_code, reason = "the name of a symbol")]
pub extern "C" fn arrays(nth: usize) {
    DESK.with_borrow_mut(|desk| {
        desk.arrays = desk.evidence.get(nth).map(arrays::of).unwrap_or_default();
        desk.text = arrays::directory(&desk.arrays).into_bytes();
    });
}
