/* Flat command buffers of the asahi interface: what must hold for any bytes. */
#ifndef INDIUM_TESTS_ASAHI_COMMANDS_TRY_H
#define INDIUM_TESTS_ASAHI_COMMANDS_TRY_H

#include <stddef.h>
#include <stdint.h>

/* Reads them; aborts if something is not as it must be. The result of asahi_commands_read(). Object 1 is there. */
int commands_try(const uint8_t *data, size_t size_B);

#endif
