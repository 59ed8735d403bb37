//! iperf3 results, from the JSON of its client and its server.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::answers::traffic::Way;
use crate::shapes::tunnel_bench::Streams;

/// Load that iperf3 sends.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Whether it sends datagrams.
    pub is_udp: bool,
    /// Duration, s.
    pub window_s: f64,
    /// Whether only the server sends.
    pub back: bool,
    /// Whether both ends send.
    pub both_ways: bool,
}

/// iperf3 result.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Measured {
    /// Counts at sender and receiver, by direction.
    pub streams: Vec<Streams>,
    /// Goodput of the first direction at the receiver within the window, kbit/s.
    pub within_kbps: f64,
}

/// Errors of invalid output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not JSON.
    #[error("iperf3 failed: it prints no JSON; use iperf3 3.9 or newer")]
    NoJson,
    /// A key is missing.
    #[error("iperf3 failed: its output lacks '{0}'; use iperf3 3.9 or newer")]
    Lacks(String),
}

/// Reads the output of both ends.
///
/// # Errors
///
/// [`Error`].
pub fn read(client: &str, server: &str, load: &Load) -> Result<Measured, Error> {
    let [client, server] = [client, server].map(serde_json::from_str::<Value>);
    let (client, server) = (client.map_err(|_| Error::NoJson)?, server.map_err(|_| Error::NoJson)?);
    let end = of(&client, "end")?;
    let first = if load.back { Way::Back } else { Way::There };
    let mut streams = vec![direction(end, first, "", load.is_udp)?];
    if load.both_ways {
        streams.push(direction(end, Way::Back, "_bidir_reverse", load.is_udp)?);
    }
    // Returns the error if iperf3 reports one instead of a result.
    let receiver = if load.back { &client } else { &server };
    Ok(Measured { streams, within_kbps: within_kbps(receiver, load.window_s)? })
}

/// Returns the error that iperf3 reports instead of a result.
///
/// # Errors
///
/// [`Error::NoJson`].
pub fn reported_error(client: &str) -> Result<Option<String>, Error> {
    let client: Value = serde_json::from_str(client).map_err(|_| Error::NoJson)?;
    Ok(client
        .get("error")
        .map(|error| error.as_str().map_or_else(|| error.to_string(), str::to_owned)))
}

fn of<'a>(value: &'a Value, key: &str) -> Result<&'a Value, Error> {
    value.get(key).ok_or_else(|| Error::Lacks(key.to_owned()))
}

