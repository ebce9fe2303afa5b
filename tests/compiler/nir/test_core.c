/* Builder, text, validator, analyses, types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

/* ---- the validator rejects, with a sentence that names the fault ---- */

#define HEAD "shader fragment\nvar v0 in f32x4 \"a\" location=VAR0\nvar v1 temp [f32x4; 3] \"b\"\n{\nblock b0:\n"
#define CONSTS "32x1 %0 = const 0\n32x4 %1 = const 0, 1, 2, 3\n64x1 %2 = const 5\n1x1 %3 = const 1\n"

static const struct {
   const char *text, *error;
} wrong[] = {
   {HEAD CONSTS "32x1 %4 = fadd %0, %2\n}\n", "sizes of the sources"},
   {HEAD CONSTS "64x1 %4 = fadd %0, %0\n}\n", "sizes of the sources"},
   {HEAD CONSTS "1x1 %4 = fadd %3, %3\n}\n", "does not exist at this size"},
   {HEAD CONSTS "1x1 %4 = iadd %3, %3\n}\n", "does not exist at this size"},
   {HEAD CONSTS "32x1 %4 = flt %0, %0\n}\n", "another size"},
   {HEAD CONSTS "32x2 %4 = fdot2 %1.xy, %1.xy\n}\n", "component count"},
   {HEAD CONSTS "32x1 %4 = fneg %0.y\n}\n", "component that is not there"},
   {HEAD CONSTS "32x2 %4 = fneg %0\n}\n", "component that is not there"},
   {HEAD CONSTS "32x1 %4 = bcsel %0, %0, %0\n}\n", "another size"},
   {HEAD CONSTS "32x1 %4 = fadd %0, %9\n}\n", "not defined before"},
   {HEAD CONSTS "if %0 {\nblock b1:\n} else {\nblock b2:\n}\nblock b3:\n}\n", "one boolean"},
   {HEAD CONSTS "if %3 {\nblock b1:\n32x1 %5 = fneg %0\n} else {\nblock b2:\n}\nblock b3:\n32x1 %6 = fneg %5\n}\n",
    "used where it is not defined"},
   {HEAD CONSTS "break\n}\n", "outside a loop"},
   {HEAD CONSTS "halt\n32x1 %5 = fneg %0\n}\n", "after a jump"},
   {HEAD CONSTS "if %3 {\nblock b1:\n} else {\nblock b2:\n}\nblock b3:\n32x1 %5 = phi b1: %0\n}\n",
    "one source per predecessor"},
   {HEAD CONSTS "if %3 {\nblock b1:\n} else {\nblock b2:\n}\nblock b3:\n32x1 %5 = phi b1: %0, b0: %0\n}\n",
    "no predecessor"},
   {HEAD CONSTS "if %3 {\nblock b1:\n} else {\nblock b2:\n}\nblock b3:\n32x1 %5 = phi b1: %0, b2: %2\n}\n",
    "another shape"},
   {HEAD CONSTS "if %3 {\nblock b1:\n} else {\nblock b2:\n}\nblock b3:\n32x1 %4 = fneg %0\n"
                "32x1 %5 = phi b1: %0, b2: %0\n}\n",
    "after other instructions"},
   {HEAD CONSTS "32x4 %4 = load_ubo(%1, %2)\n}\n", "another size"},
   {HEAD CONSTS "32x4 %4 = load_ubo(%1, %1)\n}\n", "another component count"},
   {HEAD CONSTS "store_ssbo(%1, %1, %0) write_mask=16\n}\n", "write mask"},
   {HEAD CONSTS "store_ssbo(%1, %1, %0)\n}\n", "write mask"},
   {HEAD CONSTS "32x4 %4 = load_ubo(%1, %0) align_mul=3\n}\n", "power of two"},
   {HEAD CONSTS "32x4 %4 = load_ubo(%1, %0) align_mul=4 align_offset=4\n}\n", "beyond"},
   {HEAD CONSTS "1x1 %4 = load_ubo(%1, %0)\n}\n", "no booleans"},
   {HEAD CONSTS "32x1 %4 = load_deref(%0)\n}\n", "deref"},
   {HEAD CONSTS "32x1 %4 = deref_var v0\n32x1 %5 = fneg %4\n}\n", "deref"},
   {HEAD CONSTS "32x1 %4 = deref_var v0\n32x3 %5 = load_deref(%4)\n}\n", "different shapes"},
   {HEAD CONSTS "32x1 %4 = deref_var v1\n32x4 %5 = load_deref(%4)\n}\n", "no vector"},
   {HEAD CONSTS "32x1 %4 = deref_var v1\n32x1 %5 = deref_struct %4.0\n}\n", "no such field"},
   {HEAD CONSTS "32x1 %4 = deref_var v7\n}\n", "no such variable"},
   {HEAD CONSTS "32x1 %4 = ssbo_atomic(%1, %0, %0) atomic_op=cmpxchg\n}\n", "swap form"},
   {HEAD CONSTS "32x4 %4 = tex d2 float (coord: %1)\n}\n", "component count"},
   {HEAD CONSTS "32x4 %4 = txs d2 int (lod: %0)\n}\n", "component count"},
   {HEAD CONSTS "8x1 %4 = const 256\n}\n", "too large"},
   {HEAD CONSTS "32x1 %0 = const 1\n}\n", "there already"},
   {HEAD CONSTS "32x5 %4 = undef\n}\n", "1 to 4 components"},
   {HEAD CONSTS "fneg %0\n}\n", "has a result"},
   {HEAD CONSTS "32x1 %4 = discard()\n}\n", "no result"},
   {HEAD CONSTS "32x1 %4 = frobnicate %0\n}\n", "no such instruction"},
   {HEAD CONSTS "32x1 %4 = reduce(%0) reduction_op=isub\n}\n", "operation of a reduction"},
   {HEAD CONSTS "32x1 %4 = reduce(%0) reduction_op=umul_high\n}\n", "operation of a reduction"},
   {HEAD CONSTS "32x1 %4 = reduce(%0) reduction_op=ieq\n}\n", "operation of a reduction"},
   {HEAD CONSTS "32x1 %4 = exclusive_scan(%0) reduction_op=feq\n}\n", "operation of a reduction"},
   {"shader fragment\nvar v0 in f32x9\n{\nblock b0:\n}\n", "no such vector"},
   {"shader compute\ntype t0 u32\ntype t0 u32\n{\nblock b0:\n}\n", "there already"},
   {"shader compute\ntype t0 struct { t0; }\n{\nblock b0:\n}\n", "no type of that name"},
   {"shader hull\n{\nblock b0:\n}\n", "shader stage"},
   {"shader compute\n{\nblock b0:\n} x\n", "continues"},
   {"shader compute \"a\n{\nblock b0:\n}\n", "without an end"},
};

