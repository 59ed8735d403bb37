//! A session in OpenMetrics 1.0, served on a port.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;

use super::near::TURN;
use super::session::Progress;
use super::stream::is_readable;

/// Maximum length of a request, bytes.
const REQUEST: usize = 4_096;

/// An open port.
pub(super) struct Metrics(TcpListener);

impl Metrics {
    /// Listens at an address.
    pub(super) fn open(at: SocketAddr) -> io::Result<Self> {
        TcpListener::bind(at).map(Self)
    }

    /// Responds to scrapes with the current progress until the session ends.
    pub(super) fn serve(
        &self,
        target: &str,
        progress: impl Fn() -> Progress,
        ends: impl Fn() -> bool,
    ) {
        while !ends() {
            if is_readable(self.0.as_fd()).unwrap_or(false)
                && let Ok((mut scraper, _)) = self.0.accept()
            {
                // A client that disconnects or sends nothing gets no metrics.
                let _ = answer(&mut scraper, &text(target, &progress()));
            }
        }
    }
}

fn answer(scraper: &mut TcpStream, text: &str) -> io::Result<()> {
    scraper.set_read_timeout(Some(10 * TURN))?;
    scraper.set_write_timeout(Some(10 * TURN))?;
    let (mut request, mut len) = ([0; REQUEST], 0);
    while len < REQUEST && !request[..len].windows(4).any(|end| end == b"\r\n\r\n") {
        match scraper.read(&mut request[len..])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => len += read,
        }
    }
    let status = if request.starts_with(b"GET ") { "200 OK" } else { "405 Method Not Allowed" };
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    write!(
        scraper,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
}

/// Formats the metric families in the text format of OpenMetrics.
fn text(target: &str, now: &Progress) -> String {
    let target: String = target
        .chars()
        .flat_map(|letter| match letter {
            '"' | '\\' => vec!['\\', letter],
            '\n' => vec!['\\', 'n'],
            other => vec![other],
        })
        .collect();
    let label = format!("target=\"{target}\"");
    let mut text = String::new();
    for (name, help, value) in [
        ("sent", "Requests sent.", now.sent),
        ("answered", "Requests answered in time.", now.answered),
        ("too_late", "Responses after the timeout.", now.too_late),
        ("duplicates", "Further responses to a request.", now.duplicates),
    ] {
        text += &format!(
            "# TYPE airlag_probe_{name} counter\n# HELP airlag_probe_{name} {help}\n\
             airlag_probe_{name}_total{{{label}}} {value}\n"
        );
    }
    let name = "airlag_probe_round_trip_seconds";
    text += &format!(
        "# TYPE {name} summary\n# UNIT {name} seconds\n\
         # HELP {name} Round-trip time since the start, with a resolution of 1/16.\n"
    );
    for (quantile, ns) in [("0.5", now.p50_ns), ("0.99", now.p99_ns), ("1.0", now.max_ns)] {
        // A quantile of an empty set is NaN.
        let seconds = if now.answered > 0 { ns as f64 / 1e9 } else { f64::NAN };
        text += &format!("{name}{{{label},quantile=\"{quantile}\"}} {seconds}\n");
    }
    text + &format!("{name}_count{{{label}}} {}\n# EOF\n", now.answered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metric_families_are_well_formed() {
        let now = Progress {
            elapsed_ns: 1,
            remaining_ns: None,
            sent: 7,
            answered: 5,
            too_late: 1,
            duplicates: 0,
            last_ns: 3,
            p50_ns: 2_000_000,
            p99_ns: 4_000_000,
            max_ns: 5_000_000,
            bins_ns: vec![],
        };
        let text = text("serial:\"a\\b\n", &now);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], r#"airlag_probe_sent_total{target="serial:\"a\\b\n"} 7"#);
        assert!(lines.iter().any(|line| line.ends_with(r#"quantile="0.99"} 0.004"#)));
        assert_eq!(lines.last(), Some(&"# EOF"));
        // Every sample belongs to the family above it.
        let mut family = "";
        for line in lines {
            match line.strip_prefix("# TYPE ") {
                Some(declared) => family = declared.split(' ').next().expect("a name"),
                None => assert!(line.starts_with('#') || line.starts_with(family), "{line}"),
            }
        }
    }
}
