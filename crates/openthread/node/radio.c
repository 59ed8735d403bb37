/*
 * OpenThread's radio interface (openthread/platform/radio.h) for a transceiver that lives in the simulator.
 *
 * The transceiver filters addresses, assesses the channel once a frame, acknowledges with the frame pending
 * bit from its table, and waits for acknowledgements: what the peripherals of real chips do. Backoffs,
 * retries and security are left to OpenThread, so they are its code.
 */
#include "radio.h"

#include <assert.h>
#include <string.h>

#include <openthread/platform/radio.h>
#include <openthread/platform/time.h>

enum {
    FCS_LENGTH = 2,
    FIRST_CHANNEL = 11,
    LAST_CHANNEL = 26,
    /* Entries of the table of children for whom a frame is pending; beyond that OpenThread is told no. */
    MOST_PENDING = 64,
    /* IEEE Std 802.15.4-2006, 6.5.3.3 asks for -85 dBm; the nRF52840 reaches this (its sensitivity). */
    SENSITIVITY = -100,
};

static otRadioState s_state = OT_RADIO_STATE_DISABLED;
static uint8_t s_channel = FIRST_CHANNEL;
static bool s_promiscuous;
static int8_t s_power;
static int8_t s_threshold = -75;
static uint64_t s_eui64;

static uint16_t s_pan = OT_PANID_BROADCAST;
static uint16_t s_short = 0xFFFE;
static uint8_t s_extended[OT_EXT_ADDRESS_SIZE];

static uint8_t s_transmit_psdu[OT_RADIO_FRAME_MAX_SIZE];
static uint8_t s_heard_psdu[OT_RADIO_FRAME_MAX_SIZE];
static otRadioFrame s_transmit = {.mPsdu = s_transmit_psdu};
static otRadioFrame s_heard = {.mPsdu = s_heard_psdu};
static bool s_to_send;

static bool s_match;
static uint16_t s_pending_short[MOST_PENDING];
static uint16_t s_short_count;
static uint8_t s_pending_extended[MOST_PENDING][OT_EXT_ADDRESS_SIZE];
static uint16_t s_extended_count;

void radio_init(uint64_t eui64)
{
    s_eui64 = eui64;
}

static void tell_state(void)
{
    uint8_t body[] = {RADIO_LISTENING, s_channel};
    if (s_state == OT_RADIO_STATE_DISABLED) {
        body[0] = RADIO_OFF;
    } else if (s_state == OT_RADIO_STATE_SLEEP) {
        body[0] = RADIO_ASLEEP;
    }
    wire_put(RECORD_RADIO, body, sizeof(body), NULL, 0);
}

static void set_state(otRadioState state, uint8_t channel)
{
    if (state != s_state || channel != s_channel) {
        s_state = state;
        s_channel = channel;
        tell_state();
    }
}

static void tell_identity(void)
{
    uint8_t body[13] = {(uint8_t)s_pan, (uint8_t)(s_pan >> 8), (uint8_t)s_short, (uint8_t)(s_short >> 8)};
    memcpy(body + 4, s_extended, sizeof(s_extended));
    body[12] = s_promiscuous;
    wire_put(RECORD_IDENTITY, body, sizeof(body), NULL, 0);
}

static void tell_pending(void)
{
    uint8_t head[3 + 2 * MOST_PENDING] = {!s_match, (uint8_t)s_short_count, (uint8_t)(s_short_count >> 8)};
    for (uint16_t at = 0; at < s_short_count; at++) {
        head[3 + 2 * at] = (uint8_t)s_pending_short[at];
        head[4 + 2 * at] = (uint8_t)(s_pending_short[at] >> 8);
    }
    wire_put(RECORD_PENDING, head, 3 + 2 * (size_t)s_short_count, s_pending_extended,
             (size_t)s_extended_count * OT_EXT_ADDRESS_SIZE);
}

bool radio_has_work(void)
{
    return s_to_send;
}

void radio_work(otInstance *instance)
{
    if (!s_to_send) {
        return;
    }
    s_to_send = false;
    uint8_t head[] = {0, s_transmit.mChannel};
    head[0] |= s_transmit.mInfo.mTxInfo.mCsmaCaEnabled ? TRANSMIT_CSMA : 0;
    head[0] |= s_transmit.mInfo.mTxInfo.mIsARetx ? TRANSMIT_AGAIN : 0;
    wire_put(RECORD_TRANSMIT, head, sizeof(head), s_transmit.mPsdu, s_transmit.mLength - FCS_LENGTH);
    otPlatRadioTxStarted(instance, &s_transmit);
}

