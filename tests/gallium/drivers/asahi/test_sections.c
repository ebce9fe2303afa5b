/* Random fragment shaders with ordered sections: what the driver's lowering and compiler make of them, run on the
 * model's simd-groups as fragments of overlapping rectangles, under several schedules, leaves in memory what the
 * interpreter leaves, one rectangle after the other. AGX_TEST_PROGRAMS says how many; test_agx_sections SEED prints
 * one program and runs only that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "asahi/sim/wave/wave.h"
#include "choices.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "random_sections.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

enum {
   PROGRAMS = 600,
   SIDE = 8, /* pixels */
   PIXELS = SIDE * SIDE,
   RECTS = 8,
   WORDS = 4,     /* of a pixel; those of SUMS are added to after the sections */
   SUMS = PIXELS, /* after the words of all pixels */
   MEMORY_B = 2 * PIXELS * WORDS * 4,
   PAGE_B = 16384,
   MAX_GROUPS = RECTS * (PIXELS / 4 / AGX_WAVE_QUADS + 1),
};
#define USC_VA UINT64_C(0x1100000000)
#define MEMORY_VA UINT64_C(0x2000000000)

/* ---- programs ---- */

enum {
   ALONE,        /* there is one section, in a branch */
   LOOP,         /* a loop in each section */
   LEFT,         /* by invocations that end in it, outside of its loops */
   DERIVATIVE,   /* at the start */
   ENDS_IN_LOOP, /* invocations end in a loop of a section */
};
static const struct choice table[] = {
   [ALONE] = {.name = "alone", .values = 2, .one_in = 3},
   [LOOP] = {.name = "loop", .values = 2, .one_in = 3},
   [LEFT] = {.name = "left", .values = 2, .one_in = 3},
   [DERIVATIVE] = {.name = "derivative", .values = 2},
   [ENDS_IN_LOOP] = {.name = "discard in a section's loop", .values = 2, .found = true},
};
static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};

struct generator {
   struct sections s;
   struct nir_def *offset_B, *buffer; /* another way to the words of the pixel */
};

static unsigned
below(struct generator *g, unsigned n)
{
   return sections_below(&g->s, n);
}

static struct nir_def *
load_words(struct generator *g, bool by_address, unsigned first, unsigned count)
{
   if (by_address)
      return nir_load_global(&g->s.b, count, 32, g->s.address, .base = (int32_t)first * 4, .align_mul = 4);
   /* A binding may promise what another one does not keep. */
   return nir_load_ssbo(&g->s.b, count, 32, g->buffer, nir_iadd_imm(&g->s.b, g->offset_B, (int32_t)first * 4),
                        .align_mul = 4, .access = below(g, 3) ? 0 : NIR_ACCESS_NON_WRITEABLE);
}

static void
store_words(struct generator *g, bool by_address, unsigned first, struct nir_def *value, uint32_t mask)
{
   if (by_address)
      nir_store_global(&g->s.b, value, g->s.address, .base = (int32_t)first * 4, .align_mul = 4, .write_mask = mask);
   else
      nir_store_ssbo(&g->s.b, value, g->buffer, nir_iadd_imm(&g->s.b, g->offset_B, (int32_t)first * 4),
                     .align_mul = 4, .write_mask = mask);
}

static void
change_by_atomic(struct generator *g, unsigned word)
{
   struct nir_def *old =
      below(g, 2) ? nir_global_atomic(&g->s.b, g->s.address, sections_value(&g->s), .base = (int32_t)word * 4,
                                      .atomic_op = below(g, 2) ? NIR_ATOMIC_xchg : NIR_ATOMIC_iadd)
                  : nir_ssbo_atomic(&g->s.b, g->buffer, nir_iadd_imm(&g->s.b, g->offset_B, (int32_t)word * 4),
                                    sections_value(&g->s), .atomic_op = NIR_ATOMIC_ixor);

   nir_store_var(&g->s.b, sections_variable(&g->s), old, 1);
}

