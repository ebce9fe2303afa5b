/* Outputs of control shaders and inputs of evaluation shaders in memory. Those that a control shader reads back, and
 * all that belong to a patch, lie in workgroup memory behind the vertices that it reads (nir_lower_merged_io):
 *
 *    vertices of all patches | of each patch: its vertices, its own slots
 *
 * Those that the evaluation shader reads lie in the memory of the workgroup's patches, slot by slot, so that
 * neighbouring invocations access neighbouring memory:
 *
 *    each slot: vertices of all patches | each slot of patches: all patches
 *
 * Vertices are written there when they are stored: an invocation has one of its own. What belongs to the patch any
 * invocation stores; the first one copies it at the end. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

enum { SLOT_B = 16 };

struct pass {
   struct nir_builder b;
   const struct nir_tess_io *io;
};

static unsigned
count_slots(uint64_t slots)
{
   return (unsigned)__builtin_popcountll(slots);
}

static unsigned
number_of(uint64_t slots, unsigned slot)
{
   return count_slots(slots & ((UINT64_C(1) << slot) - 1));
}

static uint32_t
shared_patch_B(const struct nir_tess_io *io)
{
   return io->vertices * nir_merged_vertex_B(io->outputs_read) + nir_merged_vertex_B(io->patch_outputs);
}

uint32_t
nir_tess_shared_B(const struct nir_tess_io *io, unsigned patches, unsigned vertices_in)
{
   return patches * (vertices_in * nir_merged_vertex_B(io->inputs) + shared_patch_B(io));
}

uint32_t
nir_tess_memory_B(const struct nir_tess_io *io, unsigned patches)
{
   return patches * SLOT_B * (io->vertices * count_slots(io->vertex_slots) + count_slots(io->patch_slots));
}

/* ---- addresses ---- */

/* In workgroup memory, of the invocation's patch. vertex NULL: of what belongs to the patch. */
static struct nir_def *
shared_address(struct pass *p, struct nir_def *vertex, struct nir_def *offset)
{
   struct nir_builder *b = &p->b;
   struct nir_def *inputs = nir_imul(b, nir_load_patches_in_workgroup(b), nir_load_patch_vertices_in(b));
   struct nir_def *begin = nir_imul_imm(b, inputs, nir_merged_vertex_B(p->io->inputs));
   struct nir_def *patch = nir_imul_imm(b, nir_load_patch_in_workgroup(b), shared_patch_B(p->io));
   const uint32_t vertex_B = nir_merged_vertex_B(p->io->outputs_read);
   struct nir_def *part =
      vertex ? nir_imul_imm(b, vertex, vertex_B) : nir_imm_int(b, (int32_t)(p->io->vertices * vertex_B));
   return nir_iadd(b, nir_iadd(b, begin, patch), nir_iadd(b, part, nir_imul_imm(b, offset, SLOT_B)));
}

/* In the memory of patches; slot: with the offset. */
static struct nir_def *
memory_address(struct pass *p, struct nir_def *vertex, unsigned slot, struct nir_def *offset)
{
   struct nir_builder *b = &p->b;
   const struct nir_tess_io *io = p->io;
   struct nir_def *patch = nir_load_patch_in_workgroup(b), *patches = nir_load_patches_in_workgroup(b);
   const unsigned number = number_of(vertex ? io->vertex_slots : io->patch_slots, slot);
   const unsigned before = io->vertices * count_slots(io->vertex_slots);
   /* Rows of as many slots as there are patches. */
   struct nir_def *row = nir_iadd(b, offset, nir_imm_int(b, (int32_t)number));
   if (vertex) {
      patch = nir_iadd(b, nir_imul_imm(b, patch, io->vertices), vertex);
      row = nir_imul_imm(b, row, io->vertices);
   } else {
      row = nir_iadd(b, row, nir_imm_int(b, (int32_t)before));
   }
   return nir_imul_imm(b, nir_iadd(b, nir_imul(b, row, patches), patch), SLOT_B);
}

