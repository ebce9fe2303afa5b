/* What a primitive meets: the state that packets have set, and what lies in the memory that they point to. */
#include "intel/sim/walk.h"

#include "util/macros.h"

#define SURFACE_NULL 7 /* bits 31:29 of a RENDER_SURFACE_STATE */

struct known_kernel {
   uint64_t va;
   struct intel_kernel kernel;
};

static struct intel_kernel
find_kernel(struct intel_walk *walk, uint64_t va)
{
   dynarray_for_each(struct known_kernel, known, &walk->kernels)
      if (known->va == va)
         return known->kernel;
   struct intel_kernel kernel = intel_kernel_read(walk->gen, &walk->memory, va);
   dynarray_append(&walk->kernels, struct known_kernel, (struct known_kernel){va, kernel});
   return kernel;
}

/* widths: of 8, 16 and 32 lanes. A single one has kernel 0; of several, 8 has kernel 0, 32 has 1 and 16 has 2. [doc:
 * PRM of Haswell and of Broadwell, 3DSTATE_PS, Kernel Start Pointer] */
static bool
is_used(unsigned widths, unsigned kernel)
{
   bool several = widths & (widths - 1);
   if (!several)
      return kernel == 0 && widths;
   return widths >> (kernel == 0 ? 0 : kernel == 1 ? 2 : 1) & 1;
}

/* Of all widths that may be dispatched. */
static struct intel_kernel
pixel_kernel(struct intel_walk *walk, const struct intel_walk_state *s)
{
   struct intel_kernel sum = {0};
   const uint64_t offsets[3] = {s->kernels[INTEL_PS], s->ps_kernels[0], s->ps_kernels[1]};
   for (unsigned i = 0; i < ARRAY_SIZE(offsets); i++) {
      if (!is_used(s->ps_widths, i))
         continue;
      struct intel_kernel kernel = find_kernel(walk, s->instruction_base + offsets[i]);
      sum.stores = MAX2(sum.stores, kernel.stores);
      sum.targets |= kernel.targets;
   }
   return sum;
}

static bool
read_words(const struct intel_walk *walk, uint64_t va, uint32_t *words, unsigned count)
{
   return walk->memory.read(walk->memory.data, va, words, count * 4);
}

/* Something is bound where the kernel writes targets. */
static bool
has_target(const struct intel_walk *walk, const struct intel_walk_state *s, uint32_t targets)
{
   for (unsigned i = 0; i < 32; i++) {
      uint32_t offset, surface;
      uint64_t entry = s->surface_base + s->binding_table + i * 4;
      if ((targets >> i & 1) && read_words(walk, entry, &offset, 1) &&
          read_words(walk, s->surface_base + (offset & ~31u), &surface, 1) && surface >> 29 != SURFACE_NULL)
         return true;
   }
   return false;
}

/* gen7.5: BLEND_STATE's first target stands for all, and DEPTH_STENCIL_STATE. */
static void
read_states(const struct intel_walk *walk, const struct intel_walk_state *s, uint32_t targets,
            struct intel_uav_state *state)
{
   enum { BLEND_DW = 2, DEPTH_STENCIL_DW = 3 };
   uint32_t words[DEPTH_STENCIL_DW];
   if (read_words(walk, s->dynamic_base + s->blend, words, BLEND_DW)) {
      bool disabled = intel_field_get(walk->gen, INTEL_BLEND_STATE_ENTRY_WRITE_DISABLE_RED, words) &&
                      intel_field_get(walk->gen, INTEL_BLEND_STATE_ENTRY_WRITE_DISABLE_GREEN, words) &&
                      intel_field_get(walk->gen, INTEL_BLEND_STATE_ENTRY_WRITE_DISABLE_BLUE, words) &&
                      intel_field_get(walk->gen, INTEL_BLEND_STATE_ENTRY_WRITE_DISABLE_ALPHA, words);
      intel_uav_apply_packet(state, INTEL_BLEND_STATE_ENTRY, words, BLEND_DW);
      state->blend.has_writeable_rt = !disabled && has_target(walk, s, targets);
   }
   if (read_words(walk, s->dynamic_base + s->depth_stencil, words, DEPTH_STENCIL_DW))
      intel_uav_apply_packet(state, INTEL_DEPTH_STENCIL_STATE, words, DEPTH_STENCIL_DW);
}

struct intel_draw
intel_walk_draw(struct intel_walk *walk, const struct intel_walk_state *s, uint64_t va)
{
   struct intel_draw draw = {.va = va,
                             .state = s->state,
                             .counted = s->counting && s->state.wm.statistics,
                             .stalled = s->stalled,
                             .flushed = s->flushed};
   struct intel_kernel pixel = {0};
   for (enum intel_stage stage = INTEL_VS; stage < INTEL_PS; stage++)
      if (s->state.enabled[stage])
         draw.stores[stage] = find_kernel(walk, s->instruction_base + s->kernels[stage]).stores;
   if (s->state.enabled[INTEL_PS])
      pixel = pixel_kernel(walk, s);
   draw.stores[INTEL_PS] = pixel.stores;
   if (intel_packets[INTEL_DEPTH_STENCIL_STATE].length_dw[walk->gen]) /* later chips have packets instead */
      read_states(walk, s, pixel.targets, &draw.state);
   return draw;
}