static void
change_words(struct sections *s)
{
   struct generator *g = (struct generator *)s;
   unsigned count = 1u << below(g, 3), first = below(g, WORDS / count) * count;
   struct nir_def *old = load_words(g, below(g, 2), first, count), *now = sections_change(s, old);

   if (below(g, 4))
      store_words(g, below(g, 2), first, now, below(g, 3) ? (1u << count) - 1 : 1 + below(g, (1u << count) - 1));
   if (!below(g, 4))
      change_by_atomic(g, below(g, WORDS));
   nir_store_var(&s->b, sections_variable(s), nir_channel(&s->b, old, below(g, count)), 1);
}

/* Words that others change; what they held matters after the section. */
static void
read_words(struct sections *s)
{
   struct generator *g = (struct generator *)s;

   nir_store_var(&s->b, sections_variable(s), load_words(g, below(g, 2), below(g, WORDS), 1), 1);
}

static const struct sections_target target = {.change_words = change_words, .read_words = read_words};

static struct nir_shader *
random_shader(struct arena *arena, uint32_t seed)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct generator g = {.s = {.b = nir_builder_create(shader),
                               .state = seed,
                               .target = &target,
                               .sums_B = SUMS * WORDS * 4,
                               .single_section = choices.now[ALONE],
                               .loops_inside = choices.now[LOOP],
                               .ends_inside = choices.now[LEFT]}};
   struct nir_builder *b = &g.s.b;
   struct nir_def *place = nir_load_frag_coord(b);
   struct nir_def *x = nir_f2u32(b, nir_channel(b, place, 0)), *y = nir_f2u32(b, nir_channel(b, place, 1));
   struct nir_def *pixel = nir_iadd(b, nir_imul_imm(b, y, SIDE), x);
   struct nir_def *id = nir_load_input(b, 1, 32, nir_imm_int(b, 0), .slot = NIR_SLOT_VAR0, .src_type = NIR_TYPE_UINT);
   struct nir_def *values[SECTIONS_VARIABLES] = {id, pixel, nir_iadd(b, nir_imul_imm(b, id, 5), x)};

   shader->info.interlock = NIR_INTERLOCK_PIXEL_ORDERED;
   if (choices.now[DERIVATIVE]) /* needs the helpers of the quad */
      values[2] =
         nir_f2iN(b, nir_fddx_fine(b, nir_u2fN(b, nir_iand_imm(b, nir_imul(b, pixel, values[2]), 255), 32)), 32);
   g.offset_B = nir_imul_imm(b, pixel, WORDS * 4);
   g.s.address = nir_iadd(b, nir_imm_int64(b, MEMORY_VA), nir_u2uN(b, g.offset_B, 64));
   g.buffer = nir_vec4(b, nir_imm_int(b, (int32_t)MEMORY_VA), nir_imm_int(b, (int32_t)(MEMORY_VA >> 32)),
                       nir_imm_int(b, MEMORY_B), nir_imm_int(b, 0));
   sections_emit(&g.s, values);
   choices.now[ENDS_IN_LOOP] = g.s.ends_in_section_loop;
   return shader;
}

/* ---- fragments ---- */

struct quad {
   uint8_t x, y, covered; /* a bit for each pixel */
};

struct rect {
   uint32_t count;
   struct quad quads[PIXELS / 4];
};

struct scene {
   struct rect rects[RECTS];
};