static void fill(const uint8_t *psdu, size_t length, int8_t rssi)
{
    memcpy(s_heard.mPsdu, psdu, length);
    s_heard.mLength = (uint16_t)length;
    s_heard.mChannel = s_channel;
    memset(&s_heard.mInfo.mRxInfo, 0, sizeof(s_heard.mInfo.mRxInfo));
    s_heard.mInfo.mRxInfo.mTimestamp = otPlatTimeGet();
    s_heard.mInfo.mRxInfo.mRssi = rssi;
    s_heard.mInfo.mRxInfo.mLqi = OT_RADIO_LQI_NONE;
}

void radio_heard(otInstance *instance, const struct event *event)
{
    if (event->length < 2 || event->length - 2 > OT_RADIO_FRAME_MAX_SIZE || s_state == OT_RADIO_STATE_DISABLED) {
        return;
    }
    fill(event->body + 2, event->length - 2, (int8_t)event->body[1]);
    s_heard.mInfo.mRxInfo.mAckedWithFramePending = (event->body[0] & HEARD_ACKED_PENDING) != 0;
    otPlatRadioReceiveDone(instance, &s_heard, OT_ERROR_NONE);
}

void radio_sent(otInstance *instance, const struct event *event)
{
    if (event->length < 1 || event->length - 1 > OT_RADIO_FRAME_MAX_SIZE || s_state != OT_RADIO_STATE_TRANSMIT) {
        return;
    }
    /* The transceiver listens after a frame whatever it did before: openthread/platform/radio.h. */
    s_state = OT_RADIO_STATE_RECEIVE;
    s_channel = s_transmit.mChannel;
    otRadioFrame *ack = NULL;
    otError error = OT_ERROR_NONE;
    if (event->body[0] == SENT_NO_ACK) {
        error = OT_ERROR_NO_ACK;
    } else if (event->body[0] == SENT_CHANNEL_BUSY) {
        error = OT_ERROR_CHANNEL_ACCESS_FAILURE;
    } else if (event->length > 2) {
        fill(event->body + 2, event->length - 2, (int8_t)event->body[1]);
        ack = &s_heard;
    }
    otPlatRadioTxDone(instance, &s_transmit, ack, error);
}

otRadioCaps otPlatRadioGetCaps(otInstance *instance)
{
    (void)instance;
    return OT_RADIO_CAPS_ACK_TIMEOUT | OT_RADIO_CAPS_SLEEP_TO_TX;
}

void otPlatRadioGetIeeeEui64(otInstance *instance, uint8_t *eui64)
{
    (void)instance;
    for (size_t at = 0; at < OT_EXT_ADDRESS_SIZE; at++) {
        eui64[at] = (uint8_t)(s_eui64 >> (8 * (OT_EXT_ADDRESS_SIZE - 1 - at)));
    }
}

void otPlatRadioSetPanId(otInstance *instance, otPanId pan)
{
    (void)instance;
    s_pan = pan;
    tell_identity();
}

void otPlatRadioSetExtendedAddress(otInstance *instance, const otExtAddress *address)
{
    (void)instance;
    memcpy(s_extended, address->m8, sizeof(s_extended));
    tell_identity();
}

void otPlatRadioSetShortAddress(otInstance *instance, otShortAddress address)
{
    (void)instance;
    s_short = address;
    tell_identity();
}

bool otPlatRadioGetPromiscuous(otInstance *instance)
{
    (void)instance;
    return s_promiscuous;
}

void otPlatRadioSetPromiscuous(otInstance *instance, bool enable)
{
    (void)instance;
    s_promiscuous = enable;
    tell_identity();
}

otRadioState otPlatRadioGetState(otInstance *instance)
{
    (void)instance;
    return s_state;
}

bool otPlatRadioIsEnabled(otInstance *instance)
{
    (void)instance;
    return s_state != OT_RADIO_STATE_DISABLED;
}

otError otPlatRadioEnable(otInstance *instance)
{
    (void)instance;
    if (s_state == OT_RADIO_STATE_DISABLED) {
        set_state(OT_RADIO_STATE_SLEEP, s_channel);
    }
    return OT_ERROR_NONE;
}

otError otPlatRadioDisable(otInstance *instance)
{
    (void)instance;
    if (s_state != OT_RADIO_STATE_DISABLED && s_state != OT_RADIO_STATE_SLEEP) {
        return OT_ERROR_INVALID_STATE;
    }
    set_state(OT_RADIO_STATE_DISABLED, s_channel);
    return OT_ERROR_NONE;
}

otError otPlatRadioSleep(otInstance *instance)
{
    (void)instance;
    if (s_state != OT_RADIO_STATE_SLEEP && s_state != OT_RADIO_STATE_RECEIVE) {
        return OT_ERROR_INVALID_STATE;
    }
    set_state(OT_RADIO_STATE_SLEEP, s_channel);
    return OT_ERROR_NONE;
}

