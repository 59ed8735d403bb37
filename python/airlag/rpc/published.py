"""What bleRPC's page of benchmarks says of three centrals, with an nRF54L15 at the other end."""

from __future__ import annotations

from collections.abc import Mapping

#: By platform and benchmark, in the unit of the benchmark; its connections had an MTU of 247 and
#: were encrypted.
PUBLISHED: Mapping[str, Mapping[str, float]] = {
    "macos": {
        "flash_read_throughput": 30.3,
        "flash_read_overhead": 60.1,
        "echo_roundtrip": 60.6,
        "data_write_throughput": 3.3,
        "counter_stream": 5.8,
        "counter_upload": 7.4,
    },
    "iphone16": {
        "flash_read_throughput": 32.1,
        "flash_read_overhead": 62.3,
        "echo_roundtrip": 60.0,
        "data_write_throughput": 3.3,
        "counter_stream": 6.1,
        "counter_upload": 4.5,
    },
    "pixel5": {
        "flash_read_throughput": 59.0,
        "flash_read_overhead": 90.4,
        "echo_roundtrip": 62.2,
        "data_write_throughput": 3.2,
        "counter_stream": 3.7,
        "counter_upload": 5.1,
    },
}
