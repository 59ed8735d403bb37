#include "platform.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <openthread/platform/alarm-micro.h>
#include <openthread/platform/alarm-milli.h>
#include <openthread/platform/entropy.h>
#include <openthread/platform/logging.h>
#include <openthread/platform/messagepool.h>
#include <openthread/platform/misc.h>
#include <openthread/platform/radio.h>
#include <openthread/platform/time.h>

#include "wire.h"

static uint64_t s_now;
static uint64_t s_random;
static uint16_t s_buffers;

void platform_init(uint64_t seed, uint16_t buffers)
{
    s_random = seed;
    s_buffers = buffers;
}

/* Time. An alarm is kept as the 32-bit time OpenThread set it to: it may lie in the past. */

struct alarm {
    bool running;
    uint32_t at;
    /* us of one tick. */
    uint32_t tick;
};

static struct alarm s_milli = {.tick = 1000};
static struct alarm s_micro = {.tick = 1};

void platform_set_now(uint64_t now)
{
    s_now = now;
}

static uint32_t ticks(const struct alarm *alarm)
{
    return (uint32_t)(s_now / alarm->tick);
}

static uint64_t due_at(const struct alarm *alarm)
{
    if (!alarm->running) {
        return UINT64_MAX;
    }
    int32_t left = (int32_t)(alarm->at - ticks(alarm));
    return left <= 0 ? s_now : (s_now / alarm->tick + (uint64_t)left) * alarm->tick;
}

uint64_t platform_next_alarm(void)
{
    uint64_t milli = due_at(&s_milli);
    uint64_t micro = due_at(&s_micro);
    return milli < micro ? milli : micro;
}

int platform_alarm_is_due(void)
{
    return platform_next_alarm() <= s_now;
}

void platform_fire(otInstance *instance)
{
    if (due_at(&s_micro) <= s_now) {
        s_micro.running = false;
        otPlatAlarmMicroFired(instance);
    }
    if (due_at(&s_milli) <= s_now) {
        s_milli.running = false;
        otPlatAlarmMilliFired(instance);
    }
}

static void start(struct alarm *alarm, uint32_t from, uint32_t after)
{
    alarm->at = from + after;
    alarm->running = true;
}

void otPlatAlarmMilliStartAt(otInstance *instance, uint32_t from, uint32_t after)
{
    (void)instance;
    start(&s_milli, from, after);
}

void otPlatAlarmMilliStop(otInstance *instance)
{
    (void)instance;
    s_milli.running = false;
}

uint32_t otPlatAlarmMilliGetNow(void)
{
    return ticks(&s_milli);
}

void otPlatAlarmMicroStartAt(otInstance *instance, uint32_t from, uint32_t after)
{
    (void)instance;
    start(&s_micro, from, after);
}

void otPlatAlarmMicroStop(otInstance *instance)
{
    (void)instance;
    s_micro.running = false;
}

uint32_t otPlatAlarmMicroGetNow(void)
{
    return ticks(&s_micro);
}

uint64_t otPlatTimeGet(void)
{
    return s_now;
}

uint64_t otPlatRadioGetNow(otInstance *instance)
{
    (void)instance;
    return s_now;
}

/* Randomness: SplitMix64 (Steele, Lea, Flood 2014). The same seed is the same node; no secret depends on it. */

static uint64_t next_random(void)
{
    s_random += 0x9E3779B97F4A7C15ULL;
    uint64_t mixed = s_random;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

otError otPlatEntropyGet(uint8_t *output, uint16_t length)
{
    for (uint16_t at = 0; at < length; at++) {
        output[at] = (uint8_t)next_random();
    }
    return OT_ERROR_NONE;
}

/* Message buffers: a list of those that are free. */

static otMessageBuffer *s_free;
static uint16_t s_free_count;

void otPlatMessagePoolInit(otInstance *instance, uint16_t least, size_t size)
{
    (void)instance;
    (void)least;
    char *all = calloc(s_buffers, size);
    if (all == NULL) {
        abort();
    }
    for (uint16_t at = 0; at < s_buffers; at++) {
        otPlatMessagePoolFree(instance, (otMessageBuffer *)(all + at * size));
    }
}

otMessageBuffer *otPlatMessagePoolNew(otInstance *instance)
{
    (void)instance;
    otMessageBuffer *first = s_free;
    if (first != NULL) {
        s_free = first->mNext;
        first->mNext = NULL;
        s_free_count--;
    }
    return first;
}

void otPlatMessagePoolFree(otInstance *instance, otMessageBuffer *buffer)
{
    (void)instance;
    buffer->mNext = s_free;
    s_free = buffer;
    s_free_count++;
}

uint16_t otPlatMessagePoolNumFreeBuffers(otInstance *instance)
{
    (void)instance;
    return s_free_count;
}

/* Everything else. */

void otPlatLog(otLogLevel level, otLogRegion region, const char *format, ...)
{
    (void)level;
    (void)region;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t kept = (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1;
        wire_put(RECORD_LOG, line, kept, NULL, 0);
    }
}

/* A node that starts again is another process: the simulator decides. */
void otPlatReset(otInstance *instance)
{
    (void)instance;
    exit(EXIT_SUCCESS);
}

otPlatResetReason otPlatGetResetReason(otInstance *instance)
{
    (void)instance;
    return OT_PLAT_RESET_REASON_POWER_ON;
}

void otPlatAssertFail(const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed\n", file, line);
}

void otPlatWakeHost(void)
{
}
