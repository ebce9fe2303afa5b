/* Calls that a tracer sees pass: what must hold for any bytes. */
#ifndef INDIUM_TESTS_ASAHI_WRAP_TRY_H
#define INDIUM_TESTS_ASAHI_WRAP_TRY_H

#include <stddef.h>
#include <stdint.h>

/* Takes the bytes apart into calls with their answers, of macOS if the first byte is odd and else of Linux; what lies
 * in memory comes from them, too. How many reports there were. */
unsigned wrap_try(const uint8_t *data, size_t size_B);

#endif
