/* Descriptors of images that ail has laid out, and memory for them. */
#ifndef TESTS_ASAHI_SIM_IMAGE_H
#define TESTS_ASAHI_SIM_IMAGE_H

#include "../layout/reference.h"
#include "asahi/hw/records.h"
#include "sim/vm.h"

#define IMAGE_VA UINT64_C(0x2f00000000)

/* What a driver would say of the image: of all its levels and layers, without a swizzle; for writing one level. */
void image_texture(const struct ail_layout *layout, uint32_t words[6]);
void image_pbe(const struct ail_layout *layout, uint32_t level, uint32_t words[6]);

/* Memory of a model with one image in it, at IMAGE_VA, all zero. */
struct image_memory {
   struct sim_vm *vm;
   void *host;
};

void image_map(struct image_memory *memory, uint64_t size_B);
void image_unmap(struct image_memory *memory);

#endif
