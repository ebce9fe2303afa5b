/* Queries of pipeline statistics. The hardware counts none of it. What the parameters of draws and dispatches say is
 * added up: on the CPU while they are recorded, and by an internal program where the parameters lie in memory.
 * Fragments count themselves: draws within a query enter their program by some instructions ahead of it. */
#ifndef INDIUM_AGX_STATISTICS_H
#define INDIUM_AGX_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/drivers/asahi/commands/agx_query.h"

struct agx_context;
struct agx_screen;
struct agx_stage_code;

/* Values of a slot, in the order of Vulkan's bits. */
enum agx_statistic {
   AGX_STATISTIC_INPUT_VERTICES = 0,
   AGX_STATISTIC_INPUT_PRIMITIVES = 1,
   AGX_STATISTIC_VERTEX_INVOCATIONS = 2,
   AGX_STATISTIC_CLIPPING_INVOCATIONS = 5,
   AGX_STATISTIC_CLIPPING_PRIMITIVES = 6,
   AGX_STATISTIC_FRAGMENT_INVOCATIONS = 7,
   AGX_STATISTIC_COMPUTE_INVOCATIONS = 10,
};

/* Of a context. A secondary that inherits a query counts in memory of its own; who executes it adds that. */
struct agx_statistics {
   bool active;
   bool inherited;                    /* from a query that nobody knows yet */
   uint64_t values_va;                /* what the GPU counts: the words of a slot, 32 bits of each */
   uint64_t address_va;               /* where the address of the fragments' word lies */
   uint64_t host[AGX_NUM_STATISTICS]; /* what the CPU counts */
};

void agx_statistics_begin(struct agx_context *ctx, uint64_t slot_va);
uint64_t agx_statistics_end(struct agx_context *ctx); /* where values lie that the slot does not have yet */

/* A secondary that runs inside of a query of statistics. Then around its commands, by whoever executes it. */
void agx_statistics_inherit(struct agx_context *ctx);
void agx_statistics_before(struct agx_context *ctx, const struct agx_context *secondary);
void agx_statistics_add_secondary(struct agx_context *ctx, const struct agx_context *secondary);

/* Draws and dispatches, while a query is active. Indirect: parameters of `count` draws, stride_B from each other;
 * three numbers of workgroups. */
void agx_statistics_draw(struct agx_context *ctx, uint32_t vertices, uint32_t instances);
void agx_statistics_draw_indirect(struct agx_context *ctx, uint64_t va, uint32_t stride_B, uint32_t count);
void agx_statistics_dispatch(struct agx_context *ctx, const uint32_t groups[3], const uint32_t workgroup[3]);
void agx_statistics_dispatch_indirect(struct agx_context *ctx, uint64_t va, const uint32_t workgroup[3]);

#endif
