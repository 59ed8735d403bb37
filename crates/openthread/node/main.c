/*
 * A node of a Thread network in virtual time: OpenThread, its command-line interface, and a UDP socket.
 *
 *   ot-node-ftd EUI64 SEED BUFFERS     both in hexadecimal, then the count of message buffers
 *
 * Its standard input is a stream socket to the simulator: see wire.h.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <openthread/cli.h>
#include <openthread/instance.h>
#include <openthread/message.h>
#include <openthread/tasklet.h>
#include <openthread/thread.h>
#include <openthread/udp.h>

#include "platform.h"
#include "radio.h"
#include "wire.h"

/* The first port that anybody may use (RFC 6335, 6): 6LoWPAN has no shorter code for it. */
enum { PORT = 49152, ADDRESS_LENGTH = 16, ENDPOINT_LENGTH = 18 };

static otUdpSocket s_socket;

static int print(void *context, const char *format, va_list arguments)
{
    (void)context;
    char text[2048];
    int length = vsnprintf(text, sizeof(text), format, arguments);
    if (length > 0) {
        size_t kept = (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1;
        wire_put(RECORD_OUTPUT, text, kept, NULL, 0);
    }
    return length;
}

static void arrived(void *context, otMessage *message, const otMessageInfo *info)
{
    (void)context;
    uint8_t from[ENDPOINT_LENGTH];
    memcpy(from, info->mPeerAddr.mFields.m8, ADDRESS_LENGTH);
    from[16] = (uint8_t)info->mPeerPort;
    from[17] = (uint8_t)(info->mPeerPort >> 8);
    uint8_t payload[1280];
    uint16_t length = otMessageRead(message, otMessageGetOffset(message), payload, sizeof(payload));
    wire_put(RECORD_ARRIVED, from, sizeof(from), payload, length);
}

static otError send_datagram(otInstance *instance, const uint8_t *body, size_t length)
{
    otMessageInfo info;
    memset(&info, 0, sizeof(info));
    memcpy(info.mPeerAddr.mFields.m8, body, ADDRESS_LENGTH);
    info.mPeerPort = (uint16_t)(body[16] | body[17] << 8);
    otMessage *message = otUdpNewMessage(instance, NULL);
    if (message == NULL) {
        return OT_ERROR_NO_BUFS;
    }
    otError error = otMessageAppend(message, body + ENDPOINT_LENGTH, (uint16_t)(length - ENDPOINT_LENGTH));
    if (error == OT_ERROR_NONE) {
        error = otUdpSend(instance, &s_socket, message, &info);
    }
    if (error != OT_ERROR_NONE) {
        otMessageFree(message);
    }
    return error;
}

static void deal_with(otInstance *instance, const struct event *event)
{
    switch (event->kind) {
    case EVENT_HEARD:
        radio_heard(instance, event);
        break;
    case EVENT_SENT:
        radio_sent(instance, event);
        break;
    case EVENT_COMMAND: {
        char line[4096];
        if (event->length < sizeof(line)) {
            memcpy(line, event->body, event->length);
            line[event->length] = '\0';
            otCliInputLine(line);
        }
        break;
    }
    case EVENT_DATAGRAM:
        if (event->length >= ENDPOINT_LENGTH) {
            uint8_t error = (uint8_t)send_datagram(instance, event->body, event->length);
            wire_put(RECORD_TAKEN, &error, sizeof(error), NULL, 0);
        }
        break;
    default:
        break;
    }
}

static void changed(otChangedFlags flags, void *instance)
{
    if (flags & OT_CHANGED_THREAD_ROLE) {
        uint8_t role = (uint8_t)otThreadGetDeviceRole(instance);
        wire_put(RECORD_ROLE, &role, sizeof(role), NULL, 0);
    }
}

static otInstance *start(void)
{
    otInstance *instance = otInstanceInitSingle();
    otCliInit(instance, print, NULL);
    otSetStateChangedCallback(instance, changed, instance);
    otSockAddr own = {.mPort = PORT};
    if (otUdpOpen(instance, &s_socket, arrived, NULL) != OT_ERROR_NONE ||
        otUdpBind(instance, &s_socket, &own, OT_NETIF_THREAD_HOST) != OT_ERROR_NONE) {
        fputs("no UDP socket\n", stderr);
        exit(EXIT_FAILURE);
    }
    return instance;
}

/* A simulator that ends takes its nodes with it, whatever they are doing: one that hangs or is stopped never
 * reads that its socket was closed. Where the simulator ended before this call, the socket is closed already. */
static void end_with_simulator(void)
{
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        perror("prctl");
    }
#endif
}

int main(int argc, char *argv[])
{
    end_with_simulator();
    if (argc != 4) {
        fprintf(stderr, "%s EUI64 SEED BUFFERS, with a socket as standard input\n", argv[0]);
        return 2;
    }
    radio_init(strtoull(argv[1], NULL, 16));
    platform_init(strtoull(argv[2], NULL, 16), (uint16_t)strtoul(argv[3], NULL, 10));
    otInstance *instance = start();
    for (;;) {
        while (otTaskletsArePending(instance) || platform_alarm_is_due() || radio_has_work()) {
            otTaskletsProcess(instance);
            platform_fire(instance);
            radio_work(instance);
        }
        struct event event;
        if (!wire_sleep(platform_next_alarm(), &event)) {
            return 0;
        }
        platform_set_now(event.now);
        deal_with(instance, &event);
    }
}
