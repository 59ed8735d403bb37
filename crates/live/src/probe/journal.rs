//! A session on disk while it runs. Memory use does not grow with the number of messages, and a session that is
//! killed loses at most the last second.
//!
//! ```text
//!  file    | magic 8 | block | block | …              blocks are those of [`crate::journal`]
//!  kind 0  JSON: the question, as its caller wrote it
//!  kind 1  messages of 16 bytes: | scheduled 8 | sent 8 |, numbered from 0
//!  kind 2  responses of 40 bytes:| number 8 | received 8 | answered 8 | arrived 8 | count 8 |
//!  kind 3  JSON: the [`Tally`]; the last one is valid
//! ```
//!
//! Numbers are little-endian, times are those of [`Exchange`]. Reading stops at the first truncated or damaged
//! block. Everything before it is intact.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration as Wall, Instant as WallInstant};

use airlag_stats::clock::Exchange;
use airlag_stats::pair::NONE;
use airlag_stats::probes::Probes;
use serde::{Deserialize, Serialize};

use crate::journal::{block, next, open};

/// Magic number of every journal of a session.
pub const MAGIC: &[u8; 8] = b"airlagP1";
/// Interval of writes to the file.
const INTERVAL: Wall = Wall::from_millis(250);
/// Maximum number of records in a block.
const MOST: usize = 16_384;

/// Kinds of blocks.
const QUESTION: u8 = 0;
const MESSAGES: u8 = 1;
const ANSWERS: u8 = 2;
const TALLY: u8 = 3;

const MESSAGE: usize = 16;
const ANSWER: usize = 40;

/// Counts and time span of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub duplicates: u64,
    pub too_late: u64,
    pub far_error_ns: Option<u64>,
    pub is_stateful: bool,
    pub span_ns: [i64; 2],
}

/// Events since the last write.
#[derive(Debug, Default)]
pub(super) struct Recent {
    messages: Vec<u8>,
    answers: Vec<u8>,
}

impl Recent {
    pub fn sent(&mut self, scheduled_ns: i64, sent_ns: i64) {
        for each in [scheduled_ns, sent_ns] {
            self.messages.extend_from_slice(&each.to_le_bytes());
        }
    }

    pub fn answered(&mut self, nth: u64, stamps_ns: [i64; 3], count: i64) {
        self.answers.extend_from_slice(&nth.to_le_bytes());
        for each in stamps_ns.into_iter().chain([count]) {
            self.answers.extend_from_slice(&each.to_le_bytes());
        }
    }
}

/// A journal that is being written.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    written: WallInstant,
}

impl Journal {
    /// Creates the file. An existing file is replaced only if `force` is set. Without a path, the file is
    /// unnamed and is removed when the process ends.
    ///
    /// # Errors
    ///
    /// File system errors. [`io::ErrorKind::AlreadyExists`] if the file exists.
    pub fn begin(path: Option<&Path>, question: &str, force: bool) -> io::Result<Self> {
        let mut file = path.map_or_else(tempfile::tempfile, |path| open(path, force))?;
        file.write_all(MAGIC)?;
        file.write_all(&block(QUESTION, question.as_bytes()))?;
        Ok(Self { file, written: WallInstant::now() })
    }

    /// Whether a [`write`](Self::write) is due.
    pub fn is_due(&self) -> bool {
        self.written.elapsed() >= INTERVAL
    }

    /// Writes the recent events and the counts so far.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn write(&mut self, recent: &Recent, tally: &Tally) -> io::Result<()> {
        self.written = WallInstant::now();
        for part in recent.messages.chunks(MOST * MESSAGE) {
            self.file.write_all(&block(MESSAGES, part))?;
        }
        for part in recent.answers.chunks(MOST * ANSWER) {
            self.file.write_all(&block(ANSWERS, part))?;
        }
        self.file.write_all(&block(TALLY, &serde_json::to_vec(tally)?))
    }

    /// Reads back the complete journal.
    ///
    /// # Errors
    ///
    /// File system errors.
    pub fn finish(mut self) -> io::Result<Probes> {
        self.file.rewind()?;
        read(self.file).map(|(_, probes)| probes)
    }
}

