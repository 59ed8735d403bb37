//! Writing of captures, in a format that the file name determines.

use std::io::{Seek, Write};
use std::path::Path;

use crate::error::{Error, Place, Problem};
use crate::trace::Trace;
use crate::{saleae_csv_writer, sigrok, vcd};

/// A supported output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteFormat {
    /// Saleae Logic 2 CSV.
    SaleaeCsv,
    /// Value change dump.
    Vcd,
    /// sigrok session.
    Sigrok,
}

impl WriteFormat {
    /// The format from the extension of a file name.
    ///
    /// # Errors
    /// [`Problem::UnknownWriteFormat`] for another extension.
    pub fn from_path(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("csv") => Ok(Self::SaleaeCsv),
            Some("vcd") => Ok(Self::Vcd),
            Some("sr") => Ok(Self::Sigrok),
            _ => {
                let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let expected = ".csv, .vcd or .sr";
                let problem = Problem::UnknownWriteFormat { found, expected };
                Err(problem.at(Place::File).of(path))
            }
        }
    }
}

/// Writes a trace in a format.
///
/// # Errors
///
/// If the format cannot represent the trace, or if writing to the output fails.
pub fn write_to(out: impl Write + Seek, trace: &Trace, format: WriteFormat) -> Result<(), Problem> {
    match format {
        WriteFormat::SaleaeCsv => saleae_csv_writer::write(out, trace),
        WriteFormat::Vcd => vcd::write(out, trace),
        WriteFormat::Sigrok => sigrok::write(out, trace),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_chooses_the_format() {
        let format = |name: &str| WriteFormat::from_path(Path::new(name));
        assert_eq!(format("a.csv").unwrap(), WriteFormat::SaleaeCsv);
        assert_eq!(format("b/a.VCD").unwrap(), WriteFormat::Vcd);
        assert_eq!(format("a.b.sr").unwrap(), WriteFormat::Sigrok);
        assert_eq!(
            format("b/a.xlsx").unwrap_err().to_string(),
            "b/a.xlsx: \"a.xlsx\" is not an output format; expected a name that ends in \
             .csv, .vcd or .sr"
        );
        assert!(format("csv").is_err());
    }
}