static void
random_scene(struct scene *scene, uint64_t seed)
{
   memset(scene, 0, sizeof(*scene));
   for (unsigned r = 0; r < RECTS; r++) {
      unsigned x0 = choices_below(&seed, SIDE - 2), y0 = choices_below(&seed, SIDE - 2);
      unsigned x1 = x0 + 2 + choices_below(&seed, SIDE), y1 = y0 + 2 + choices_below(&seed, SIDE);

      for (unsigned q = 0; q < PIXELS / 4; q++) {
         struct quad quad = {.x = (uint8_t)(q % (SIDE / 2) * 2), .y = (uint8_t)(q / (SIDE / 2) * 2)};

         for (unsigned i = 0; i < 4; i++) {
            unsigned x = quad.x + i % 2, y = quad.y + i / 2;

            quad.covered |= (uint8_t)((x >= x0 && x < x1 && y >= y0 && y < y1) << i);
         }
         if (quad.covered)
            scene->rects[r].quads[scene->rects[r].count++] = quad;
      }
   }
}

static const char *
run_in_order(struct arena *arena, struct nir_shader *shader, const struct scene *scene, uint8_t *memory)
{
   static struct sections_lanes lanes;
   const struct nir_interp_buffer buffer = {.va = MEMORY_VA, .data = memory, .size_B = MEMORY_B};
   const struct nir_interp_params params = {.buffers = &buffer, .num_buffers = 1};

   for (unsigned r = 0; r < RECTS; r++) {
      lanes.count = 0;
      for (unsigned q = 0; q < scene->rects[r].count; q++) {
         const struct quad *quad = &scene->rects[r].quads[q];
         const uint32_t c = quad->covered, covered[4] = {c & 1, c >> 1 & 1, c >> 2 & 1, c >> 3 & 1};

         sections_add_quad(&lanes, quad->x, quad->y, covered, r + 1);
      }
      const char *error = sections_interpret(arena, shader, &lanes, params);

      if (error)
         return error;
   }
   return NULL;
}

/* ---- compiled ---- */

static const char *
compile(struct arena *arena, struct nir_shader *shader, struct agx_output *out)
{
   const struct agx_options options = {.validate = true, .listing = true};
   struct agx_fragment_key key = {0};
   struct agx_fragment_reads reads;
   struct agx_fragment_registers registers;
   struct agx_fragment_info info;
   const char *error = NULL;

   shader->info.robust_uniform = shader->info.robust_storage = NIR_ROBUST_INSIDE;
   agx_nir_gather_fragment_reads(shader, &reads);
   if (!agx_fragment_registers_assign(&registers, &reads, 0,
                                      (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}) ||
       !agx_tile_layout_init(&key.tile, NULL, 0, 1) ||
       !agx_nir_lower_fragment(shader, &registers, &key, &info, &error))
      return error ? error : "it reads what nobody has";
   nir_optimize(shader);
   return agx_compile(arena, shader, &options, out, &error) ? NULL : error;
}

/* Groups of up to eight quads of a rectangle. */
struct draw {
   const struct scene *scene;
   uint32_t count;
   struct group {
      uint32_t rect, first, quads, older_count, older[AGX_WAVE_MAX_OLDER];
   } groups[MAX_GROUPS];
   struct agx_wave_coefficients coefficients[RECTS][16];
};

static void
add_older(struct group *group, uint32_t older)
{
   for (uint32_t i = 0; i < group->older_count; i++)
      if (group->older[i] == older)
         return;
   group->older[group->older_count++] = older;
}

static void
form_groups(struct draw *draw)
{
   int32_t last[PIXELS];

   memset(last, -1, sizeof(last));
   for (uint32_t r = 0; r < RECTS; r++) {
      /* A register each: what is flat, in C; W. */
      for (unsigned i = 0; i < 16; i++) {
         memcpy(&draw->coefficients[r][i].c, (const uint32_t[]){r + 1}, 4);
         if (!i)
            draw->coefficients[r][i].c = 1;
      }
      for (uint32_t q = 0; q < draw->scene->rects[r].count; q += AGX_WAVE_QUADS) {
         struct group *group = &draw->groups[draw->count];

         *group = (struct group){
            .rect = r, .first = q, .quads = MIN2(draw->scene->rects[r].count - q, (uint32_t)AGX_WAVE_QUADS)};
         for (uint32_t lane = 0; lane < 4 * group->quads; lane++) {
            const struct quad *quad = &draw->scene->rects[r].quads[q + lane / 4];
            int32_t *pixel = &last[(quad->y + lane / 2 % 2) * SIDE + quad->x + lane % 2];

            if (!(quad->covered >> lane % 4 & 1))
               continue;
            if (*pixel >= 0)
               add_older(group, (uint32_t)*pixel);
            *pixel = (int32_t)draw->count;
         }
         draw->count++;
      }
   }
}