static void
rejected(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
      struct arena arena = {};
      const char *error = NULL;
      assert_null(nir_parse(&arena, wrong[i].text, &error));
      if (!error || !strstr(error, wrong[i].error))
         fail_msg("case %u: \"%s\" instead of \"...%s...\"", i, error ? error : "", wrong[i].error);
      arena_free(&arena);
   }
}

/* Every stage has its word, which reads back as that stage. */
static void
stages(void **state)
{
   for (unsigned i = 0; i < NIR_STAGES; i++) {
      struct arena arena = {};
      const char *error = NULL;
      char text[100], *printed;
      size_t size_B;
      snprintf(text, sizeof(text), "shader %s\ninfo workgroup_size=1,1,1\n{\nblock b0:\n}\n", nir_stage_names[i]);
      struct nir_shader *shader = nir_parse(&arena, text, &error);
      if (!shader)
         fail_msg("%s: %s", nir_stage_names[i], error);
      assert_int_equal(shader->stage, i);
      assert_int_equal(strlen(nir_stage_files[i]), 4);
      FILE *file = open_memstream(&printed, &size_B);
      nir_print(shader, file);
      fclose(file);
      assert_string_equal(printed, text);
      free(printed);
      arena_free(&arena);
   }
}

/* Sets of stages: programs, with the stages in the order in which they run. */
static void
stage_sets(void **state)
{
   static const struct {
      unsigned count;
      enum nir_stage stages[5];
      unsigned pre_raster;
   } programs[] = {
      {1, {NIR_STAGE_COMPUTE}, 0},
      {1, {NIR_STAGE_FRAGMENT}, 0},
      {1, {NIR_STAGE_VERTEX}, 1},
      {2, {NIR_STAGE_VERTEX, NIR_STAGE_FRAGMENT}, 1},
      {3, {NIR_STAGE_VERTEX, NIR_STAGE_GEOMETRY, NIR_STAGE_FRAGMENT}, 2},
      {4, {NIR_STAGE_VERTEX, NIR_STAGE_TESS_CTRL, NIR_STAGE_TESS_EVAL, NIR_STAGE_FRAGMENT}, 3},
      {5, {NIR_STAGE_VERTEX, NIR_STAGE_TESS_CTRL, NIR_STAGE_TESS_EVAL, NIR_STAGE_GEOMETRY, NIR_STAGE_FRAGMENT}, 4},
   };
   for (unsigned p = 0; p < ARRAY_SIZE(programs); p++) {
      const enum nir_stage *stages = programs[p].stages;
      uint32_t set = 0, seen = 0;
      for (unsigned i = 0; i < programs[p].count; i++)
         set |= 1u << stages[i];
      for (unsigned i = 0; i < programs[p].count; i++)
         assert_int_equal(nir_stage_before(set, stages[i]), i ? stages[i - 1] : NIR_STAGES);
      nir_foreach_stage(stage, set) {
         assert_true(1u << stage > seen);
         seen |= 1u << stage;
      }
      assert_int_equal(seen, set);
      assert_int_equal(__builtin_popcount(set & NIR_STAGES_PRE_RASTER), programs[p].pre_raster);
      assert_int_equal(nir_last_pre_raster(set),
                       programs[p].pre_raster ? stages[programs[p].pre_raster - 1] : NIR_STAGES);
   }
   assert_false(NIR_STAGES_GRAPHICS & 1u << NIR_STAGE_COMPUTE);
   nir_foreach_stage(stage, 0)
      fail_msg("%s in the empty set", nir_stage_names[stage]);
}

