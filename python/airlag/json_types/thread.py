"""A Thread network of OpenThread's own nodes, as ``--json`` prints it."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import Count, Latency, Nonnegative, Share

Topology = Literal["one-hop", "chain", "star", "tree"]
Direction = Literal["up", "down"]
Traffic = Literal["periodic", "back-to-back", "saturated"]


class Flow(TypedDict):
    """Messages of one node to another."""

    from_node: Annotated[Count, "Sender; node 1 is the leader."]
    to_node: Annotated[Count, "Receiver."]
    hops: Annotated[Count, "Links between them."]
    sent: Annotated[Count, "Messages handed over."]
    delivered: Annotated[Count, "Of these, those that came."]
    refused: Annotated[Count, "Of these, those for which the sender had no message buffer."]
    lost: Annotated[Count, "Of these, those that were taken and did not come."]
    duplicates: Annotated[Count, "Messages that came once more."]
    latency_ns: Annotated[
        Latency | None, "From the program's first attempt to the other; null when nothing came."
    ]


class Network(TypedDict):
    """What a network carried."""

    topology: Topology
    nodes: Annotated[Count, "Nodes, each a process."]
    hops: Annotated[Count, "Links on the longest way to node 1."]
    boards: Annotated[str | None, "Profile whose boards the nodes are; null: they cost nothing."]
    seed: Annotated[Count, "Root seed."]
    direction: Annotated[Direction, "up: the nodes at the ends send to node 1; down: it to them."]
    traffic: Annotated[Traffic, "When messages are handed over."]
    size: Annotated[Count, "Payload, bytes."]
    count: Annotated[Count, "Messages of each flow."]
    period_ns: Annotated[Count, "From message to message of a flow, ns; 0 if it is not periodic."]
    poll_period_ns: Annotated[Count | None, "Of sleepy children, ns; null: none is sleepy."]
    frame_loss: Annotated[Share, "Share of frames that each path loses."]
    loss_burst: Annotated[Nonnegative, "Mean length of a stretch of losses, frames."]
    attach_ns: Annotated[
        list[Count],
        "By node: from being switched on to its role in the network (leader, router, child), ns.",
    ]
    formed_ns: Annotated[Count, "When the last of them had it, ns."]
    sent: Annotated[Count, "Messages handed over."]
    delivered: Annotated[Count, "Of these, those that came."]
    refused: Annotated[Count, "Of these, those for which the sender had no message buffer."]
    lost: Annotated[Count, "Of these, those that were taken and did not come."]
    goodput_kbps: Annotated[
        Nonnegative | None, "User data from the first arrival to the last; null for fewer than two."
    ]
    latency_ns: Annotated[Latency | None, "Of all flows; null when nothing came."]
    frames: Annotated[Count, "Frames on the air meanwhile, without acknowledgements."]
    retries: Annotated[Count, "Of these, those that were sent again."]
    no_acks: Annotated[Count, "Frames whose acknowledgement did not come."]
    busy: Annotated[Count, "Looks at a busy channel."]
    co_processor_full: Annotated[Count, "Frames that a radio co-processor had no room for."]
    flows: Annotated[list[Flow], "One a node at an end."]