otError otPlatRadioReceive(otInstance *instance, uint8_t channel)
{
    (void)instance;
    if (s_state == OT_RADIO_STATE_DISABLED) {
        return OT_ERROR_INVALID_STATE;
    }
    set_state(OT_RADIO_STATE_RECEIVE, channel);
    return OT_ERROR_NONE;
}

otRadioFrame *otPlatRadioGetTransmitBuffer(otInstance *instance)
{
    (void)instance;
    return &s_transmit;
}

otError otPlatRadioTransmit(otInstance *instance, otRadioFrame *frame)
{
    (void)instance;
    assert(frame == &s_transmit);
    if (s_state != OT_RADIO_STATE_SLEEP && s_state != OT_RADIO_STATE_RECEIVE) {
        return OT_ERROR_INVALID_STATE;
    }
    s_state = OT_RADIO_STATE_TRANSMIT;
    s_channel = frame->mChannel;
    s_to_send = true;
    return OT_ERROR_NONE;
}

int8_t otPlatRadioGetRssi(otInstance *instance)
{
    (void)instance;
    return SENSITIVITY;
}

int8_t otPlatRadioGetReceiveSensitivity(otInstance *instance)
{
    (void)instance;
    return SENSITIVITY;
}

/* SubMac samples otPlatRadioGetRssi itself. */
otError otPlatRadioEnergyScan(otInstance *instance, uint8_t channel, uint16_t duration)
{
    (void)instance;
    (void)channel;
    (void)duration;
    return OT_ERROR_NOT_IMPLEMENTED;
}

otError otPlatRadioGetTransmitPower(otInstance *instance, int8_t *power)
{
    (void)instance;
    *power = s_power;
    return OT_ERROR_NONE;
}

otError otPlatRadioSetTransmitPower(otInstance *instance, int8_t power)
{
    (void)instance;
    s_power = power;
    return OT_ERROR_NONE;
}

otError otPlatRadioGetCcaEnergyDetectThreshold(otInstance *instance, int8_t *threshold)
{
    (void)instance;
    *threshold = s_threshold;
    return OT_ERROR_NONE;
}

otError otPlatRadioSetCcaEnergyDetectThreshold(otInstance *instance, int8_t threshold)
{
    (void)instance;
    s_threshold = threshold;
    return OT_ERROR_NONE;
}

uint32_t otPlatRadioGetSupportedChannelMask(otInstance *instance)
{
    (void)instance;
    return ((1U << (LAST_CHANNEL + 1)) - 1) & ~((1U << FIRST_CHANNEL) - 1);
}

uint32_t otPlatRadioGetPreferredChannelMask(otInstance *instance)
{
    return otPlatRadioGetSupportedChannelMask(instance);
}

void otPlatRadioEnableSrcMatch(otInstance *instance, bool enable)
{
    (void)instance;
    s_match = enable;
    tell_pending();
}

otError otPlatRadioAddSrcMatchShortEntry(otInstance *instance, otShortAddress address)
{
    (void)instance;
    if (s_short_count == MOST_PENDING) {
        return OT_ERROR_NO_BUFS;
    }
    s_pending_short[s_short_count++] = address;
    tell_pending();
    return OT_ERROR_NONE;
}

otError otPlatRadioAddSrcMatchExtEntry(otInstance *instance, const otExtAddress *address)
{
    (void)instance;
    if (s_extended_count == MOST_PENDING) {
        return OT_ERROR_NO_BUFS;
    }
    memcpy(s_pending_extended[s_extended_count++], address->m8, OT_EXT_ADDRESS_SIZE);
    tell_pending();
    return OT_ERROR_NONE;
}

otError otPlatRadioClearSrcMatchShortEntry(otInstance *instance, otShortAddress address)
{
    (void)instance;
    for (uint16_t at = 0; at < s_short_count; at++) {
        if (s_pending_short[at] == address) {
            s_pending_short[at] = s_pending_short[--s_short_count];
            tell_pending();
            return OT_ERROR_NONE;
        }
    }
    return OT_ERROR_NO_ADDRESS;
}

otError otPlatRadioClearSrcMatchExtEntry(otInstance *instance, const otExtAddress *address)
{
    (void)instance;
    for (uint16_t at = 0; at < s_extended_count; at++) {
        if (memcmp(s_pending_extended[at], address->m8, OT_EXT_ADDRESS_SIZE) == 0) {
            memmove(s_pending_extended[at], s_pending_extended[--s_extended_count], OT_EXT_ADDRESS_SIZE);
            tell_pending();
            return OT_ERROR_NONE;
        }
    }
    return OT_ERROR_NO_ADDRESS;
}

void otPlatRadioClearSrcMatchShortEntries(otInstance *instance)
{
    (void)instance;
    s_short_count = 0;
    tell_pending();
}

void otPlatRadioClearSrcMatchExtEntries(otInstance *instance)
{
    (void)instance;
    s_extended_count = 0;
    tell_pending();
}