/* ---- control shaders ---- */

static bool
has_slot(uint64_t slots, unsigned slot)
{
   return slots >> slot & 1;
}

static void
lower_store(struct pass *p, struct nir_intrinsic_instr *store)
{
   struct nir_builder *b = &p->b;
   const bool by_vertex = store->op == NIR_INTRINSIC_store_per_vertex_output;
   struct nir_def *value = store->src[0].def, *vertex = by_vertex ? store->src[1].def : NULL;
   struct nir_def *offset = store->src[by_vertex ? 2 : 1].def;
   const unsigned slot = nir_intrinsic_slot(store), mask = nir_intrinsic_write_mask(store);
   const uint64_t shared = by_vertex ? p->io->outputs_read : p->io->patch_outputs;
   const int32_t component_B = (int32_t)(4 * nir_intrinsic_component(store));
   if (has_slot(shared, slot))
      nir_store_shared(b, value, shared_address(p, vertex, offset), .write_mask = mask, .align_mul = 4,
                       .base = (int32_t)(number_of(shared, slot) * SLOT_B) + component_B);
   if (by_vertex && has_slot(p->io->vertex_slots, slot))
      nir_store_patch_memory(b, value, memory_address(p, vertex, slot, offset), .write_mask = mask, .align_mul = 4,
                             .base = component_B);
   nir_instr_remove(&store->instr);
}

static struct nir_def *
load_shared_slot(struct pass *p, const struct nir_intrinsic_instr *load)
{
   const bool by_vertex = load->op == NIR_INTRINSIC_load_per_vertex_output;
   struct nir_def *vertex = by_vertex ? load->src[0].def : NULL, *offset = load->src[by_vertex].def;
   const uint64_t shared = by_vertex ? p->io->outputs_read : p->io->patch_outputs;
   const unsigned slot = nir_intrinsic_slot(load);
   if (!has_slot(shared, slot)) /* nobody wrote it */
      return nir_undef(&p->b, load->def.num_components, 32);
   return nir_load_shared(&p->b, load->def.num_components, 32, shared_address(p, vertex, offset), .align_mul = 4,
                          .base = (int32_t)(number_of(shared, slot) * SLOT_B + 4 * nir_intrinsic_component(load)));
}

/* A slot of the patch as all invocations left it; zeros: nobody wrote it. */
static struct nir_def *
load_patch_slot(struct pass *p, unsigned slot, unsigned components)
{
   struct nir_builder *b = &p->b;
   const uint64_t slots = p->io->patch_outputs;
   if (!has_slot(slots, slot)) {
      struct nir_def *zeros[4] = {nir_imm_int(b, 0), nir_imm_int(b, 0), nir_imm_int(b, 0), nir_imm_int(b, 0)};
      return nir_vec(b, zeros, components);
   }
   return nir_load_shared(b, components, 32, shared_address(p, NULL, nir_imm_int(b, 0)), .align_mul = 4,
                          .base = (int32_t)(number_of(slots, slot) * SLOT_B));
}

static void
finish_patch(struct pass *p)
{
   struct nir_builder *b = &p->b;
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
   struct nir_if *first = nir_push_if(b, nir_ieq(b, nir_load_invocation_id(b), nir_imm_int(b, 0)));
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      if (has_slot(p->io->patch_slots & p->io->patch_outputs, slot))
         nir_store_patch_memory(b, load_patch_slot(p, slot, slot == NIR_SLOT_TESS_LEVEL_INNER ? 2 : 4),
                                memory_address(p, NULL, slot, nir_imm_int(b, 0)), .align_mul = 16,
                                .write_mask = slot == NIR_SLOT_TESS_LEVEL_INNER ? 3 : 15);
   }
   nir_store_tess_levels(b, load_patch_slot(p, NIR_SLOT_TESS_LEVEL_OUTER, 4),
                         load_patch_slot(p, NIR_SLOT_TESS_LEVEL_INNER, 2));
   nir_pop_if(b, first);
}

