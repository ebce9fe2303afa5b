/* Descriptors of images that ail has laid out, and memory for them. */
#ifndef TESTS_ASAHI_SIM_IMAGE_H
#define TESTS_ASAHI_SIM_IMAGE_H

#include "../layout/reference.h"
#include "asahi/hw/records.h"
#include "asahi/sim/tex/tex.h"
#include "sim/vm/vm.h"

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

/* An image in such memory. */
struct picture {
   struct ail_layout layout;
   struct image_memory memory;
   uint32_t texture[6];
};

void make_picture(struct picture *picture, const struct ail_image *image);

/* The bytes of a sample. */
uint8_t *picture_element(const struct picture *picture, uint32_t x, uint32_t y, uint32_t layer, uint32_t level,
                         uint32_t sample);

/* 16x16 pixels of R32_UINT. */
extern const struct ail_image plain_image;

/* Nearest level, nothing but transparent black outside: what drivers fetch with. */
extern const struct agx_sampler fetch_sampler;

/* An instruction for all lanes; the rest is zero. */
struct agx_tex_request request_of(const struct picture *picture, bool fetch, unsigned dim,
                                  const struct agx_sampler *sampler);

/* Runs it: a fault fails the test. */
void run_request(const struct picture *picture, const struct agx_tex_request *request, struct agx_tex_result *result);

#endif
