/* Compiled fragment shaders with ordered sections, drawn on the model with overlapping rectangles, and the same
 * rectangles one after the other in the interpreter. The vertex shader gives VAR0, flat: the rectangle's number
 * from 1. */
#ifndef INDIUM_TESTS_POPS_COMPILED_H
#define INDIUM_TESTS_POPS_COMPILED_H

#include "aco_random.h"
#include "compiler/nir/nir_interp.h"
#include "pops_scene.h"

enum {
   POPS_RECTS = 10,
   POPS_SIDE = 14,                      /* px of the square that they lie in */
   POPS_PLANE_B = POPS_W * POPS_H * 16, /* four words for each pixel of the target */
   POPS_PLANES = 3,
   POPS_MEMORY_B = POPS_PLANES * POPS_PLANE_B,
};

/* Address of the words; the shader gets it in s[0:1]. */
static const uint64_t pops_words_va = stream_base + POPS_WORDS_B;

struct pops_rects {
   struct pops_rect at[POPS_RECTS];
   unsigned samples_log2;
   bool per_sample; /* sample interlock */
};

/* A model with two compute units after one L1 and one after another, so that waves meet lines that earlier ones of
 * theirs, or of a neighbour's, left in L0 and L1. */
struct stream pops_stream_create(void);

/* Random numbers: a new state, from a seed or an old state. */
uint64_t pops_random(uint64_t state);

void pops_random_rects(struct pops_rects *rects, uint64_t seed);

/* Overlapping quads may share a wave. */
bool pops_has_layers(void);

/* For aco: COLLISION_WAVEID and so on come after two user SGPRs. With layers a loop over them where there are any.
 */
bool pops_compile(struct arena *arena, struct nir_shader *shader, unsigned wave_size, bool layers,
                  struct aco_output *out, const char **error);

/* Runs the shader in the interpreter, rectangle after rectangle. NULL or what went wrong. */
const char *pops_interpret(struct arena *arena, struct nir_shader *shader, const struct pops_rects *rects,
                           const struct nir_interp_buffer *buffers, unsigned buffer_count);

/* Draws under one schedule, with zeros in memory before, and compares with POPS_MEMORY_B bytes. NULL or what went
 * wrong; expected may be NULL. */
const char *pops_draw_and_compare(struct arena *arena, struct stream *s, const struct pops_rects *rects,
                                  const struct aco_output *out, const struct sim_schedule *schedule,
                                  const uint8_t *expected);

/* The same under a schedule that is in order, the worst, and one that the seed draws. */
const char *pops_draw_schedules(struct arena *arena, struct stream *s, const struct pops_rects *rects,
                                const struct aco_output *out, uint32_t seed, const uint8_t *expected);

/* The first difference of two memories of POPS_MEMORY_B bytes, NULL if there is none. */
const char *pops_compare(struct arena *arena, const uint8_t *is, const uint8_t *should);

#endif
