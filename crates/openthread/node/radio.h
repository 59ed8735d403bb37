/* The radio of a node, as its simulator moves it. */
#ifndef AIRLAG_RADIO_H
#define AIRLAG_RADIO_H

#include <openthread/instance.h>

#include "wire.h"

/* The EUI-64 its manufacturer gave it. */
void radio_init(uint64_t eui64);

/* True if OpenThread handed over a frame that the simulator has not been told of. */
bool radio_has_work(void);

/* Tells the simulator of it. */
void radio_work(otInstance *instance);

/* A frame was heard. */
void radio_heard(otInstance *instance, const struct event *event);

/* A frame was sent, or not. */
void radio_sent(otInstance *instance, const struct event *event);

#endif
