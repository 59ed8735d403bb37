// Receives messages with the stock RF24 library and its defaults. The strobe pin rises for each.

#include <RF24.h>
#include <SPI.h>

const uint8_t STROBE = 4;
const uint8_t IRQ = 2;
const uint8_t ADDRESS[] = "lag-1";

struct Message {
  uint32_t number;
  uint8_t rest[8];
};

RF24 radio(7, 8);  // CE, CSN
Message message;

#ifdef WITH_INTERRUPT
volatile bool interrupted;

void arrive() {
  interrupted = true;
}
#endif

// Whether there is a message to read.
bool arrived() {
#ifdef WITH_INTERRUPT
  if (!interrupted) {
    return false;
  }
  interrupted = false;
  return true;
#else
  return radio.available();
#endif
}

void setup() {
  pinMode(STROBE, OUTPUT);
  if (!radio.begin()) {
    Serial.begin(115200);
    Serial.println(F("the radio does not answer"));
    for (;;) {
    }
  }
#ifdef CS_DELAY
  radio.csDelay = CS_DELAY;
#endif
#ifdef DYNAMIC_PAYLOADS
  radio.enableDynamicPayloads();
#endif
#ifdef WITH_INTERRUPT
  attachInterrupt(digitalPinToInterrupt(IRQ), arrive, FALLING);
#endif
  radio.openReadingPipe(1, ADDRESS);
  radio.startListening();
}

void loop() {
  if (arrived()) {
#ifdef DYNAMIC_PAYLOADS
    uint8_t length = radio.getDynamicPayloadSize();
    if (length > sizeof message) {
      length = sizeof message;
    }
#else
    const uint8_t length = sizeof message;
#endif
    radio.read(&message, length);
    digitalWrite(STROBE, HIGH);
    digitalWrite(STROBE, LOW);
  }
}
