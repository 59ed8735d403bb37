//! Regulatory documents, with version and date.

use std::fmt;

/// A regulatory document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Title.
    pub name: &'static str,
    /// Version.
    pub version: &'static str,
    /// Date: a year and a month, or a day.
    pub date: &'static str,
}

/// A location in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Document.
    pub document: &'static Document,
    /// Clause number.
    pub number: &'static str,
    /// Whether the limit was read in the document or in a text that quotes it. Otherwise, the limit
    /// is the one commonly attributed to the clause.
    pub confirmed: bool,
}

/// EU decision on frequencies, powers and duty cycles of short-range devices. The text of its annex
/// was taken from a quotation in the notes of a national frequency table. `version` names the
/// amendment that contains this annex. Later amendments are (EU) 2019/1345, 2022/180 and 2025/105.
pub static SHORT_RANGE: Document = Document {
    name: "Decision 2006/771/EC",
    version: "as amended by (EU) 2017/1483",
    date: "2017-08-08",
};

/// Short-range devices within 874 to 876 and 915 to 921 MHz.
pub static NEAR_900: Document = Document {
    name: "Decision (EU) 2018/1538",
    version: "as amended by (EU) 2022/172",
    date: "2022-02-07",
};

/// Short-range devices from 25 MHz to 1 GHz: polite spectrum access.
pub static EN_300_220: Document =
    Document { name: "EN 300 220-2", version: "V3.2.1", date: "2018-06" };

/// Wide band data transmission at 2.4 GHz. Clause numbers are those of V2.2.2. The limits were read
/// in V1.8.1, where the fourth number of each clause is lower by one (4.3.2.1 instead of 4.3.2.2),
/// and in Texas Instruments' SWRA670A on V2.2.2.
pub static EN_300_328: Document =
    Document { name: "EN 300 328", version: "V2.2.2", date: "2019-07" };

/// Radio frequency devices in the US.
pub static PART_15: Document = Document { name: "47 CFR", version: "part 15", date: "2021-09-01" };

impl Document {
    /// Cites a clause whose limit was read.
    #[must_use]
    pub const fn at(&'static self, number: &'static str) -> Clause {
        Clause { document: self, number, confirmed: true }
    }

    /// Cites a clause whose limit was not read.
    #[must_use]
    pub const fn unconfirmed(&'static self, number: &'static str) -> Clause {
        Clause { document: self, number, confirmed: false }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Document { name, version, date } = self.document;
        write!(f, "{name} {version} ({date}), {}", self.number)?;
        if self.confirmed { Ok(()) } else { f.write_str(", unconfirmed") }
    }
}
