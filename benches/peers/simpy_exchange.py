"""An acknowledged exchange in typical SimPy style: two processes, and a store per direction.

    simpy_exchange.py FRAMES

It has no driver, bus or chip: after the airtime of a frame, the other side answers. Prints one line
of JSON.
"""

from __future__ import annotations

import json
import sys
import time

import simpy

AIR_US, TURN_US, ACK_US = 156.5, 130.0, 28.5


def main() -> None:
    """Exchanges the number of frames given on the command line."""
    frames = int(sys.argv[1])
    env = simpy.Environment()
    there, back = simpy.Store(env), simpy.Store(env)
    confirmed = 0

    def sender():
        nonlocal confirmed
        for number in range(frames):
            yield env.timeout(TURN_US + AIR_US)
            yield there.put(number)
            yield back.get()
            confirmed += 1

    def receiver():
        while True:
            number = yield there.get()
            yield env.timeout(TURN_US + ACK_US)
            yield back.put(number)

    done = env.process(sender())
    env.process(receiver())
    began = time.perf_counter()
    env.run(done)
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "confirmed": confirmed}))  # noqa: T201


if __name__ == "__main__":
    main()
