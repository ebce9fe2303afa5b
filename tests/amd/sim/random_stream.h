/* Packets, registers and draws that nobody chose, near enough to good ones to get far. */
#ifndef INDIUM_TESTS_RANDOM_STREAM_H
#define INDIUM_TESTS_RANDOM_STREAM_H

#include "stream.h"

/* Where choices come from: the bytes and then zeros, or a seed where bytes is NULL. */
struct random_source {
   const uint8_t *bytes;
   size_t size_B;
   uint32_t seed;
};

enum { RANDOM_TARGET_B = 2 << 20 }; /* in the stream's memory: what is drawn to */

/* Records one stream; the program is linked with the native engine. */
void random_stream(struct stream *s, struct random_source *source);

#endif
