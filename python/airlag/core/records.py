"""Answers of the core, as objects whose attributes are the keys of the answer.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from typing import Literal

from airlag.core import types
from airlag.core.answered import Answered, Each, Key, Maybe, Named, One


class Change(Answered, shape=types.Change):
    """A set of parameter changes, and their measured effect."""

    settings = Key[dict[str, str]]()
    p50 = Key[types.Difference]("p50_ns")
    p99 = Key[types.Difference]("p99_ns")
    delivery = Key[types.Difference | None]()
    floor_ns = Key[int]()
    costs = Key[list[str]]()
    charges = Key[types.ChangedChargeEnds]()


class AdviceStep(Answered, shape=types.AdviceStep):
    """One change to make, or a remark on the changes."""

    kind = Key[Literal["free", "trade", "note", "method"]]()
    lead = Key[str]()
    settings = Key[str]()
    text = Key[str]()


class Advice(Answered, shape=types.Advice):
    """Recommended changes, with their measured effect."""

    aim = Key[types.Aim]("for")
    single = Each(Change)
    trades = Each(Change)
    combined = Each(Change)
    alignment = Key[types.Alignment | None]()
    tried = Key[int]()
    measured = Key[int]()
    choice_seed = Key[int]()
    steps = Each(AdviceStep)


class Item(Answered, shape=types.Item):
    """Time that a run spends on one activity. A transfer without the activity counts as 0."""

    name = Key[str]()
    kind = Key[types.SliceClass]("class")
    total_ns = Key[int]()
    mean_ns = Key[float]()
    p50_ns = Key[float]()
    p99_ns = Key[float]()


class Part(Answered, shape=types.Part):
    """Time spent on one activity."""

    name = Key[str]()
    kind = Key[types.SliceClass]("class")
    ns = Key[int]()


class Timeline(Answered, shape=types.Timeline):
    """Latency budget of one transfer. The parts add up to the latency."""

    index = Key[int]()
    latency_ns = Key[int]()
    fixture_ns = Key[int]()
    parts = Each(Part)


class Budget(Answered, shape=types.Budget):
    """Latency budget of a run."""

    n = Key[int]()
    total_ns = Key[int]()
    mean_ns = Key[float]()
    fixture_ns = Key[float]()
    items = Each(Item)
    median = One(Timeline)
    p99 = One(Timeline)
    fixture_text = Key[str]()


class Position(Answered, shape=types.Position):
    """Position of the lost messages: 0 is the first message of a train, 1 the last."""

    mean = Key[float]()
    independent = Key[list[float]]()
    p = Key[float]()
    which = Key[types.Which]()
    text = Key[str]()


class Burst(Answered, shape=types.Burst):
    """Trains of back-to-back messages, and their outcome."""

    link = Key[str]()
    size = Key[int]()
    seed = Key[int]()
    settings = Key[dict[str, str]]()
    traffic = Key[types.TrainTraffic]()
    count = Key[int]()
    pace_ns = Key[int | None]()
    repeat = Key[bool]()
    delivery = Key[float]()
    interval = Key[list[float] | None]("delivery_interval")
    kbps = Key[float]("goodput_kbps")
    fragments = Key[int | None]()
    lost_at = Key[list[int]]()
    position = Maybe(Position)
    trials = Key[list[types.Trial]]()
    incidents = Key[dict[str, int]]()


class CampaignPlace(Answered, shape=types.CampaignPlace):
    """A point on a line."""

    point = Key[int]()
    x = Key[float | str]()
    position = Key[str]()


class CampaignLine(Answered, shape=types.CampaignLine):
    """A line of the chart, with its points from left to right."""

    name = Key[str]()
    places = Each(CampaignPlace)


class CampaignColumn(Answered, shape=types.CampaignColumn):
    """A column of the table, with one row per point of each line."""

    head = Key[str]()
    key = Key[str]()
    values = Key[list[int | float | float | str | None]]()
    texts = Key[list[str]]()


class CampaignAnswer(Answered, shape=types.CampaignAnswer):
    """The answer of a campaign."""

    across = Key[str]()
    measure = Key[str]()
    time_unit = Key[str]()
    lines = Each(CampaignLine)
    columns = Each(CampaignColumn)
    of_delivered = Key[bool]()
    sentences = Key[list[str]]()


class CampaignPublished(Answered, shape=types.CampaignPublished):
    """A published result with which the campaign is compared."""

    cite = Key[str]()
    at = Key[str]()
    says = Key[str]()


class CampaignAsked(Answered, shape=types.CampaignAsked):
    """The question of a campaign."""

    title = Key[str]()
    text = Key[str]()
    x = Key[str]()
    y = Key[types.Measure]()
    published = Each(CampaignPublished)


class CampaignWork(Answered, shape=types.CampaignWork):
    """One run of a campaign."""

    link = Key[str]()
    size = Key[int | None]()
    count = Key[int]()
    period_ns = Key[int | None]()
    phase = Key[types.Phase]()
    seed = Key[int]()
    settings = Key[dict[str, str]]()
    traffic = Key[types.Program]()
    trials = Key[int]()
    pace_ns = Key[int | None]()
    repeat = Key[bool]()
    utilisation = Key[float | None]()
    series = Key[str | None]()
    x = Key[str | None]()
    at = Key[float | str | None]()


class CampaignPlan(Answered, shape=types.CampaignPlan):
    """The runs of a campaign."""

    name = Key[str]()
    works = Each(CampaignWork)
    question = Maybe(CampaignAsked)


class CampaignPoint(Answered, shape=types.CampaignPoint):
    """One measured run of a campaign with a question: one point of a line in the chart."""

    link = Key[str]()
    size = Key[int | None]()
    seed = Key[int]()
    settings = Key[dict[str, str]]()
    traffic = Key[types.Program]()
    series = Key[str]()
    x = Key[str]()
    at = Key[float | str]()
    sent = Key[int]()
    lost = Key[int]()
    lost_position = Key[float | None]()
    kbps = Key[float | None]("goodput_kbps")
    incidents = Key[dict[str, int]]()


class Changed(Answered, shape=types.Changed):
    """Results of a run with another value of a constant."""

    value = Key[bool | int | float | str]()
    p50_ns = Key[float | None]()
    p99_ns = Key[float | None]()
    delivery = Key[float | None]()
    refused = Key[str | None]()
    text = Key[str]()


class Wire(Answered, shape=types.Wire):
    """One channel of a capture, or one stream of a sniffer recording."""

    position = Key[int]()
    name = Key[str]()
    initial = Key[bool | None]()
    edges = Key[int]()
    rises = Key[int]()
    rate_hz = Key[float | None]()
    high = Key[float | None]()
    shortest_high_ns = Key[int | None]()
    shortest_low_ns = Key[int | None]()


class Channels(Answered, shape=types.Channels):
    """The channels of a capture."""

    source = Key[str]()
    duration_ns = Key[int]()
    sample_rate_hz = Key[float | None]()
    wires = Each(Wire, "channels")


class Criterion(Answered, shape=types.Criterion):
    """A requirement, and the verdict of a candidate on it."""

    name = Key[types.CriterionName]()
    verdict = Key[types.RecommendVerdict]()
    value = Key[float | None]()
    limit = Key[float | None]()
    unit = Key[str]()
    distance = Key[float | None]()
    reason = Key[str]()


class Remedy(Answered, shape=types.Remedy):
    """Results of the same trains with a remedy, and the cost of the remedy in goodput."""

    pace_ns = Key[int | None]()
    repeat = Key[bool]()
    delivery = Key[float]()
    interval = Key[list[float] | None]("delivery_interval")
    kbps = Key[float]("goodput_kbps")
    fragments = Key[int | None]()
    lost_at = Key[list[int]]()
    position = Maybe(Position)
    trials = Key[list[types.Trial]]()
    goodput_share = Key[float]()
    options = Key[str]()
    text = Key[str]()


class ExplainedBurst(Answered, shape=types.ExplainedBurst):
    """Results of trains of back-to-back messages, with causes of losses and remedies."""

    link = Key[str]()
    size = Key[int]()
    seed = Key[int]()
    settings = Key[dict[str, str]]()
    traffic = Key[types.TrainTraffic]()
    count = Key[int]()
    pace_ns = Key[int | None]()
    repeat = Key[bool]()
    delivery = Key[float]()
    interval = Key[list[float] | None]("delivery_interval")
    kbps = Key[float]("goodput_kbps")
    fragments = Key[int | None]()
    lost_at = Key[list[int]]()
    position = Maybe(Position)
    trials = Key[list[types.Trial]]()
    incidents = Key[dict[str, int]]()
    cause = Key[types.Cause]()
    cause_text = Key[str]()
    rate_text = Key[str | None]()
    queue_text = Key[str | None]()
    refused = Key[int]()
    on_the_way = Key[int]()
    handed_every_ns = Key[float | None]()
    arrived_every_ns = Key[float | None]()
    under_way = Key[list[float]]()


class Fate(Answered, shape=types.Fate):
    """Outcome of the triggers that were used."""

    triggers = Key[int]()
    delivered = Key[int]()
    lost = Key[int]()


class Fitted(Answered, shape=types.Fitted):
    """A fitted parameter."""

    name = Key[str]()
    value = Key[bool | int | float | str]()
    unit = Key[str]()


class Term(Answered, shape=types.Term):
    """One term of a lower bound: of a latency, or of the cycle of a saturated link."""

    name = Key[str]()
    count = Key[int]()
    each_ns = Key[int]()
    source = Key[str]()


class Floor(Answered, shape=types.Floor):
    """Lower bound of the latency, without software cost and loss."""

    ns = Key[int]()
    terms = Each(Term)


class Goodput(Answered, shape=types.Goodput):
    """Saturated goodput of a link, with its time budget."""

    link = Key[str]()
    size = Key[int]()
    seed = Key[int]()
    settings = Key[dict[str, str]]()
    kbps = Key[float]("goodput_kbps")
    ceiling_kbps = Key[float | None]()
    delivered = Key[int]()
    lost = Key[int]()
    elapsed_ns = Key[int]()
    traffic = Key[types.Carried]()
    gap = Key[types.Latency | None]("gap_ns")
    spent = Each(Part)
    incidents = Key[dict[str, int]]()
    ceiling = Key[types.Ceiling]()


class Index(Answered, shape=types.Index):
    """Share of the variance of a metric that a parameter explains."""

    name = Key[str]()
    first = Key[float]()
    first_interval95 = Key[list[float]]()
    total = Key[float]()
    total_interval95 = Key[list[float]]()


class Indexed(Answered, shape=types.Indexed):
    """Variation of a metric over the parameter space, and the share of each parameter."""

    metric = Key[str]()
    unit = Key[str]()
    mean = Key[float]()
    deviation = Key[float]("standard_deviation")
    indices = Each(Index)


class Indices(Answered, shape=types.Indices):
    """Sobol sensitivity indices of each parameter over the whole parameter space."""

    link = Key[str]()
    size = Key[int | None]()
    seed = Key[int]()
    over = Key[dict[str, str]]()
    settings = Key[dict[str, str]]()
    count = Key[int]()
    runs = Key[int]()
    metrics = Each(Indexed)


class Label(Answered, shape=types.Label):
    """The label of a run."""

    link = Key[str]()
    traffic = Key[str | None]()
    size = Key[str | None]()
    differing = Key[list[str]]()
    head = Key[list[str]]()


class LeftOutConstant(Answered, shape=types.LeftOutConstant):
    """A constant that can be neither halved nor doubled."""

    name = Key[str]()
    value = Key[bool | int | float | str]()
    unit = Key[str]()
    source = Key[types.SensitiveSource]()
    why = Key[types.LeftOutReason]()


class Link(Answered, shape=types.Link):
    """A link profile: every constant with its unit and its source."""

    name = Key[str]()
    kind = Key[str]()
    medium = Key[types.Medium | None]()
    about = Key[str]()
    good_practice = Key[bool]()
    parameters = Key[dict[str, types.Parameter]]()
    published = Key[list[types.Published]]()


class LoadPoint(Answered, shape=types.LoadPoint):
    """Steady-state results at one offered load."""

    offered_kbps = Key[float]()
    goodput_kbps = Key[float]()
    utilisation = Key[float]()
    queue_mean = Key[float]()
    offered = Key[int]()
    lost = Key[int]()
    refused = Key[int]()
    latency = Key[types.Latency | None]("latency_ns")
    delivered_nc = Key[dict[str, float]]()


class Load(Answered, shape=types.Load):
    """Latency, queueing and loss of a link as functions of the offered load."""

    link = Key[str]()
    size = Key[int]()
    seed = Key[int]()
    settings = Key[dict[str, str]]()
    goodput_kbps = Key[float]()
    ceiling_kbps = Key[float | None]()
    delivered = Key[int]()
    lost = Key[int]()
    elapsed_ns = Key[int]()
    traffic = Key[types.Carried]()
    queue = Key[int]()
    arrivals = Key[types.Arrivals]()
    points = Each(LoadPoint)
    knee_kbps = Key[float | None]()


class QuantileError(Answered, shape=types.QuantileError):
    """A latency quantile in the capture and on the bench."""

    captured_ns = Key[float]()
    virtual_ns = Key[float]()
    error_ns = Key[float]()
    error = Key[float]()


class MatchCandidate(Answered, shape=types.MatchCandidate):
    """One link profile compared with a capture."""

    link = Key[str]()
    size = Key[int | None]()
    ks = Key[float]()
    ks_chance = Key[float]()
    distance = Key[float]()
    shape = Key[float]()
    explains = Key[bool]()
    verdict = Key[str]()
    contradiction = Key[str]()
    agreement = Key[str]()
    fitting = Key[str]()
    evidence = Key[types.MatchEvidence]()
    tolerance = Key[float]()
    quantile_error = Named(QuantileError)
    free = Key[int]()
    fitted = Each(Fitted)
    captured = One(Fate)
    virtual = One(Fate)
    settings = Key[dict[str, bool | int | float | str]]()
    score = Key[float | None]()
    size_interval = Key[list[int] | None]()


class ThreadFlow(Answered, shape=types.ThreadFlow):
    """Messages from one node to another."""

    sender = Key[int]("from_node")
    receiver = Key[int]("to_node")
    hops = Key[int]()
    sent = Key[int]()
    delivered = Key[int]()
    refused = Key[int]()
    lost = Key[int]()
    duplicates = Key[int]()
    latency = Key[types.Latency | None]("latency_ns")


class Network(Answered, shape=types.Network):
    """Load on a Thread network, and its outcome over the networks of all seeds."""

    topology = Key[types.Topology]()
    nodes = Key[int]()
    hops = Key[int]()
    positions_m = Key[list[list[float]]]()
    reach_m = Key[float]()
    sensed_m = Key[float]()
    boards = Key[str | None]()
    settings = Key[dict[str, str]]()
    seed = Key[int]()
    direction = Key[types.Direction]()
    traffic = Key[types.ThreadTraffic]()
    size = Key[int]()
    count = Key[int]()
    period_ns = Key[int]()
    poll_period_ns = Key[int | None]()
    frame_loss = Key[float]()
    loss_burst = Key[float]()
    attach_ns = Key[list[int]]()
    formed_ns = Key[int]()
    sent = Key[int]()
    delivered = Key[int]()
    refused = Key[int]()
    lost = Key[int]()
    goodput_kbps = Key[float | None]()
    latency = Key[types.Latency | None]("latency_ns")
    frames = Key[int]()
    retries = Key[int]()
    no_acks = Key[int]()
    busy = Key[int]()
    co_processor_full = Key[int]()
    flows = Each(ThreadFlow)
    steps = Key[list[types.ThreadOutcome]]()
    roles = Key[list[str]]()
    by_seed = Key[list[types.ThreadSeed]]()
    spread = Key[types.ThreadSpread]()
    formation_text = Key[str]()
    radio_text = Key[str]()
    spread_text = Key[str]()


class QuantileOfAll(Answered, shape=types.QuantileOfAll):
    """A quantile over all messages. A lost message counts as slower than any delivered one."""

    ns = Key[float | None]()
    interval95 = Key[types.IntervalNs]()


class RecommendedRun(Answered, shape=types.RecommendedRun):
    """Results of a candidate on the bench."""

    triggers = Key[int]()
    n = Key[int]()
    p50 = One(QuantileOfAll, "p50_ns")
    quantile = One(QuantileOfAll, "quantile_ns")
    service_ns = Key[int | None]()
    largest = Maybe(Part)
    fade_margin_db = Key[float | None]()
    period_ns = Key[int]()
    charge = Key[types.Charge | None]()


class Recommended(Answered, shape=types.Recommended):
    """A profile with settings, and its verdict."""

    link = Key[str]()
    size = Key[int | None]()
    settings = Key[dict[str, str]]()
    good_practice = Key[bool]()
    gives_up = Key[list[str]]()
    verdict = Key[types.RecommendVerdict]()
    reason = Key[str]()
    criteria = Each(Criterion)
    floor_ns = Key[int | None]()
    seen = Maybe(RecommendedRun)
    law = Key[types.Law | None]()
    command = Key[list[str]]()


class Recommendation(Answered, shape=types.Recommendation):
    """Requirements, and the verdict on each candidate."""

    requirements = Key[list[str]]()
    candidates = Each(Recommended)
    contenders = Key[int]()
    complete = Key[bool]()
    work_s = Key[float]()


class Within(Answered, shape=types.Within):
    """Effect of a constant within its bounds."""

    effect = Key[float | None]()
    lowest = Maybe(Changed)
    highest = Maybe(Changed)


class SensitiveConstant(Answered, shape=types.SensitiveConstant):
    """Effect of one assumed or calibrated constant on the latency."""

    name = Key[str]()
    value = Key[bool | int | float | str]()
    unit = Key[str]()
    source = Key[types.SensitiveSource]()
    bound = Key[list[bool | int | float | str] | None]()
    effect = Key[float | None]()
    worth = Key[float | None]()
    open = Key[bool]()
    halved = Maybe(Changed)
    doubled = Maybe(Changed)
    within = Maybe(Within)


class Sensitivity(Answered, shape=types.Sensitivity):
    """Sensitivity of a link: each assumed or calibrated constant halved and doubled."""

    link = Key[str]()
    size = Key[int | None]()
    seed = Key[int]()
    count = Key[int]()
    p50_ns = Key[float | None]()
    p99_ns = Key[float | None]()
    delivery = Key[float | None]()
    chance_p50 = Key[float | None]()
    chance_p99 = Key[float | None]()
    chance_text = Key[str | None]()
    constants = Each(SensitiveConstant)
    left_out = Each(LeftOutConstant)


class SetupWork(Answered, shape=types.SetupWork):
    """One run of a real bench."""

    name = Key[str]()
    link = Key[str]()
    size = Key[int | None]()
    repetition = Key[int]()
    prepare = Key[list[str]]()
    setup = Key[list[str]]()
    go = Key[str | None]()
    command = Key[list[str]]()
    settings = Key[dict[str, int]]()


class SetupPlan(Answered, shape=types.SetupPlan):
    """The runs of a real bench."""

    recording = Key[types.SetupRecording]()
    console = Key[str | None]()
    expected = Key[str | None]()
    sender = Key[str | None]()
    receiver = Key[str | None]()
    timeout_ns = Key[int]()
    count = Key[int]()
    period_ns = Key[int]()
    seed = Key[int]()
    pause_ns = Key[int]()
    lead_ns = Key[int]()
    lasting_ns = Key[int]()
    works = Each(SetupWork)


class Probed(Answered, shape=types.Probed):
    """A session of probes: its round trips, one-way delays and losses."""

    source = Key[str]()
    link = Key[str | None]()
    size = Key[int | None]()
    seed = Key[int | None]()
    channels = Key[list[str] | None]()
    triggers = Key[int]()
    delivered = Key[int]()
    late = Key[int]()
    lost = Key[int]()
    censored = Key[int]()
    spurious = Key[int]()
    glitches = Key[int]()
    delivery = Key[types.Delivery | None]()
    latency_ns = Key[types.Latency | None]()
    findings = Key[list[types.Finding]]()
    round_trip_ns = Key[types.Latency | None]()
    forward_ns = Key[types.Latency | None]()
    return_ns = Key[types.Latency | None]()
    residence_ns = Key[types.Latency | None]()
    lost_forward = Key[int]()
    lost_return = Key[int]()
    lost_unknown = Key[int]()
    loss_episodes = Key[types.Episodes | None]()
    duplicates = Key[int]()
    reordered = Key[int]()
    too_late = Key[int]()
    late_sends = Key[int]()
    send_delay_ns = Key[types.Latency | None]()
    carrier_round_trip_ns = Key[types.Latency | None]()
    clock = Key[types.FarClock]()


class Tried(Answered, shape=types.Tried):
    """A setting that was tried during the search."""

    settings = Key[dict[str, str]]()
    values = Key[dict[str, float | None]]()
    kept = Key[bool]()
    refused = Key[str | None]()


class TriedSetting(Answered, shape=types.TriedSetting):
    """Effect of one parameter on the match, over its plausible values."""

    name = Key[str]()
    value = Key[bool | int | float | str]()
    unit = Key[str]()
    own = Key[bool | int | float | str]()
    distance = Key[float]()
    own_distance = Key[float]()
    next_distance = Key[float]()
    text = Key[str]()


class Turned(Answered, shape=types.Turned):
    """A parameter that differs from the profile."""

    name = Key[str]()
    profile = Key[str | None]()
    value = Key[str]()
    gives_up = Key[str]()


class TunedSetting(Answered, shape=types.TunedSetting):
    """A setting measured on fresh seeds."""

    settings = Key[dict[str, str]]()
    turned = Each(Turned)
    refused = Key[str | None]()


class Tuned(Answered, shape=types.Tuned):
    """The outcome of tuning a link."""

    link = Key[str]()
    size = Key[int | None]()
    seed = Key[int]()
    minimise = Key[list[str]]()
    maximise = Key[list[str]]()
    limits = Key[list[types.Limit]]()
    region = Key[types.Region | None]()
    count = Key[int]()
    runs = Key[int]()
    fresh_seeds = Key[int]()
    combinations = Key[int | None]()
    untuned = One(TunedSetting)
    found = Each(TunedSetting)
    turned_down = Each(TunedSetting)
    tried = Each(Tried)