/* Faults that text cannot express. */
static void
broken_structure(void **state)
{
   struct arena arena = {};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *x = nir_imm_int(&b, 1), *y = nir_iadd(&b, x, x);
   struct nir_if *nif = nir_push_if(&b, nir_ieq(&b, x, y));
   nir_pop_if(&b, nif);
   assert_null(nir_validate(shader));

   struct nir_alu_instr *add = nir_as_alu(y->parent);
   list_remove(&add->src[0].src.use_link); /* a source that is in no list */
   assert_non_null(nir_validate(shader));
   list_add_tail(&add->src[0].src.use_link, &x->uses);
   assert_null(nir_validate(shader));

   x->bit_size = 24;
   assert_non_null(nir_validate(shader));
   x->bit_size = 32;

   struct nir_instr *instr = x->parent;
   list_remove(&instr->link); /* defined in no block */
   struct nir_block *block = instr->block;
   instr->block = NULL;
   assert_non_null(nir_validate(shader));
   instr->block = block;
   list_add_tail(&instr->link, &block->instrs); /* after its use */
   assert_string_not_equal(nir_validate(shader), "");
   list_remove(&instr->link);
   list_add_after(&instr->link, &block->instrs);
   assert_null(nir_validate(shader));

   struct nir_def *barycentric = nir_load_barycentric_pixel(&b, .interp = NIR_INTERP_NOPERSPECTIVE);
   struct nir_def *descriptor = nir_vulkan_resource_index(&b, x, .descriptor_kind = NIR_DESCRIPTOR_INPUT_ATTACHMENT);
   assert_null(nir_validate(shader));
   nir_intrinsic_set_interp(nir_as_intrinsic(barycentric->parent), NIR_INTERP_NOPERSPECTIVE + 1);
   assert_non_null(nir_validate(shader));
   nir_intrinsic_set_interp(nir_as_intrinsic(barycentric->parent), NIR_INTERP_FLAT);
   nir_intrinsic_set_descriptor_kind(nir_as_intrinsic(descriptor->parent), NIR_DESCRIPTOR_INPUT_ATTACHMENT + 1);
   assert_non_null(nir_validate(shader));
   nir_intrinsic_set_descriptor_kind(nir_as_intrinsic(descriptor->parent), NIR_DESCRIPTOR_SAMPLER);
   assert_null(nir_validate(shader));

   list_remove(&nir_cf_block_after(&nif->cf)->cf.link); /* the list ends with an if */
   assert_non_null(nir_validate(shader));
   arena_free(&arena);
}

/* ---- builder and control flow ---- */

