/* The global data share: memory on the chip that shaders and packets reach by offset. */
#ifndef INDIUM_AMD_SIM_GDS_H
#define INDIUM_AMD_SIM_GDS_H

#include <stdint.h>

enum { AMD_GDS_B = 64 << 10 };

struct amd_gds {
   uint8_t bytes[AMD_GDS_B];
};

#endif
