"""Client of the benchmark service, which the peripherals of bleRPC's examples also provide."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from airlag.rpc import benchmark_pb2 as messages
from airlag.rpc.client import Client
from airlag.rpc.errors import CallFailed


class Benchmark(Client):
    """Typed calls of the service ``airlag.rpc.benchmark``, with the errors of :class:`Client`."""

    async def echo(self, message: str) -> str:
        """Returns the text unchanged; at most 256 bytes."""
        request = messages.EchoRequest(message=message)
        return (await self.call("echo", request, messages.EchoResponse)).message

    async def flash_read(self, address: int, length: int) -> bytes:
        """Reads flash memory from an address; at most 8192 bytes."""
        request = messages.FlashReadRequest(address=address, length=length)
        response = await self.call("flash_read", request, messages.FlashReadResponse)
        if (response.address, len(response.data)) != (address, length):
            raise CallFailed(
                f"flash_read of {length} B at {address} was answered with {len(response.data)} B "
                f"at {response.address}"
            )
        return response.data

    async def data_write(self, data: bytes) -> int:
        """Returns the number of bytes that the peripheral received; at most 8192."""
        request = messages.DataWriteRequest(data=data)
        return (await self.call("data_write", request, messages.DataWriteResponse)).length

    async def counter_stream(self, count: int) -> AsyncGenerator[tuple[int, int], None]:
        """Yields ``count`` pairs: numbers from 0, each with its value."""
        request = messages.CounterStreamRequest(count=count)
        items = self.stream("counter_stream", request, messages.CounterStreamResponse)
        async with aclosing(items):
            async for item in items:
                yield item.seq, item.value

    async def counter_upload(self, values: Sequence[int]) -> int:
        """Returns the number of values that arrived."""
        items = [
            messages.CounterUploadRequest(seq=seq, value=value) for seq, value in enumerate(values)
        ]
        response = await self.upload("counter_upload", items, messages.CounterUploadResponse)
        return response.received_count