static void
control_flow(void **state)
{
   struct arena arena = {};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *x = nir_load_local_invocation_index(&b), *five = nir_imm_int(&b, 5);
   struct nir_if *outer = nir_push_if(&b, nir_ult(&b, x, five));
   struct nir_def *then_def = nir_iadd_imm(&b, x, 1);
   struct nir_loop *loop = nir_push_loop(&b);
   nir_break(&b);
   nir_pop_loop(&b, loop);
   nir_push_else(&b, outer);
   struct nir_def *else_def = nir_imul_imm(&b, x, 8); /* a shift */
   nir_pop_if(&b, outer);
   struct nir_def *phi = nir_if_phi(&b, then_def, else_def);
   nir_store_ssbo(&b, phi, nir_imm_zero(&b, 2, 32), nir_imm_int(&b, 0), .write_mask = 1);
   assert_null(nir_validate(shader));
   assert_int_equal(nir_as_alu(else_def->parent)->op, NIR_OP_ishl);

   nir_compute_dominance(shader);
   assert_int_equal(shader->num_blocks, 6);
   struct nir_block *start = nir_first_block(shader), *join = nir_cf_block_after(&outer->cf);
   struct nir_block *body = nir_cf_list_first(&loop->body), *after = nir_cf_block_after(&loop->cf);
   assert_ptr_equal(join->idom, start);
   assert_ptr_equal(after->idom, body);
   assert_true(nir_block_dominates(start, body) && !nir_block_dominates(body, join));
   assert_int_equal(body->loop_depth, 1);
   assert_int_equal(join->num_preds, 2);
   assert_int_equal(body->num_preds, 1);
   assert_ptr_equal(join->succ[0], shader->end_block);

   /* Splitting the join keeps the phi in the first half. */
   struct nir_block *second = nir_block_split(shader, nir_after_instr(phi->parent));
   assert_ptr_equal(nir_block_first(join)->type, NIR_INSTR_PHI);
   assert_int_equal(nir_block_first(second)->type, NIR_INSTR_LOAD_CONST);
   nir_block_merge(shader, join, second);
   assert_null(nir_validate(shader));
   arena_free(&arena);
}

static void
gathered_info(void **state)
{
   struct arena arena = {};
   const char *error, *text = "shader fragment\nvar v0 out f32 \"d\" location=FRAG_DEPTH\n{\nblock b0:\n"
                              "32x1 %0 = const 0\n32x2 %1 = load_barycentric_pixel() interp=smooth\n"
                              "32x1 %2 = load_interpolated_input(%1, %0) slot=VAR3\n"
                              "store_output(%2, %0) slot=FRAG_DEPTH write_mask=1 src_type=float\n}\n";
   struct nir_shader *shader = nir_parse(&arena, text, &error);
   assert_non_null(shader);
   nir_gather_info(shader);
   assert_true(shader->info.inputs_read == UINT64_C(1) << (NIR_SLOT_VAR0 + 3));
   assert_true(shader->info.outputs_written == UINT64_C(1) << NIR_SLOT_FRAG_DEPTH);
   assert_false(shader->info.writes_memory || shader->info.writes_stencil || shader->info.uses_sample_shading);
   arena_free(&arena);
}

static void
types(void **state)
{
   struct arena arena = {};
   const struct nir_type *vec3 = nir_type_vector(NIR_TYPE_FLOAT, 32, 3),
                         *dvec3 = nir_type_vector(NIR_TYPE_FLOAT, 64, 3);
   const struct nir_type *mat = nir_type_matrix(&arena, 32, 3, 4, 16, false);
   const struct nir_type *rows = nir_type_matrix(&arena, 32, 3, 4, 16, true);
   const struct nir_type *array = nir_type_array(&arena, mat, 5, 64);
   assert_int_equal(nir_type_slots(vec3), 1);
   assert_int_equal(nir_type_slots(dvec3), 2);
   assert_int_equal(nir_type_slots(array), 20);
   assert_int_equal(nir_type_scalars(array), 60);
   assert_int_equal(nir_type_explicit_size_B(mat), 3 * 16 + 12);
   assert_int_equal(nir_type_explicit_size_B(rows), 2 * 16 + 16);
   assert_int_equal(nir_type_explicit_size_B(array), 4 * 64 + 60);
   assert_ptr_equal(nir_type_element(mat), vec3);
   assert_true(nir_type_equal(array, nir_type_array(&arena, nir_type_matrix(&arena, 32, 3, 4, 16, false), 5, 64)));
   assert_false(nir_type_equal(mat, rows));
   arena_free(&arena);
}

static char *
print(const struct nir_shader *shader)
{
   char *text;
   size_t size_B;
   FILE *file = open_memstream(&text, &size_B);
   nir_print(shader, file);
   fclose(file);
   return text;
}

