/* Packets, registers and draws that nobody chose, near enough to good ones to get far. */
#ifndef INDIUM_TESTS_RANDOM_STREAM_H
#define INDIUM_TESTS_RANDOM_STREAM_H

#include "../../fuzz/random_source.h"
#include "stream.h"

enum { RANDOM_TARGET_B = 2 << 20 }; /* in the stream's memory: what is drawn to */

/* Records one stream; the program is linked with the native engine. */
void random_stream(struct stream *s, struct random_source *source);

#endif