static void
start(void *user, uint32_t number, uint32_t wave, struct agx_wave_start *start)
{
   const struct draw *draw = user;
   const struct group *group = &draw->groups[number];
   struct agx_wave_fragments *f = &start->fragments;

   (void)wave;
   start->lanes = (uint32_t)bit_mask(4 * group->quads);
   f->coefficient_count = 16;
   f->older_count = group->older_count;
   memcpy(f->older, group->older, sizeof(group->older));
   for (uint32_t lane = 0; lane < 4 * group->quads; lane++) {
      const struct quad *quad = &draw->scene->rects[group->rect].quads[group->first + lane / 4];

      f->coefficients[lane / 4] = draw->coefficients[group->rect];
      f->x[lane] = (uint16_t)(quad->x + lane % 2);
      f->y[lane] = (uint16_t)(quad->y + lane / 2 % 2);
      f->samples[lane] = quad->covered >> lane % 4 & 1;
   }
}

static bool
pass_all(void *user, const struct agx_wave_test *test, uint8_t passed[AGX_WAVE_LANES], struct sim_fault *fault)
{
   (void)user;
   (void)fault;
   memcpy(passed, test->samples, AGX_WAVE_LANES);
   return true;
}

struct rig {
   struct sim_pool *pool;
   struct agx_wave_engine *engine;
   struct sim_vm *vm;
   uint8_t *code, *memory;
};

static uint8_t *
map(struct sim_vm *vm, uint64_t va, uint32_t size_B)
{
   uint8_t *memory = aligned_alloc(PAGE_B, size_B);

   assert_true(sim_vm_map(vm, sim_va(va), size_B, memory, SIM_READ | SIM_WRITE | SIM_EXECUTE));
   return memory;
}

enum { CODE_B = 8 * PAGE_B };

static struct rig
rig_open(void)
{
   struct rig rig = {.pool = sim_pool_create(1), .vm = sim_vm_create()};

   rig.engine = agx_wave_engine_create(rig.pool);
   rig.code = map(rig.vm, USC_VA, CODE_B);
   rig.memory = map(rig.vm, MEMORY_VA, align_up(MEMORY_B, PAGE_B));
   return rig;
}

static void
rig_close(struct rig *rig)
{
   agx_wave_engine_destroy(rig->engine);
   sim_pool_destroy(rig->pool);
   sim_vm_destroy(rig->vm);
   free(rig->code);
   free(rig->memory);
}

