/* Renders for tests, put together word by word: memory, programs in the text of the disassembler, USC lists, one PPP
 * record a draw, a stream, a command; and what they leave.
 *
 * The colour target is linear, RGBA8 unorm, at byte 0 of a sample; its samples, if there are several, lie in a
 * GPU-tiled image. */
#ifndef INDIUM_TESTS_ASAHI_SIM_RENDER_TRY_H
#define INDIUM_TESTS_ASAHI_SIM_RENDER_TRY_H

#include "asahi/hw/records.h"
#include "asahi/sim/agx_sim.h"
#include "asahi/sim/surface/surface.h"

/* A draw, with the state that a test wants to change; render_draw() is the usual one. */
struct render_draw {
   const char *vertex, *fragment; /* programs; fragment NULL: none */
   const float *data;             /* what the vertex program finds at du0; each draw has its own copy */
   uint32_t data_count;
   const void *extra; /* at du2 of both programs, if any */
   uint32_t extra_B;
   uint64_t texture; /* address of what ts0 of the pixel program is; 0: none */
   enum agx_primitive primitive;
   uint32_t count, instances, start;
   const void *indices; /* NULL: none */
   uint32_t index_size_B;
   bool restart;
   uint32_t restart_index;

   uint32_t words; /* of a vertex */
   struct agx_varying_counts_32 varyings;
   struct agx_varying_counts_16 pairs;
   struct agx_output_select outputs;
   uint32_t cf_count, cf_slots, cf_registers;
   struct agx_cf_binding cf[8];

   struct agx_fragment_control control;
   struct agx_front_face face;
   struct agx_front_face_2 face_2;
   struct agx_front_stencil stencil;
   struct agx_cull cull;
   struct agx_cull_2 cull_2;
   struct agx_vdm_vertex_unknown vertex_unknown;
   bool early;
   uint32_t query;
   uint32_t viewport_count;
   struct agx_viewport viewports[4];
   struct agx_scissor scissors[4];
   struct agx_depth_bias bias;
   uint32_t leave_out; /* bits of the PPP header: parts that the record lacks */
};

struct render_try {
   struct sim_vm *vm;
   uint8_t *memory;
   uint32_t used_B;
   uint32_t width_px, height_px, samples, layers;
   uint64_t target; /* address of the colour target */
   uint64_t stream;
   uint32_t stream_dw;
   struct agx_render_command command;
   struct sim_fault fault;
   struct sim_schedule schedule;
   unsigned threads;
};

void render_begin(struct render_try *r, uint32_t width_px, uint32_t height_px, uint32_t samples, uint32_t layers);
void render_free(struct render_try *r);

/* Room for size_B bytes, aligned to 128; its address. data: NULL or what it holds. */
uint64_t render_memory(struct render_try *r, const void *data, uint32_t size_B);
void *render_host(const struct render_try *r, uint64_t address);

/* Position at words 0 to 3 and four smooth varyings from eight floats a vertex; a program that shows them. */
struct render_draw render_draw(const struct render_try *r);
extern const char render_vertex_program[], render_colour_program[];
extern const char render_short_vertex_program[]; /* only one word after the position */

/* Appends the draw to the stream. */
void render_add(struct render_try *r, const struct render_draw *draw);

/* Runs what was added. False after a fault. */
bool render_run(struct render_try *r);

/* A sample of the target after render_run(), R in the low byte. */
uint32_t render_pixel(const struct render_try *r, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample);

#endif
