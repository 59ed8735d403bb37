#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SOCKET = STDIN_FILENO, RECORD_HEADER = 3, LENGTH = 4, EVENT_HEADER = 9 };

static uint8_t *s_batch;
static size_t s_used;
static size_t s_room;
/* The longest event is a datagram of 1280 octets or a line; what is longer is no event of ours. */
static uint8_t s_event[8192];

static void put_number(uint8_t *to, uint64_t number, size_t octets)
{
    for (size_t at = 0; at < octets; at++) {
        to[at] = (uint8_t)(number >> (8 * at));
    }
}

static uint64_t get_number(const uint8_t *from, size_t octets)
{
    uint64_t number = 0;
    for (size_t at = 0; at < octets; at++) {
        number |= (uint64_t)from[at] << (8 * at);
    }
    return number;
}

static uint8_t *grow(size_t octets)
{
    if (s_used == 0) {
        s_used = LENGTH;
    }
    if (s_used + octets > s_room) {
        s_room = 2 * (s_used + octets);
        s_batch = realloc(s_batch, s_room);
        if (s_batch == NULL) {
            abort();
        }
    }
    uint8_t *at = s_batch + s_used;
    s_used += octets;
    return at;
}

void wire_put(uint8_t kind, const void *head, size_t head_length, const void *tail, size_t tail_length)
{
    uint8_t *at = grow(RECORD_HEADER + head_length + tail_length);
    at[0] = kind;
    put_number(at + 1, head_length + tail_length, 2);
    if (head_length > 0) {
        memcpy(at + RECORD_HEADER, head, head_length);
    }
    if (tail_length > 0) {
        memcpy(at + RECORD_HEADER + head_length, tail, tail_length);
    }
}

static bool send_all(const uint8_t *from, size_t left)
{
    while (left > 0) {
        /* A simulator that is gone is no reason for a signal. */
        ssize_t sent = send(SOCKET, from, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        from += sent;
        left -= (size_t)sent;
    }
    return true;
}

/* Reads at least `least` octets into the event, behind the `have` that are there; all of them, or 0. */
static size_t receive(size_t have, size_t least)
{
    while (have < least) {
        ssize_t got = recv(SOCKET, s_event + have, sizeof(s_event) - have, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return 0;
        }
        have += (size_t)got;
    }
    return have;
}

bool wire_sleep(uint64_t wake_at, struct event *event)
{
    uint8_t when[8];
    put_number(when, wake_at, sizeof(when));
    wire_put(RECORD_ASLEEP, when, sizeof(when), NULL, 0);
    put_number(s_batch, s_used - LENGTH, LENGTH);
    bool sent = send_all(s_batch, s_used);
    s_used = 0;
    if (!sent) {
        return false;
    }
    /* There is one event at a time: what one call returns beyond its length would be out of turn. */
    size_t have = receive(0, LENGTH);
    if (have == 0) {
        return false;
    }
    size_t length = get_number(s_event, LENGTH);
    if (length < EVENT_HEADER || LENGTH + length > sizeof(s_event)) {
        return false;
    }
    have = receive(have, LENGTH + length);
    if (have != LENGTH + length) {
        return false;
    }
    event->kind = s_event[LENGTH];
    event->now = get_number(s_event + LENGTH + 1, 8);
    event->body = s_event + LENGTH + EVENT_HEADER;
    event->length = length - EVENT_HEADER;
    return true;
}
