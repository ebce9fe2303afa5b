#ifndef INDIUM_UTIL_BUILD_ID_H
#define INDIUM_UTIL_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

/* The build id that the linker gave to the library or program that has this address; NULL: it has none. It stays as
 * long as the library. */
const uint8_t *build_id_at(const void *address, size_t *size_B);

#endif
