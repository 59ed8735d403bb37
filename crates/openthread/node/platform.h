/* What OpenThread asks of a board besides its radio: time, randomness, memory, a log. */
#ifndef AIRLAG_PLATFORM_H
#define AIRLAG_PLATFORM_H

#include <openthread/instance.h>

#include <stdint.h>

/* What its random numbers begin with, and how many message buffers there are. */
void platform_init(uint64_t seed, uint16_t buffers);

/* Moves the node's clock: us since it was switched on. */
void platform_set_now(uint64_t now);

/* When the next alarm is due, us; UINT64_MAX if none is set. */
uint64_t platform_next_alarm(void);

/* True if one is due. */
int platform_alarm_is_due(void);

/* Fires what is due. */
void platform_fire(otInstance *instance);

#endif
