/*
 * How OpenThread is set up for a node on the virtual bench. What is not here is as its developers ship it.
 */
#ifndef OPENTHREAD_CORE_AIRLAG_CONFIG_H
#define OPENTHREAD_CORE_AIRLAG_CONFIG_H

#define OPENTHREAD_CONFIG_PLATFORM_INFO "AIRLAG"

/* Backoffs are multiples of 320 us. */
#define OPENTHREAD_CONFIG_PLATFORM_USEC_TIMER_ENABLE 1

/* How many message buffers there are is an argument of the program: boards differ in it. */
#define OPENTHREAD_CONFIG_PLATFORM_MESSAGE_MANAGEMENT 1

/* As many as there may be nodes. It is 10 as shipped; boards set it, Zephyr to 32. */
#define OPENTHREAD_CONFIG_MLE_MAX_CHILDREN 64

#define OPENTHREAD_CONFIG_LOG_OUTPUT OPENTHREAD_CONFIG_LOG_OUTPUT_PLATFORM_DEFINED
#define OPENTHREAD_CONFIG_LOG_PREPEND_UPTIME 0
/* Nothing, until `log level` asks for it. */
#define OPENTHREAD_CONFIG_LOG_LEVEL_INIT OT_LOG_LEVEL_NONE

#endif
