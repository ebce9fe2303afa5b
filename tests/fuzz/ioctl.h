/* What the fuzz target of ioctls leaves out of a vendor's: numbers, and zeros after them. */
#ifndef INDIUM_TESTS_FUZZ_IOCTL_H
#define INDIUM_TESTS_FUZZ_IOCTL_H

#include <stdint.h>

enum { IOCTL_LEFT_OUT = 8 };
extern const uint8_t ioctl_left_out[IOCTL_LEFT_OUT];

#endif