bool
nir_lower_tess_control_io(struct nir_shader *shader, const struct nir_tess_io *io)
{
   struct pass p = {.io = io};
   assert(shader->stage == NIR_STAGE_TESS_CTRL);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *intr = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
         p.b = nir_builder_at(shader, nir_before_instr(instr));
         if (!intr)
            continue;
         if (intr->op == NIR_INTRINSIC_store_output || intr->op == NIR_INTRINSIC_store_per_vertex_output) {
            lower_store(&p, intr);
         } else if (intr->op == NIR_INTRINSIC_load_output || intr->op == NIR_INTRINSIC_load_per_vertex_output) {
            nir_def_replace(&intr->def, load_shared_slot(&p, intr));
            nir_instr_remove(instr);
         } else if (intr->op == NIR_INTRINSIC_barrier && nir_intrinsic_memory_modes(intr) & NIR_VAR_SHADER_OUT) {
            nir_intrinsic_set_memory_modes(intr, nir_intrinsic_memory_modes(intr) | NIR_VAR_SHARED);
         }
      }
   }
   struct nir_cf_node *last = list_entry(shader->body.prev, struct nir_cf_node, link);
   p.b = nir_builder_at(shader, nir_after_block(nir_cf_as_block(last)));
   finish_patch(&p);
   return true;
}

/* ---- evaluation shaders ---- */

static struct nir_def *
load_memory(struct pass *p, const struct nir_intrinsic_instr *load)
{
   const bool by_vertex = load->op == NIR_INTRINSIC_load_per_vertex_input;
   struct nir_def *vertex = by_vertex ? load->src[0].def : NULL, *offset = load->src[by_vertex].def;
   return nir_load_patch_memory(&p->b, load->def.num_components, 32,
                                memory_address(p, vertex, nir_intrinsic_slot(load), offset), .align_mul = 4,
                                .base = (int32_t)(4 * nir_intrinsic_component(load)));
}

bool
nir_lower_tess_eval_io(struct nir_shader *shader, const struct nir_tess_io *io)
{
   struct pass p = {.io = io};
   bool progress = false;
   assert(shader->stage == NIR_STAGE_TESS_EVAL);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *intr = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
         p.b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_def *value = NULL;
         if (intr && (intr->op == NIR_INTRINSIC_load_per_vertex_input || intr->op == NIR_INTRINSIC_load_input))
            value = load_memory(&p, intr);
         else if (intr && intr->op == NIR_INTRINSIC_load_patch_vertices_in)
            value = nir_imm_int(&p.b, io->vertices);
         if (!value)
            continue;
         nir_def_replace(&intr->def, value);
         nir_instr_remove(instr);
         progress = true;
      }
   }
   return progress;
}

/* ---- linking ---- */

struct nir_tess_io
nir_link_tessellation(struct nir_shader_info *control, struct nir_shader_info *evaluation)
{
   struct nir_shader_info *both[2] = {control, evaluation};
   for (unsigned i = 0; i < 2; i++) {
      const struct nir_shader_info *other = both[!i];
      both[i]->tess_domain = both[i]->tess_domain ? both[i]->tess_domain : other->tess_domain;
      both[i]->tess_spacing = both[i]->tess_spacing ? both[i]->tess_spacing : other->tess_spacing;
      both[i]->tess_winding = both[i]->tess_winding ? both[i]->tess_winding : other->tess_winding;
      both[i]->tess_points |= other->tess_points;
   }
   return (struct nir_tess_io){.inputs = control->inputs_read,
                               .outputs_read = control->outputs_read,
                               .patch_outputs = control->patch_outputs_written,
                               .vertex_slots = evaluation->inputs_read,
                               .patch_slots = evaluation->patch_inputs_read,
                               .vertices = control->tess_vertices};
}
