/* Ordered sections as SPIR-V may write them, in all four execution modes: through the translation and the
 * interpreter, and through aco on the model under several schedules. The expectation is C, applied rectangle after
 * rectangle. test_pops_spirv N prints module N, its nir and its code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/common/ac_descriptor.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "pops_compiled.h"
#include "pops_modules.h"
#include "share.h"
#include "spirv_test.h"
#include "util/arena.h"

static const struct {
   const char *capability, *mode;
   bool per_sample;
} modes[] = {
   {"PixelInterlock", "PixelInterlockOrdered", false},
   {"PixelInterlock", "PixelInterlockUnordered", false},
   {"SampleInterlock", "SampleInterlockOrdered", true},
   {"SampleInterlock", "SampleInterlockUnordered", true}, /* the hardware orders them as well */
};

static char *
module_text(struct arena *arena, const char *functions, unsigned mode)
{
   return arena_printf(arena, "%sOpCapability FragmentShader%sEXT\n%sOpExecutionMode %%main %sEXT\n%s%s%s",
                       MODULE_CAPABILITIES, modes[mode].capability, MODULE_ENTRY, modes[mode].mode, MODULE_TYPES,
                       functions, MODULE_FUNCTIONS);
}

static void
expect(const struct pops_rects *rects, unsigned module, uint8_t *memory)
{
   for (unsigned r = 0; r < POPS_RECTS; r++) {
      for (unsigned i = 0; i < POPS_W * POPS_H; i++) {
         struct invocation v = {.id = r + 1, .x = i % POPS_W, .y = i / POPS_W};
         v.mask = pops_coverage(&rects->at[r], rects->samples_log2, v.x, v.y);
         v.words = (uint32_t *)memory + i * 4;
         if (v.mask)
            modules[module].run(&v);
      }
   }
}

static struct nir_shader *
translate(struct arena *arena, const struct spirv_test_module *module)
{
   const struct spirv_options options = {.stage = NIR_STAGE_FRAGMENT, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_test_translate(arena, module, &options);
   nir_lower_variables(shader);
   return shader;
}

/* The one buffer is named by its descriptor. */
static void
lower_descriptors(struct nir_shader *shader)
{
   uint32_t words[AC_BUFFER_DESCRIPTOR_DW];
   ac_buffer_descriptor(ac_raw_buffer_word3(aco_test_chip()->gen), pops_words_va, POPS_MEMORY_B, words);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_vulkan_resource_index)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         nir_def_replace(&nir_as_intrinsic(instr)->def,
                         nir_vec4(&b, nir_imm_int(&b, (int32_t)words[0]), nir_imm_int(&b, (int32_t)words[1]),
                                  nir_imm_int(&b, (int32_t)words[2]), nir_imm_int(&b, (int32_t)words[3])));
         nir_instr_remove(instr);
      }
   }
}

static const char *
interpret(struct arena *arena, const struct spirv_test_module *module, const struct pops_rects *rects,
          const uint8_t *expected)
{
   uint8_t *memory = arena_array(arena, uint8_t, POPS_MEMORY_B);
   const struct nir_interp_buffer buffer = {.data = memory, .size_B = POPS_MEMORY_B};
   const char *fault = pops_interpret(arena, translate(arena, module), rects, &buffer, 1);
   fault = fault || !expected ? fault : pops_compare(arena, memory, expected);
   return fault ? arena_printf(arena, "interpreter: %s", fault) : NULL;
}

static const char *
compile_and_draw(struct arena *arena, struct stream *s, const struct spirv_test_module *module,
                 const struct pops_rects *rects, uint32_t seed, bool print, const uint8_t *expected)
{
   /* size: fields of a draw */
   struct aco_output out;
   const char *fault = NULL;
   struct nir_shader *shader = translate(arena, module);
   lower_descriptors(shader);
   if (print)
      nir_print(shader, stderr);
   if (!pops_compile(arena, shader, seed % 2 ? 32 : 64, seed / 2 % 2, &out, &fault))
      return arena_printf(arena, "aco: %s", fault);
   if (print)
      fprintf(stderr, "%s", out.listing);
   return pops_draw_schedules(arena, s, rects, &out, seed, expected);
}

/* One and four samples, waves of 32 and 64 lanes, with and without turns of layers: all eight. No number: not of
 * modules[]. */
static unsigned
run_module(struct stream *s, const char *name, const char *functions, int module, unsigned mode, bool print)
{
   struct arena arena = {0};
   char *text = module_text(&arena, functions, mode);
   struct spirv_test_module words = spirv_test_assemble(text);
   const char *fault = !words.words ? "does not assemble" : spirv_test_is_valid(&words) ? NULL : "is not valid";
   if (print)
      fprintf(stderr, "%s", text);
   const uint32_t first = (uint32_t)(module + (int)mode + 1) % test_share();
   for (uint32_t seed = first; seed < 8 && !fault; seed += test_share()) {
      struct pops_rects rects = {.samples_log2 = seed / 4 * 2, .per_sample = modes[mode].per_sample};
      uint8_t *expected = module < 0 ? NULL : arena_array(&arena, uint8_t, POPS_MEMORY_B);
      pops_random_rects(&rects, (uint64_t)(module + 1) * 8 + seed);
      if (expected)
         expect(&rects, (unsigned)module, expected);
      fault = interpret(&arena, &words, &rects, expected);
      fault = fault ? fault : compile_and_draw(&arena, s, &words, &rects, seed, print && seed == first, expected);
      if (fault)
         fault = arena_printf(&arena, "seed %u: %s", seed, fault);
   }
   if (fault)
      fprintf(stderr, "%d, %s, %s: %s\n", module, name, modes[mode].mode, fault);
   free(words.words);
   arena_free(&arena);
   return fault != NULL;
}

static void
sections(void **state)
{
   unsigned failures = 0;
   struct stream s = pops_stream_create();
   for (unsigned module = 0; module < ARRAY_SIZE(modules); module++)
      for (unsigned mode = 0; mode < ARRAY_SIZE(modes); mode++)
         failures += run_module(&s, modules[module].name, modules[module].functions, (int)module, mode, false);
   stream_destroy(&s);
   assert_int_equal(failures, 0);
}

/* No hang, and no fault of the model, which has one for every way to wait for ever. */
static void
wrong_sections(void **state)
{
   unsigned failures = 0;
   struct stream s = pops_stream_create();
   for (unsigned module = 0; module < ARRAY_SIZE(wrong_modules); module++)
      for (unsigned mode = 0; mode < ARRAY_SIZE(modes); mode++)
         failures += run_module(&s, wrong_modules[module].name, wrong_modules[module].functions, -1, mode, false);
   stream_destroy(&s);
   assert_int_equal(failures, 0);
}

int
main(int argc, char **argv)
{
   if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= '9') {
      struct stream s = pops_stream_create();
      unsigned module = (unsigned)atoi(argv[1]) % ARRAY_SIZE(modules);
      return (int)run_module(&s, modules[module].name, modules[module].functions, (int)module, 0, true);
   }
   const struct CMUnitTest tests[] = {cmocka_unit_test(sections), cmocka_unit_test(wrong_sections)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