static const char *
run_compiled(struct arena *arena, struct rig *rig, const struct scene *scene, const struct agx_output *out,
             const struct sim_schedule *schedule)
{
   static const struct agx_wave_hooks hooks = {.test = pass_all};
   struct draw draw = {.scene = scene};
   struct sim_fault fault = {0};
   struct agx_program program = {.stage = AGX_STAGE_FRAGMENT,
                                 .usc_base = sim_va(USC_VA),
                                 .code = sim_va(USC_VA),
                                 .registers = (uint16_t)align_up(MAX2(out->registers_h, 1), 8),
                                 .preamble_registers = (uint16_t)align_up(MAX2(out->preamble_registers_h, 1), 16),
                                 .uniform_halves = (uint16_t)align_up(MAX2(out->uniforms_h, 1), 64)};
   uint32_t preamble_B = (uint32_t)align_up(out->code_B, 128);

   if (preamble_B + out->preamble_B > CODE_B || out->scratch_B)
      return "a program that the test has no room for";
   form_groups(&draw);
   memset(rig->memory, 0, MEMORY_B);
   memcpy(rig->code, out->code, out->code_B);
   if (out->preamble)
      memcpy(rig->code + preamble_B, out->preamble, out->preamble_B);
   for (unsigned i = 0; i < out->constant_count; i++)
      memcpy(&program.uniforms[out->constants[i].uniform], &out->constants[i].value, 4);
   agx_wave_engine_set_schedule(rig->engine, schedule);
   if (out->preamble) {
      program.preamble = sim_va(USC_VA + preamble_B);
      if (!agx_wave_run_preamble(rig->engine, rig->vm, &program, true, "test", &fault))
         return arena_strdup(arena, fault.message);
   }
   const struct agx_wave_launch launch = {.program = &program,
                                          .vm = rig->vm,
                                          .soft_faults = true,
                                          .group_count = draw.count,
                                          .waves_per_group = 1,
                                          .hooks = &hooks,
                                          .user = &draw,
                                          .start = start};
   return agx_wave_run(rig->engine, &launch, &fault) ? NULL : arena_strdup(arena, fault.message);
}

static const char *
compare(struct arena *arena, const uint8_t *is_bytes, const uint8_t *should_bytes)
{
   const uint32_t *is = (const void *)is_bytes, *should = (const void *)should_bytes;

   for (unsigned i = 0; i < MEMORY_B / 4; i++) {
      if (is[i] != should[i])
         return arena_printf(arena, "pixel %u, %u word %u%s is 0x%x, not 0x%x", i / WORDS % SIDE,
                             i / WORDS / SIDE % SIDE, i % WORDS, i / WORDS < SUMS ? "" : " of the sums", is[i],
                             should[i]);
   }
   return NULL;
}

static bool
run_seed(struct rig *rig, uint32_t seed, bool print)
{
   const struct sim_schedule schedules[] = {
      {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_WORST, 0}, {SIM_SCHEDULE_SEED, seed}, {SIM_SCHEDULE_SEED, seed + 1}};
   struct arena arena = {0};
   struct scene scene;
   struct agx_output out = {0};
   uint8_t *expected = calloc(1, MEMORY_B);
   choices_draw(&choices, seed);
   struct nir_shader *shader = random_shader(&arena, seed);
   choices_count(&choices);

   random_scene(&scene, seed);
   if (print)
      nir_print(shader, stderr);
   const char *fault = nir_validate(shader);
   fault = fault ? fault : run_in_order(&arena, shader, &scene, expected);
   fault = fault ? fault : compile(&arena, random_shader(&arena, seed), &out);
   if (print && out.listing)
      fprintf(stderr, "%s", out.listing);
   for (unsigned i = 0; i < ARRAY_SIZE(schedules) && !fault; i++) {
      fault = run_compiled(&arena, rig, &scene, &out, &schedules[i]);
      fault = fault ? fault : compare(&arena, rig->memory, expected);
      if (fault)
         fprintf(stderr, "schedule %u: ", i);
   }
   if (fault)
      fprintf(stderr, "seed %u: %s\n", seed, fault);
   free(expected);
   arena_free(&arena);
   return !fault;
}

static void
random_programs(void **state)
{
   const char *wanted = getenv("AGX_TEST_PROGRAMS");
   const uint32_t programs = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : PROGRAMS;
   unsigned failures = 0;
   struct rig rig = rig_open();

   (void)state;
   for (uint32_t seed = 1; seed <= programs && failures < 5; seed++)
      failures += !run_seed(&rig, seed, false);
   rig_close(&rig);
   assert_int_equal(failures, 0);
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

int
main(int argc, char **argv)
{
   if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9') {
      struct rig rig = rig_open();
      return !run_seed(&rig, (uint32_t)strtoul(argv[1], NULL, 10), true);
   }
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
