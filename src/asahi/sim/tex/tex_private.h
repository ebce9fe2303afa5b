/* Between the files of this room. */
#ifndef INDIUM_ASAHI_SIM_TEX_PRIVATE_H
#define INDIUM_ASAHI_SIM_TEX_PRIVATE_H

#include "asahi/sim/surface/surface.h"
#include "asahi/sim/tex/tex.h"
#include "sim/texel/vec4.h"

/* What a dimension of an instruction takes. */
struct tex_dim {
   uint8_t place; /* coordinates of place: 3 of a cube */
   bool has_layer, has_sample, is_cube;
};

/* NULL: there is no such dimension. */
const struct tex_dim *tex_dim(unsigned dim);

/* Layer and sample of a lane, of coordinates as agx_tex_operands() says. */
void tex_layer_sample(const struct tex_dim *dim, bool coords_16, const uint32_t coords[5][AGX_TEX_LANES],
                      unsigned lane, uint32_t *layer, uint32_t *sample);

/* The surface of a descriptor, from a small cache of the calling thread, valid until its next call, and with its
 * memory looked up. NULL after a fault. */
struct agx_surface *tex_surface(const struct sim_vm *vm, const uint32_t words[6], bool is_pbe, unsigned dim,
                                struct sim_fault *fault);

/* Component c of a result as the swizzle of the texture wants it, in the size of the result; and all four. */
uint32_t tex_channel(const struct agx_surface *surface, const struct agx_tex_request *request, v4u texel, unsigned c);
void tex_put(const struct agx_surface *surface, const struct agx_tex_request *request, unsigned lane, v4u texel,
             struct agx_tex_result *result);

/* Results that nobody may rely on. */
v4u tex_garbage(unsigned lane);

/* The packed offset of a coordinate of place: 4 signed bits. */
static inline int8_t
tex_offset(const struct agx_tex_request *request, unsigned coordinate, unsigned lane)
{
   uint32_t packed = request->zs[request->shadow][lane];
   return (int8_t)((int8_t)(packed >> (4 * coordinate) << 4) >> 4);
}

/* smpi and smpf. */
bool tex_fetch(const struct sim_vm *vm, const struct agx_tex_request *request, struct agx_surface *surface,
               struct agx_tex_result *result, struct sim_fault *fault);
bool tex_sample(const struct sim_vm *vm, const struct agx_tex_request *request, struct agx_surface *surface,
                struct agx_tex_result *result, struct sim_fault *fault);

#endif
