/* The ioctls of asahi, by the target in ioctl.c: none of its own waits. */
#include "ioctl.h"

const uint8_t ioctl_left_out[IOCTL_LEFT_OUT] = {0};