/// Reads the intact part of a journal: the question and the recorded session.
///
/// # Errors
///
/// File system errors, and [`io::ErrorKind::InvalidData`] if the file is not a journal of a session.
pub fn read(from: impl Read) -> io::Result<(String, Probes)> {
    let mut from = BufReader::new(from);
    let (mut probes, mut question, mut tally) = (Probes::default(), None, Tally::default());
    let no_journal = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut magic = Vec::new();
    from.by_ref().take(8).read_to_end(&mut magic)?;
    if magic != MAGIC {
        return Err(no_journal("not a journal of airlag probe"));
    }
    let mut block = Vec::new();
    while next(&mut from, &mut block)? {
        match block.split_first() {
            Some((&QUESTION, text)) => question = Some(String::from_utf8_lossy(text).into_owned()),
            Some((&MESSAGES, messages)) => {
                messages.as_chunks::<MESSAGE>().0.iter().for_each(|one| message(&mut probes, one));
            }
            Some((&ANSWERS, answers)) => {
                answers.as_chunks::<ANSWER>().0.iter().for_each(|one| answer(&mut probes, one));
            }
            Some((&TALLY, text)) => {
                let Ok(read) = serde_json::from_slice(text) else { break };
                tally = read;
            }
            _ => break,
        }
    }
    let question =
        question.ok_or_else(|| no_journal("the first block of the journal is missing"))?;
    probes.duplicates = tally.duplicates;
    probes.too_late = tally.too_late;
    probes.far_error_ns = tally.far_error_ns;
    probes.is_stateful = tally.is_stateful;
    probes.span_ns = tally.span_ns;
    Ok((question, probes))
}

fn number(record: &[u8], nth: usize) -> i64 {
    record[8 * nth..].first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes))
}

fn message(probes: &mut Probes, record: &[u8; MESSAGE]) {
    probes.exchanges.push(Exchange {
        scheduled_ns: number(record, 0),
        sent_ns: number(record, 1),
        received_ns: NONE,
        answered_ns: NONE,
        arrived_ns: NONE,
    });
    probes.counts.push(None);
}

fn answer(probes: &mut Probes, record: &[u8; ANSWER]) {
    let nth = number(record, 0) as usize;
    let Some(exchange) = probes.exchanges.get_mut(nth) else { return };
    exchange.received_ns = number(record, 1);
    exchange.answered_ns = number(record, 2);
    exchange.arrived_ns = number(record, 3);
    probes.counts[nth] = Some(number(record, 4));
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINAL_TALLY: Tally = Tally {
        duplicates: 2,
        too_late: 1,
        far_error_ns: Some(5),
        is_stateful: true,
        span_ns: [1, 900],
    };

    /// Three messages. The second is answered last, the third never.
    fn written(folder: &Path) -> Vec<u8> {
        let path = folder.join("probe.journal");
        let mut journal = Journal::begin(Some(&path), "{}", false).expect("created");
        let mut recent = Recent::default();
        (0..3).for_each(|nth| recent.sent(nth * 100, nth * 100 + 1));
        recent.answered(0, [50, 51, 90], 1);
        journal.write(&recent, &Tally::default()).expect("written");
        let mut recent = Recent::default();
        recent.answered(1, [150, 151, 190], 2);
        journal.write(&recent, &FINAL_TALLY).expect("written");
        std::fs::read(path).expect("there")
    }

    #[test]
    fn recorded_messages_are_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let (question, probes) = read(&written(folder.path())[..]).expect("read");
        assert_eq!(question, "{}");
        let arrived: Vec<i64> = probes.exchanges.iter().map(|one| one.arrived_ns).collect();
        assert_eq!(arrived, [90, 190, NONE]);
        assert_eq!(probes.exchanges[2].sent_ns, 201);
        assert_eq!(probes.counts, [Some(1), Some(2), None]);
        assert_eq!((probes.duplicates, probes.too_late, probes.span_ns), (2, 1, [1, 900]));
    }

    #[test]
    fn a_truncated_journal_is_read_up_to_the_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes = written(folder.path());
        let mut messages = Vec::new();
        for end in 0..bytes.len() {
            messages.push(read(&bytes[..end]).map_or(0, |(_, probes)| probes.exchanges.len()));
        }
        assert!(messages.is_sorted());
        assert_eq!(messages.last(), Some(&3));
        let path = folder.path().join("probe.journal");
        let refused = Journal::begin(Some(&path), "{}", false).expect_err("it is there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    }
}
