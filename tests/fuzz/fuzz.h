/* A fuzz target is one function that takes any bytes and ends the process when something that must hold does not.
 * libFuzzer calls it (meson -Dfuzzers=true); elsewhere replay.c, for the files it is given. */
#ifndef INDIUM_TESTS_FUZZ_H
#define INDIUM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Always 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B);

#endif