/* A structure of two structures of two structures ...: the text has each of them once, and so has what reads it. */
static void
shared_types(void **state)
{
   enum { DEPTH = 28 };
   struct arena arena = {};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE), *again;
   const struct nir_type *type = nir_type_vector(NIR_TYPE_UINT, 32, 1);
   for (unsigned i = 0; i < DEPTH; i++) {
      const struct nir_struct_field fields[] = {{.type = type, .offset_B = -1, .location = -1},
                                                {.type = type, .offset_B = -1, .location = -1}};
      type = nir_type_struct(&arena, fields, 2, NULL);
      type = i % 3 ? type : nir_type_array(&arena, type, 2, 0);
   }
   nir_variable_create(shader, NIR_VAR_SSBO, type, "tree");
   nir_variable_create(shader, NIR_VAR_SSBO, type, "same");
   const char *error = NULL;
   char *text = print(shader), *other;
   assert_in_range(strlen(text), 1, 100 * DEPTH);
   if (!(again = nir_parse(&arena, text, &error)))
      fail_msg("%s", error);
   other = print(again);
   assert_string_equal(text, other);
   nir_foreach_variable(variable, again)
      type = variable->type;
   for (unsigned depth = 0; type->base != NIR_TYPE_UINT; depth++) {
      assert_in_range(depth, 0, DEPTH - 1);
      type = type->base == NIR_TYPE_ARRAY ? type->element : type;
      assert_ptr_equal(type->fields[0].type, type->fields[1].type);
      type = type->fields[0].type;
   }
   free(text);
   free(other);
   arena_free(&arena);
}

/* Definitions of types, each of some of the one before, that are refused: too deep, too large. */
static void
endless_types(void **state)
{
   static const struct {
      unsigned levels;
      bool is_array;
      const char *error;
   } cases[] = {{40, false, "fields"}, {5000, true, "deeply"}};
   for (unsigned i = 0; i < 2; i++) {
      struct arena arena = {};
      char *text;
      size_t size_B;
      FILE *file = open_memstream(&text, &size_B);
      fputs("shader compute\ntype t0 struct { u32; }\n", file);
      for (unsigned k = 0; k < cases[i].levels; k++) {
         if (cases[i].is_array)
            fprintf(file, "type t%u [t%u; 1]\n", k + 1, k);
         else
            fprintf(file, "type t%u struct { t%u; t%u; }\n", k + 1, k, k);
      }
      fputs("{\nblock b0:\n}\n", file);
      fclose(file);
      const char *error = NULL;
      assert_null(nir_parse(&arena, text, &error));
      if (!error || !strstr(error, cases[i].error))
         fail_msg("case %u: \"%s\"", i, error ? error : "");
      free(text);
      arena_free(&arena);
   }
}

/* Divergence: what differs by lane, what a uniform branch keeps uniform, what a divergent loop exit changes. */
static void
divergence(void **state)
{
   struct arena arena = {};
   const char *error,
      *text =
         "shader compute\n{\nblock b0:\n32x1 %0 = load_local_invocation_index()\n"
         "32x3 %1 = load_workgroup_id()\n32x1 %2 = const 0\n32x1 %3 = const 1\n1x1 %4 = ieq %1.x, %2\n"
         "1x1 %5 = ieq %0, %2\n"
         "if %4 {\nblock b1:\n} else {\nblock b2:\n}\nblock b3:\n32x1 %6 = phi b1: %2, b2: %3\n"
         "if %5 {\nblock b4:\n} else {\nblock b5:\n}\nblock b6:\n32x1 %7 = phi b4: %2, b5: %3\n"
         "32x1 %8 = phi b4: %2, b5: %2\nloop {\nblock b7:\n32x1 %9 = phi b6: %2, b10: %11\n1x1 %10 = ige %9, %0\n"
         "if %10 {\nblock b8:\nbreak\n} else {\nblock b9:\n}\nblock b10:\n"
         "32x1 %11 = iadd %9, %3\n}\nblock b11:\n32x1 %12 = iadd %9, %3\n}\n";
   static const bool expected[] = {true, false, false, false, false, true, false,
                                   true, false, false, true,  false, true};
   struct nir_shader *shader = nir_parse(&arena, text, &error);
   assert_non_null(shader);
   nir_divergence_analysis(shader);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         struct nir_def *def = nir_instr_def(instr);
         if (def && def->divergent != expected[def->index])
            fail_msg("%%%u", def->index);
      }
   }
   arena_free(&arena);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(rejected),      cmocka_unit_test(stages),
                                      cmocka_unit_test(stage_sets),    cmocka_unit_test(broken_structure),
                                      cmocka_unit_test(control_flow),  cmocka_unit_test(gathered_info),
                                      cmocka_unit_test(types),         cmocka_unit_test(shared_types),
                                      cmocka_unit_test(endless_types), cmocka_unit_test(divergence)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
