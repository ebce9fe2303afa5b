/* Walks a command stream of gen7.5 to gen9 and keeps what takes part in running pixel shaders and in the coherency of
 * unordered accesses, as each primitive meets it. */
#ifndef INDIUM_INTEL_SIM_WALK_H
#define INDIUM_INTEL_SIM_WALK_H

#include "intel/hw/packet_table.h"
#include "intel/sim/kernel.h"
#include "util/dynarray.h"

enum { INTEL_MAX_COMMAND_DW = 2 + 0xffff };

/* A packet, or a command that nothing here looks at. */
struct intel_words {
   enum intel_packet packet; /* INTEL_PACKET_NONE */
   const uint32_t *words;
   unsigned count;
};

/* What a context keeps from one batch to the next. */
struct intel_walk_state {
   struct intel_uav_state state;
   uint64_t surface_base, dynamic_base, instruction_base;
   uint64_t kernels[INTEL_STAGES], ps_kernels[2]; /* offsets; of the pixel shader up to three, of as many widths */
   unsigned ps_widths;
   uint32_t binding_table, blend, depth_stencil; /* offsets */
   bool counting;                                /* PS depth counts were written an odd number of times */
   bool stalled, flushed;                        /* PIPE_CONTROL did since the primitive before */
};

/* A 3DPRIMITIVE, or the PIPE_CONTROL that runs an operation of 3DSTATE_WM_HZ_OP. */
struct intel_draw {
   uint64_t va;
   bool is_hz_op;
   struct intel_uav_state state;
   enum intel_stores stores[INTEL_STAGES]; /* of stages that are enabled */
   bool counted;                           /* an occlusion query is on */
   bool stalled, flushed;
};

struct intel_walk {
   enum intel_gen gen;
   struct intel_memory batch, memory; /* where packets are read, and what they point to */
   void (*packet)(void *data, uint64_t va, const struct intel_words *packet); /* may be NULL */
   void (*draw)(void *data, const struct intel_draw *draw);
   void *data;
   uint32_t limit_dw; /* 0: some; a stream that has more goes in circles */

   /* Private. */
   struct dynarray kernels; /* those that were read */
   char error[128];
};

/* False: the stream cannot be read to its end, and why stands in ->error. */
bool intel_walk(struct intel_walk *walk, struct intel_walk_state *state, uint64_t va);

/* Addresses of a packet that struct intel_uav_state has no place for (walk_state.c). */
void intel_walk_set(const struct intel_walk *walk, struct intel_walk_state *s, const struct intel_words *packet);

/* An address in two fields; the upper one may be missing. */
uint64_t intel_get_address(const struct intel_walk *walk, const struct intel_words *packet, enum intel_field low);

/* At a primitive: what lies in memory is read, too (walk_draw.c). */
struct intel_draw intel_walk_draw(struct intel_walk *walk, const struct intel_walk_state *s, uint64_t va);

#endif
