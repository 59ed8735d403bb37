//! Requests of anybody, to the benchmark service.

use airlag_rpc::benchmark::{BENCHMARK_METHODS, BenchmarkServer};
use airlag_rpc::flash::Flash;
use airlag_rpc::service::{Outcome, Reply, Service};

/// Items of a stream that are looked at: a request of six bytes may ask for four thousand million.
const ITEMS: usize = 8;
/// Longest item of the benchmark: 8192 bytes with their head.
const LONGEST: usize = 8192 + 10;

/// Pulls an item in pieces of `size`; what is told of it holds.
fn item(reply: &mut impl Reply, size: usize) -> Vec<u8> {
    let len = reply.len();
    assert!(len <= LONGEST);
    let mut bytes = Vec::new();
    let mut piece = vec![0; size];
    loop {
        let got = reply.read(&mut piece);
        bytes.extend(&piece[..got]);
        assert!(bytes.len() <= len, "more than was told");
        if got < size {
            break;
        }
    }
    assert_eq!(bytes.len(), len);
    bytes
}

/// Bytes as a request: the first one says of which method, the second one in which pieces the answer is
/// pulled.
///
/// # Panics
/// If the answer is another in other pieces, or another than the service told of.
pub fn rpc_service(bytes: &[u8]) {
    let [method, size, request @ ..] = bytes else { return };
    let memory: Vec<u8> = (0..=u8::MAX).cycle().take(10_000).collect();
    // One more than there are is none of them.
    let number = usize::from(*method) % (BENCHMARK_METHODS.len() + 1);
    let name = BENCHMARK_METHODS.get(number).map_or("none", |method| method.name);
    let [pieces, whole] = [usize::from(*size) + 1, LONGEST].map(|size| {
        let mut server = BenchmarkServer(Flash::new(&memory[..]));
        match server.call(name, request) {
            Ok(Outcome::Reply(mut reply)) => {
                assert!(reply.next());
                let answer = item(&mut reply, size);
                assert!(!reply.next());
                Some(vec![answer])
            }
            Ok(Outcome::Stream(mut reply)) => {
                let mut items = Vec::new();
                while items.len() < ITEMS && reply.next() {
                    items.push(item(&mut reply, size));
                }
                Some(items)
            }
            Ok(Outcome::Taken) => {
                let mut reply = server.end(name).expect("an upload has an end");
                assert!(reply.next());
                Some(vec![item(&mut reply, size)])
            }
            Err(_) => None,
        }
    });
    assert_eq!(pieces, whole);
    if name == "echo" && whole.is_some() {
        // What was given back is asked for again, and is the same.
        let echoed = whole.into_iter().flatten().next().unwrap_or_default();
        let mut server = BenchmarkServer(Flash::new(&memory[..]));
        let Ok(Outcome::Reply(mut reply)) = server.call(name, &echoed) else {
            panic!("an echo is a request again")
        };
        assert!(reply.next());
        assert_eq!(item(&mut reply, 7), echoed);
    }
}
