/* Where an ordered section may be run in turns: operations that look at other quads are in the way, nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "amd/compiler/aco.h"
#include "compiler/nir/nir_builder.h"
#include "util/macros.h"

/* Every convergent operation, and why it is or is not in the way; a new one must be entered here. */
static const struct {
   const char *name;
   bool in_the_way;
} operations[] = {{"barrier", true}, /* makes invocations wait, if it is one of control */
                  {"elect", true},
                  {"vote_any", true},
                  {"vote_all", true},
                  {"vote_feq", true},
                  {"vote_ieq", true},
                  {"ballot", true},
                  {"inverse_ballot", false}, /* a bit of its operand */
                  {"read_first_invocation", true},
                  {"read_invocation", true},
                  {"shuffle", true},
                  {"shuffle_xor", true},
                  {"shuffle_up", true},
                  {"shuffle_down", true},
                  {"rotate", true},
                  {"quad_vote_any", false},
                  {"quad_vote_all", false},
                  {"quad_broadcast", false},
                  {"quad_swap_horizontal", false},
                  {"quad_swap_vertical", false},
                  {"quad_swap_diagonal", false},     /* turns cut between quads */
                  {"launch_mesh_workgroups", false}, /* of task shaders, which have no sections */
                  {"reduce", true},
                  {"inclusive_scan", true},
                  {"exclusive_scan", true},
                  {"matrix_multiply_add", true}}; /* all invocations of the wave take part */

static void
every_operation(void **state)
{
   for (unsigned op = 0; op < NIR_INTRINSIC_COUNT; op++) {
      const struct nir_intrinsic_info *info = &nir_intrinsic_infos[op];
      bool known = false, expected = false, flag = info->flags & NIR_INTRINSIC_FLAG_SUBGROUP;
      for (unsigned i = 0; i < ARRAY_SIZE(operations); i++) {
         if (!strcmp(operations[i].name, info->name)) {
            known = true;
            expected = operations[i].in_the_way;
         }
      }
      if (flag != expected)
         fail_msg("%s: %s", info->name, flag ? "is in the way" : "is not in the way");
      if (info->flags & NIR_INTRINSIC_FLAG_CONVERGENT && !known)
         fail_msg("%s is not in the list", info->name);
   }
}

static void
expect(bool legal, const char *what, void (*build)(struct nir_builder *b, struct nir_def *value))
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);
   shader->info.interlock = NIR_INTERLOCK_PIXEL_ORDERED;
   struct nir_def *value = nir_channel(&b, nir_load_frag_coord(&b), 0);
   nir_begin_invocation_interlock(&b);
   build(&b, value);
   nir_end_invocation_interlock(&b);
   const char *fault = nir_validate(shader);
   if (fault || aco_may_loop_over_layers(shader) != legal)
      fail_msg("%s: %s", what, fault ? fault : legal ? "is in the way" : "is not in the way");
   arena_free(&arena);
}

static void
derivatives(struct nir_builder *b, struct nir_def *value)
{
   nir_fddx(b, value);
   nir_fddy_coarse(b, value);
}

static void
quads(struct nir_builder *b, struct nir_def *value)
{
   nir_quad_broadcast(b, value, nir_imm_int(b, 3));
   nir_quad_swap_vertical(b, value);
}

static void
discards(struct nir_builder *b, struct nir_def *value)
{
   nir_demote_if(b, nir_flt(b, value, nir_imm_float(b, 1)));
   nir_discard_if(b, nir_flt(b, value, nir_imm_float(b, 0)));
   nir_is_helper_invocation(b);
}

static void
clock(struct nir_builder *b, struct nir_def *value)
{
   nir_shader_clock(b, .memory_scope = NIR_SCOPE_SUBGROUP);
}

static void
ballot_bits(struct nir_builder *b, struct nir_def *value)
{
   nir_ballot_bit_count_exclusive(b, nir_load_subgroup_lt_mask(b));
   nir_inverse_ballot(b, nir_load_subgroup_eq_mask(b));
}

static void
memory_barrier(struct nir_builder *b, struct nir_def *value)
{
   nir_barrier(b, .memory_scope = NIR_SCOPE_DEVICE, .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE,
               .memory_modes = NIR_VAR_SSBO);
}

static void
control_barrier(struct nir_builder *b, struct nir_def *value)
{
   nir_barrier(b, .execution_scope = NIR_SCOPE_SUBGROUP);
}

static void
clusters_of_4(struct nir_builder *b, struct nir_def *value)
{
   nir_reduce(b, value, .reduction_op = NIR_OP_fadd, .cluster_size = 4);
}

static void
clusters_of_8(struct nir_builder *b, struct nir_def *value)
{
   nir_reduce(b, value, .reduction_op = NIR_OP_fadd, .cluster_size = 8);
}

static void
all_of_it(struct nir_builder *b, struct nir_def *value)
{
   nir_reduce(b, value, .reduction_op = NIR_OP_fadd);
}

static void
first(struct nir_builder *b, struct nir_def *value)
{
   nir_read_first_invocation(b, value);
}

static void
of_shaders(void **state)
{
   expect(true, "a derivative", derivatives);
   expect(true, "a quad operation", quads);
   expect(true, "a discard", discards);
   expect(true, "a clock", clock);
   expect(true, "bits of a ballot that is given", ballot_bits);
   expect(true, "a memory barrier", memory_barrier);
   expect(false, "a control barrier of the subgroup", control_barrier);
   expect(true, "a reduction in clusters of 4", clusters_of_4);
   expect(false, "a reduction in clusters of 8", clusters_of_8);
   expect(false, "a reduction of the subgroup", all_of_it);
   expect(false, "a read of the first invocation", first);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation), cmocka_unit_test(of_shaders)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
