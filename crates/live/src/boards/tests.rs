//! Boards behind pseudo terminals: the board's end is that of the images, or hostile.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use airlag_app::Control;
use airlag_app::control::Setting;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::*;

/// A board on a thread, unplugged at the end.
pub(super) struct Plugged {
    pub path: PathBuf,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Plugged {
    /// Responds to each piece of received bytes with the bytes that `board` returns. `None` unplugs
    /// it.
    pub fn new(mut board: impl FnMut(&[u8]) -> Option<Vec<u8>> + Send + 'static) -> Self {
        let (controller, terminal, path) = opened();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let (mut line, _terminal) = (File::from(controller), terminal);
            let mut piece = [0; 256];
            while !over.load(Ordering::Relaxed) {
                if !is_readable(line.as_fd()).unwrap_or(false) {
                    continue;
                }
                let len = line.read(&mut piece).expect("the terminal is open");
                let Some(reply) = board(&piece[..len]) else { return };
                let _ = line.write_all(&reply);
            }
        });
        Self { path, is_over, thread: Some(thread) }
    }

    fn asked(&self, changes: &Changes) -> Result<Board, Error> {
        configured(&self.path, changes)
    }

    fn refusal(&self, changes: &Changes) -> String {
        let error = self.asked(changes).expect_err("refused").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }
}

impl Drop for Plugged {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A pseudo terminal: its controller, the terminal, which is held open, and its path.
fn opened() -> (OwnedFd, File, PathBuf) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
    grantpt(&controller).expect("granted");
    unlockpt(&controller).expect("unlocked");
    let name = ptsname(&controller, Vec::new()).expect("a name");
    let path = PathBuf::from(name.to_str().expect("a path"));
    // Held open, as a device is that is plugged in, without the lock of its user.
    let terminal = rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
    (controller, terminal.expect("a terminal").into(), path)
}

/// The board's end of the images, which enters the wanted state at once.
fn image() -> impl FnMut(&[u8]) -> Option<Vec<u8>> + Send {
    let size = Setting { name: "size", unit: "B", value: 12, bounds: [7, 2048] };
    let count = Setting { name: "count", unit: "", value: 0, bounds: [0, 1000] };
    let mut control = Control::new("pico", "nrf24-sender", [size, count], ["sent", "lost"]);
    control.enter(State::Running);
    move |bytes: &[u8]| {
        let mut replies = Vec::new();
        for &byte in bytes {
            if control.receive(byte) {
                let wanted = control.is_wanted();
                control.enter(if wanted { State::Running } else { State::Stopped });
                control.count([u32::from(wanted), 0]);
            }
            replies.extend(control.poll().unwrap_or_default());
        }
        Some(replies)
    }
}

fn set(name: &str, value: u64) -> Changes {
    Changes { settings: vec![(name.to_owned(), value)], runs: None }
}

#[test]
fn a_board_states_what_runs_on_it_and_takes_settings() {
    let plugged = Plugged::new(image());
    let found = plugged.asked(&Changes::default()).expect("a board");
    assert_eq!((&found.board[..], &found.image[..]), ("pico", "nrf24-sender"));
    assert_eq!(found.airlag, env!("CARGO_PKG_VERSION"));
    let values = |items: &[Item]| -> Vec<(String, u64)> {
        items.iter().map(|item| (item.name.clone(), item.value)).collect()
    };
    assert_eq!(values(&found.settings), [("size".into(), 12), ("count".into(), 0)]);
    assert_eq!(values(&found.counters), [("sent".into(), 0), ("lost".into(), 0)]);
    let found = plugged.asked(&set("size", 128)).expect("set");
    // The board ran before, and runs again.
    assert_eq!((found.settings[0].value, found.state), (128, State::Running));
    assert_eq!(found.counters[0].value, 1);
    let stop = Changes { runs: Some(false), ..set("count", 7) };
    let found = plugged.asked(&stop).expect("set");
    assert_eq!((found.settings[1].value, found.state), (7, State::Stopped));
}

#[test]
fn a_change_that_is_not_possible_changes_nothing() {
    let plugged = Plugged::new(image());
    let error = plugged.refusal(&set("sise", 128));
    assert!(error.ends_with("unknown setting sise; expected size, count"), "{error}");
    let both = vec![("count".to_owned(), 5), ("size".to_owned(), 3)];
    let error = plugged.refusal(&Changes { settings: both, runs: None });
    assert!(error.ends_with("size=3 is out of range; expected 7 to 2048"), "{error}");
    let found = plugged.asked(&Changes::default()).expect("a board");
    assert_eq!((found.settings[1].value, found.state), (0, State::Running));
}

