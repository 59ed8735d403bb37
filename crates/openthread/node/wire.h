/*
 * What a node and its simulator say to each other, over the socket that is the node's standard input.
 *
 * The simulator sends one event at a time and then waits. The node deals with it, in no time of its own,
 * and answers with one batch of records; the last says when it wants to be woken.
 *
 *   event   length, 4 | kind, 1 | now in us, 8 | body
 *   batch   length, 4 | records: kind, 1 | length, 2 | body
 *
 * Lengths do not count themselves; numbers are little-endian. The Rust side is `src/wire.rs`.
 */
#ifndef AIRLAG_WIRE_H
#define AIRLAG_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Events: from the simulator. */
enum {
    EVENT_ALARM = 0,     /* Nothing but the time. */
    EVENT_HEARD = 1,     /* Flags, RSSI in dBm, PSDU. */
    EVENT_SENT = 2,      /* Outcome, acknowledgement's PSDU if there is one. */
    EVENT_COMMAND = 3,   /* A line for the command-line interface. */
    EVENT_DATAGRAM = 4,  /* IPv6 address, 16 | UDP port, 2 | payload. */
};

/* Flags of a frame that was heard. */
enum { HEARD_ACKED_PENDING = 1 };

/* Outcomes of a frame that was to be sent. */
enum { SENT_OK = 0, SENT_NO_ACK = 1, SENT_CHANNEL_BUSY = 2 };

/* Records: from the node. */
enum {
    RECORD_ASLEEP = 0,    /* When to be woken, us, 8; all ones for never. */
    RECORD_TRANSMIT = 1,  /* Flags | channel | PSDU without its FCS. */
    RECORD_RADIO = 2,     /* State, 1 | channel, 1. */
    RECORD_IDENTITY = 3,  /* PAN, 2 | short, 2 | alternate short, 2 | extended, 8 | promiscuous, 1. */
    RECORD_PENDING = 4,   /* Always, 1 | count of short, 2 | them | extended ones. */
    RECORD_OUTPUT = 5,    /* Text of the command-line interface. */
    RECORD_TAKEN = 6,     /* otError of a datagram that was to be sent, 1. */
    RECORD_ARRIVED = 7,   /* Sender's IPv6 address, 16 | UDP port, 2 | payload. */
    RECORD_LOG = 8,       /* A line of the log. */
    RECORD_ROLE = 9,      /* otDeviceRole, 1. */
};

/* Flags of a frame to be sent. */
enum { TRANSMIT_CSMA = 1, TRANSMIT_AGAIN = 2 };

/* States of the radio. */
enum { RADIO_OFF = 0, RADIO_ASLEEP = 1, RADIO_LISTENING = 2 };

struct event {
    uint8_t kind;
    uint64_t now;
    const uint8_t *body;
    size_t length;
};

/* Puts a record of two parts into the batch. */
void wire_put(uint8_t kind, const void *head, size_t head_length, const void *tail, size_t tail_length);

/* Sends the batch with its last record, and waits for the next event; false if there is no simulator any more. */
bool wire_sleep(uint64_t wake_at, struct event *event);

#endif
