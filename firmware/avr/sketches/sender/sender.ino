// Sends a message about every 10 ms with the stock RF24 library and its defaults. The trigger pin is high meanwhile.

#include <RF24.h>
#include <SPI.h>

const uint8_t TRIGGER = 3;
const uint8_t ADDRESS[] = "lag-1";

struct Message {
  uint32_t number;
  uint8_t rest[8];
};

RF24 radio(7, 8);  // CE, CSN
Message message;

void setup() {
  pinMode(TRIGGER, OUTPUT);
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
  radio.openWritingPipe(ADDRESS);
  radio.stopListening();
  delay(100);  // the receiver starts
}

void loop() {
  digitalWrite(TRIGGER, HIGH);
  radio.write(&message, sizeof message);
  digitalWrite(TRIGGER, LOW);
  message.number++;
  delay(10);
}