fn number(value: &Value, key: &str) -> Result<f64, Error> {
    of(value, key)?.as_f64().ok_or_else(|| Error::Lacks(key.to_owned()))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>, Error> {
    of(value, key)?.as_array().ok_or_else(|| Error::Lacks(key.to_owned()))
}

/// Reads one direction from the client's summary, which contains the counts of both ends.
fn direction(end: &Value, way: Way, suffix: &str, is_udp: bool) -> Result<Streams, Error> {
    let sent = of(end, &format!("sum_sent{suffix}"))?;
    let received = of(end, &format!("sum_received{suffix}"))?;
    let count = |value: &Value, key: &str| number(value, key).map(|many| many as u64);
    let datagrams = |value: &Value, key: &str| is_udp.then(|| count(value, key)).transpose();
    Ok(Streams {
        way,
        sent_kbps: number(sent, "bits_per_second")? / 1000.0,
        received_kbps: number(received, "bits_per_second")? / 1000.0,
        sent_bytes: count(sent, "bytes")?,
        received_bytes: count(received, "bytes")?,
        retransmits: sent.get("retransmits").and_then(Value::as_u64).filter(|_| !is_udp),
        datagrams: datagrams(sent, "packets")?,
        datagrams_lost: datagrams(received, "lost_packets")?,
    })
}

/// Returns the goodput within the window from intervals of one second. The last may extend beyond the window.
fn within_kbps(receiver: &Value, window_s: f64) -> Result<f64, Error> {
    let mut bits = 0.0;
    for interval in list(receiver, "intervals")? {
        for stream in list(interval, "streams")? {
            let (start, end) = (number(stream, "start")?, number(stream, "end")?);
            let is_sender = stream.get("sender").and_then(Value::as_bool).unwrap_or(false);
            if is_sender || end <= start || start >= window_s {
                continue;
            }
            let part = ((window_s - start) / (end - start)).min(1.0);
            bits += 8.0 * number(stream, "bytes")? * part;
        }
    }
    Ok(bits / 1000.0 / window_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const UDP: Load = Load { is_udp: true, window_s: 2.0, back: false, both_ways: false };

    fn ended(sent: u64, received: u64) -> Value {
        let side = |bytes: u64| json!({"bytes": bytes, "bits_per_second": 8000.0, "retransmits": 3, "packets": 20, "lost_packets": 2});
        let reverse = json!({"bytes": 77, "bits_per_second": 616.0, "retransmits": 1});
        json!({
            "sum_sent": side(sent), "sum_received": side(received),
            "sum_sent_bidir_reverse": reverse, "sum_received_bidir_reverse": reverse,
        })
    }

    fn interval(start: f64, end: f64, bytes: u64, sender: bool) -> Value {
        json!({"streams": [{"start": start, "end": end, "bytes": bytes, "sender": sender}]})
    }

    fn measured(client: &Value, server: &Value, load: Load) -> Measured {
        read(&client.to_string(), &server.to_string(), &load).expect("a result")
    }

    #[test]
    fn data_after_the_window_is_excluded() {
        let heard = [
            interval(0.0, 1.0, 1000, false),
            interval(1.0, 3.0, 4000, false),
            interval(3.0, 4.0, 9000, false),
            interval(0.0, 1.0, 7000, true),
        ];
        let client = json!({"end": ended(9000, 8000)});
        let found = measured(&client, &json!({"intervals": heard}), UDP);
        // 1,000 B, and half of 4,000 B, in two seconds.
        assert!((found.within_kbps - 12.0).abs() < 1e-9);
        let there = &found.streams[0];
        assert_eq!((there.way, there.sent_bytes, there.received_bytes), (Way::There, 9000, 8000));
        let counts = (there.datagrams, there.datagrams_lost, there.retransmits);
        assert_eq!(counts, (Some(20), Some(2), None));
    }

    #[test]
    fn each_direction_has_its_own_summary() {
        let load = Load { is_udp: false, window_s: 1.0, both_ways: true, ..UDP };
        let client = json!({"end": ended(9000, 8000)});
        let found = measured(&client, &json!({"intervals": []}), load);
        let retransmits: Vec<_> =
            found.streams.iter().map(|one| (one.way, one.retransmits)).collect();
        assert_eq!(retransmits, [(Way::There, Some(3)), (Way::Back, Some(1))]);
        assert!((found.streams[1].received_kbps - 0.616).abs() < 1e-9);
    }

    #[test]
    fn the_client_counts_what_the_server_sends() {
        let load = Load { is_udp: false, window_s: 1.0, back: true, ..UDP };
        let client =
            json!({"end": ended(9000, 8000), "intervals": [interval(0.0, 1.0, 500, false)]});
        let server = json!({"intervals": [interval(0.0, 1.0, 9000, false)]});
        let found = measured(&client, &server, load);
        assert!((found.within_kbps - 4.0).abs() < 1e-9);
        assert_eq!(found.streams[0].way, Way::Back);
    }

    #[test]
    fn invalid_output_is_an_error() {
        let error = |client: &str| read(client, "{}", &UDP).expect_err("no result");
        assert_eq!(error("iperf3: error"), Error::NoJson);
        assert_eq!(reported_error("iperf3: error"), Err(Error::NoJson));
        assert_eq!(reported_error(r#"{"error": "busy"}"#), Ok(Some("busy".to_owned())));
        assert_eq!(reported_error("{}"), Ok(None));
        assert_eq!(error("{}"), Error::Lacks("end".to_owned()));
        assert_eq!(error(r#"{"end": {}}"#), Error::Lacks("sum_sent".to_owned()));
    }
}
