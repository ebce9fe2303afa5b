/* Which draws depend on the order of their primitives: every batch of draws that may be rasterised together
 * (cp/cp_batch.h) is run in the order of submission and in others, from the same memory each time, as if the driver
 * had let it; targets, counts of samples and what shaders have written are compared. Then it runs as the program
 * would have it.
 *
 * The report has a line for each class of draws: all whose state is the same in words and that ended alike. */
#ifndef INDIUM_AMD_SIM_ORDER_CHECK_H
#define INDIUM_AMD_SIM_ORDER_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "amd/sim/draw/draw_mix.h"

struct amd_order_check;
struct amd_chip;
struct sim_pool;

/* What differs between two orders; a set. */
enum amd_order_differs {
   AMD_ORDER_COLOR = 1,
   AMD_ORDER_DEPTH = 2,
   AMD_ORDER_STENCIL = 4,
   AMD_ORDER_ANY = 8,      /* whether any sample passed */
   AMD_ORDER_COUNT = 16,   /* how many did, where DB_COUNT_CONTROL asks for that */
   AMD_ORDER_RUNS = 32,    /* what shaders have written, and how many of them ran: early tests decide that */
   AMD_ORDER_SECTION = 64, /* what shaders have written in ordered sections */
   AMD_ORDER_MEMORY = 128, /* the same without: no API promises an order there */
   AMD_ORDER_MATTERS = 127,
};

/* orders: random ones, besides that of submission and its reverse. NULL: out of memory. */
struct amd_order_check *amd_order_check_create(const struct amd_chip *chip, struct sim_pool *pool, unsigned orders);
void amd_order_check_destroy(struct amd_order_check *check);

/* Tries a batch; memory and registers are as before then. False: a fault of its own. */
bool amd_order_check_batch(struct amd_order_check *check, struct amd_gpu *gpu, const struct amd_batch_draw *draws,
                           uint32_t count);

void amd_order_check_report(const struct amd_order_check *check, FILE *out);

struct amd_draw_state;

/* order_words.c: what of a draw's state has to do with order. perfect: samples are counted one by one. */
void amd_order_words(const struct amd_draw_state *state, bool perfect, char *text, size_t size_B);

#endif
