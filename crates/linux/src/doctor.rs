//! Requirements of a tunnel on this computer: checks with remedies.

use std::env;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use rustix::thread::{CapabilitySet, capabilities};

use crate::pins::{self, Line};
use crate::radio::{Choice, Wiring};
use crate::tun::DEVICE;
use crate::udp::Udp;

mod channel;
mod chip;

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Name of the check.
    pub name: &'static str,
    /// Whether `up` requires it.
    pub needed: bool,
    /// Whether the check passed.
    pub ok: bool,
    /// Detected value, and where it was found.
    pub found: String,
    /// Remedy, if it failed.
    pub mend: Option<String>,
}

impl Check {
    fn new(name: &'static str, needed: bool, found: Result<String, (String, String)>) -> Self {
        match found {
            Ok(found) => Self { name, needed, ok: true, found, mend: None },
            Err((found, mend)) => Self { name, needed, ok: false, found, mend: Some(mend) },
        }
    }
}

/// Detected value, or the problem with its remedy.
type Found = Result<String, (String, String)>;

fn missing(found: impl Into<String>, mend: impl Into<String>) -> Found {
    Err((found.into(), mend.into()))
}

/// Runs all checks, including those of a radio if one is given.
#[must_use]
pub fn examine(radio: Option<&Choice>) -> Vec<Check> {
    let mut checks = vec![
        Check::new("kernel TUN", true, kernel_tun()),
        Check::new("CAP_NET_ADMIN", true, net_admin()),
    ];
    match radio {
        None => {}
        Some(Choice::Udp { own, peer, .. }) => {
            let opened = Udp::open(*own, *peer, &std::rc::Rc::default());
            let free = match opened {
                Ok(_) => Ok(format!("{own} is free, toward {peer}")),
                Err(cause) => {
                    missing(format!("{own}: {cause}"), "choose another port with --listen")
                }
            };
            checks.push(Check::new("UDP port", true, free));
        }
        Some(Choice::Spi(wiring)) => checks.extend(wired(wiring)),
    }
    checks.extend([
        Check::new("real-time priority", false, priority()),
        Check::new("network namespaces", false, namespaces()),
        Check::new("ip", false, program("ip", "iproute2")),
        Check::new("iperf3", false, program("iperf3", "iperf3")),
    ]);
    checks
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

fn kernel_tun() -> Found {
    match OpenOptions::new().read(true).write(true).open(DEVICE) {
        Ok(_) => Ok(format!("{DEVICE} opens")),
        Err(cause) if is_denied(&cause) => missing(
            format!("{DEVICE} cannot be opened ({cause})"),
            "run as root, or chmod 666 /dev/net/tun",
        ),
        Err(cause) => missing(
            format!("{DEVICE} cannot be opened ({cause})"),
            "modprobe tun, or give the container --device /dev/net/tun",
        ),
    }
}

fn has(capability: CapabilitySet) -> bool {
    capabilities(None).is_ok_and(|sets| sets.effective.contains(capability))
}

fn net_admin() -> Found {
    if has(CapabilitySet::NET_ADMIN) {
        return Ok("this process can create network interfaces".to_owned());
    }
    missing(
        "this process cannot create network interfaces",
        "run as root, or as a service with AmbientCapabilities=CAP_NET_ADMIN",
    )
}

fn priority() -> Found {
    let limit = getrlimit(Resource::Rtprio).current.unwrap_or(u64::MAX);
    if has(CapabilitySet::SYS_NICE) || limit > 0 {
        return Ok("permitted; use: chrt -f 50 airlag tunnel up …".to_owned());
    }
    missing(
        "RLIMIT_RTPRIO is 0 and CAP_SYS_NICE is missing: other programs delay the radio",
        "run as root, or set rtprio in /etc/security/limits.conf or LimitRTPRIO= in the service",
    )
}

fn namespaces() -> Found {
    let path = "/proc/self/ns/net";
    if !Path::new(path).exists() {
        return missing(format!("{path} is missing"), "use a kernel with CONFIG_NET_NS");
    }
    if has(CapabilitySet::SYS_ADMIN) {
        return Ok(format!("{path} exists, and this process can create namespaces"));
    }
    missing("this process cannot create any (CAP_SYS_ADMIN)", "run as root, to test both ends here")
}

fn program(name: &str, package: &str) -> Found {
    // The PATH of a service manager may lack the folders of administration programs.
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    let found = folders.map(|folder| folder.join(name)).find(|file| file.is_file());
    match found {
        Some(file) => Ok(file.display().to_string()),
        None => missing(format!("{name} is not installed"), format!("apt install {package}")),
    }
}

/// Checks of a radio chip with its bus and pins.
fn wired(wiring: &Wiring) -> Vec<Check> {
    let bus = Check::new("SPI device", true, bus(&wiring.device));
    let irq = Check::new("interrupt pin", true, line(&wiring.irq));
    let ce = Check::new("chip enable pin", true, line(&wiring.ce));
    // If another program holds a pin, the chip is in use and is not accessed.
    let ready = [&bus, &irq, &ce].into_iter().all(|check| check.ok);
    let chip = if ready {
        chip::answers(wiring)
    } else {
        missing("not checked: its bus or a pin is missing", "fix those first")
    };
    let chip = Check::new("radio chip", true, chip);
    let quiet = chip.ok.then(|| Check::new("channel", false, channel::is_quiet(wiring)));
    [bus, irq, ce, chip].into_iter().chain(quiet).collect()
}

fn bus(device: &Path) -> Found {
    let name = device.display();
    match File::options().read(true).write(true).open(device) {
        Ok(_) => Ok(format!("{name} is readable and writable")),
        Err(cause) if is_denied(&cause) => missing(
            format!("{name}: {cause}"),
            "add the user to the group that owns it: usermod -aG spi USER, then log in again",
        ),
        Err(cause) if cause.raw_os_error() == Some(Errno::BUSY.raw_os_error()) => {
            missing(format!("{name}: {cause}"), "end the program that uses it")
        }
        Err(cause) => missing(
            format!("{name}: {cause}"),
            "enable SPI: raspi-config, or dtparam=spi=on in /boot/firmware/config.txt, and restart",
        ),
    }
}

fn line(line: &Line) -> Found {
    match pins::holder(line) {
        Ok(None) => Ok(format!("{line} is free")),
        Ok(Some(holder)) => missing(
            format!("{line} is held by {holder:?}"),
            "end that program, or wire the pin to another line",
        ),
        Err(cause) => missing(
            format!("{line}: {cause}"),
            "specify a line that gpioinfo lists, as a member of the group gpio",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::radio::Words;

    fn of(words: Words<'_>) -> Vec<Check> {
        examine(Some(&words.choice().expect("a radio")))
    }

    #[test]
    fn what_is_missing_says_how_to_mend_it_and_what_is_there_does_not() {
        let words = Words {
            radio: "spi:/dev/no-such-device",
            ce: Some("no-such-chip:1"),
            irq: Some("no-such-chip:2"),
            ..Words::default()
        };
        let checks = of(words);
        assert!(checks.iter().all(|check| check.ok == check.mend.is_none()));
        for (name, where_it_is) in [
            ("SPI device", "/dev/no-such-device"),
            ("interrupt pin", "no-such-chip:2"),
            ("chip enable pin", "no-such-chip:1"),
            ("radio chip", "not checked"),
        ] {
            let check = checks.iter().find(|check| check.name == name).expect(name);
            assert!(!check.ok && check.needed && check.found.contains(where_it_is), "{check:?}");
        }
    }

    #[test]
    fn a_port_in_use_is_reported() {
        let taken = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
        let own = taken.local_addr().expect("an address").to_string();
        let words = Words { radio: "udp:127.0.0.1:9", listen: Some(&own), ..Words::default() };
        let port =
            |name: &str| of(words).into_iter().find(|check| check.name == name).expect("a check");
        assert!(!port("UDP port").ok);
        drop(taken);
        assert!(port("UDP port").ok);
    }
}