#[test]
fn an_instrument_has_no_settings_and_cannot_be_started() {
    let mut control = Control::<0, 0>::new("pico", "instrument", [], []);
    // As the image does, while it does not record.
    control.enter(State::Stopped);
    let plugged = Plugged::new(move |bytes| {
        let mut replies = Vec::new();
        for &byte in bytes {
            control.receive(byte);
            replies.extend(control.poll().unwrap_or_default());
        }
        Some(replies)
    });
    assert_eq!(plugged.asked(&Changes::default()).expect("a board").settings, []);
    let error = plugged.refusal(&Changes { settings: Vec::new(), runs: Some(true) });
    assert!(
        error.ends_with("the board refused to start: its image does not support it"),
        "{error}"
    );
}

#[test]
fn garbage_silence_and_partial_frames_are_one_line() {
    let plugged = Plugged::new(|_| Some(b"GPS fix\r\n$GPGGA\0\0\x03ab\0".to_vec()));
    let error = plugged.refusal(&Changes::default());
    assert!(
        error.contains("no valid response in ") && error.ends_with("an image of airlag"),
        "{error}"
    );
    let plugged = Plugged::new(|_| Some(Vec::new()));
    assert!(plugged.refusal(&Changes::default()).contains(": no response, within 3s"));
    // Half a reply, then the board is replaced by one that works.
    let (mut image, mut first) = (image(), true);
    let plugged = Plugged::new(move |bytes| {
        let mut reply = image(bytes)?;
        if std::mem::take(&mut first) {
            reply.truncate(reply.len() / 2);
        }
        Some(reply)
    });
    assert!(plugged.asked(&Changes::default()).is_ok());
}

#[test]
fn another_version_and_an_unplugged_board_are_one_line() {
    let plugged = Plugged::new(|_| {
        // Version 9 of an identity, with a body that this version cannot parse.
        let mut image = image();
        let mut reply = image(&framed(Request::Identify { version: VERSION }))?;
        let mut deframer = Deframer::<LONGEST>::new();
        let message = reply.iter().find_map(|&byte| deframer.feed(byte).map(|m| m.to_vec()))?;
        reply = foreign(&message[3..]);
        Some(reply)
    });
    let error = plugged.refusal(&Changes::default());
    assert!(error.ends_with("uses control protocol version 9; expected version 1"), "{error}");
    let plugged = Plugged::new(|_| None);
    assert!(plugged.refusal(&Changes::default()).contains("unplugged"));
    let error = configured(Path::new("/dev/null"), &Changes::default()).expect_err("no line");
    assert_eq!(error.to_string(), "/dev/null: not a serial device; expected a serial device");
}

/// An identity of version 9 with this body, sealed by a CRC-16 of its own.
fn foreign(body: &[u8]) -> Vec<u8> {
    let covered: Vec<u8> = [&[0xEA, 9], &body[1..]].concat();
    let sum = covered.iter().fold(0xFFFF_u16, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    });
    let message = [&covered[..1], &sum.to_be_bytes(), &covered[1..]].concat();
    let mut line = vec![0; framed_len(message.len())];
    let len = frame(&message, &mut line).expect("room");
    line.truncate(len);
    line
}

#[test]
fn changes_are_a_name_and_a_number() {
    let read = |text: &str| Changes::read(&[text.to_owned()], None);
    assert_eq!(read("size=128"), Ok(set("size", 128)));
    for wrong in ["", "size", "size=", "size=1.5", "size=-1", "size=99999999999999999999"] {
        assert_eq!(read(wrong), Err(InvalidChange(wrong.to_owned())));
    }
}

#[test]
fn boards_are_found_by_their_manufacturer() {
    let folder = tempfile::tempdir().expect("a folder");
    let tty = folder.path().join("tty");
    for (name, manufacturer) in [("ttyACM1", "airlag"), ("ttyACM0", "airlag"), ("ttyUSB0", "FTDI")]
    {
        let usb = folder.path().join("usb").join(name);
        std::fs::create_dir_all(usb.join("interface")).expect("a folder");
        std::fs::write(usb.join("manufacturer"), format!("{manufacturer}\n")).expect("written");
        let device = tty.join(name);
        std::fs::create_dir_all(&device).expect("a folder");
        std::os::unix::fs::symlink(usb.join("interface"), device.join("device")).expect("linked");
    }
    assert_eq!(in_system(&tty), [Path::new("/dev/ttyACM0"), Path::new("/dev/ttyACM1")]);
}
