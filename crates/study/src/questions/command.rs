//! Command lines that reproduce a result.

/// Command line that runs a link.
pub(super) fn run(link: &str, size: Option<usize>) -> Vec<String> {
    let mut words = ["airlag", "run", link].map(str::to_owned).to_vec();
    if let Some(size) = size {
        words.extend(["--size".to_owned(), size.to_string()]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_without_a_message_has_no_size() {
        assert_eq!(run("gpio-stm32-ll-o3", None), ["airlag", "run", "gpio-stm32-ll-o3"]);
        assert_eq!(run("nrf24-2m", Some(12)), ["airlag", "run", "nrf24-2m", "--size", "12"]);
    }
}
