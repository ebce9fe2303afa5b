/* Tessellation in nir: what threads start with, the memory of patches, and their factors. Sources: LLVM AMDGPU; the
 * arguments that RADV and radeonsi declare; order and place of factors: RADV, the model's tests.
 *
 * HS: v0 the patch's primitive id; v1 7:0 its number in the workgroup, 12:8 the invocation's. s2 is where the
 * workgroup's part of the patches' memory begins, s4 of the factors.
 * Evaluation shaders: u, v, the patch's number in the workgroup, its primitive id. */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_builder.h"
#include "util/macros.h"

enum { HS_PRIMITIVE_ID = 0, HS_IDS = 1, FIRST_LS_VGPR = 2 };
enum { HS_MEMORY_SGPR = 2, MERGED_WAVE_INFO_SGPR = 3, HS_FACTORS_SGPR = 4, WAVE_SGPR = 5, NGG_MEMORY_SGPR = 4 };
enum { VERTEX_VGPR_NGG = 5 }; /* those of vertices follow those of primitives */
enum { TABLE_MEMORY_B = 0, TABLE_FACTORS_B = 16 };
/* Of args.tess_layout */
enum { PATCHES_BITS = 8, VERTICES_AT = 8, VERTICES_BITS = 6 };

struct lowering {
   struct nir_builder b;
   const struct aco_program *program;
   unsigned u_vgpr;      /* evaluation: the first VGPR */
   unsigned memory_sgpr; /* evaluation as VS: load_scalar_arg() that says where the memory begins */
};

static struct nir_def *
vgpr(struct lowering *l, unsigned number)
{
   return nir_load_vector_arg(&l->b, 1, .base = (int32_t)number);
}

static bool
is_control(const struct lowering *l)
{
   return l->program->hw == ACO_HW_HS;
}

static struct nir_def *
patch_number(struct lowering *l)
{
   return is_control(l) ? nir_iand_imm(&l->b, vgpr(l, HS_IDS), 0xff) : vgpr(l, l->u_vgpr + 2);
}

static struct nir_def *
layout(struct lowering *l, unsigned first, unsigned bits)
{
   struct nir_def *word = nir_load_scalar_arg(&l->b, 1, .base = l->program->args->tess_layout);
   return nir_iand_imm(&l->b, nir_ushr(&l->b, word, nir_imm_int(&l->b, (int32_t)first)), bit_mask(bits));
}

/* Vertices of a workgroup's patches follow each other. */
static struct nir_def *
primitive_vertex(struct lowering *l, struct nir_def *vertex)
{
   struct nir_def *first = nir_imul(&l->b, patch_number(l), layout(l, VERTICES_AT, VERTICES_BITS));
   return nir_iadd(&l->b, first, vertex);
}

/* The third coordinate is that of triangles only. */
static struct nir_def *
tess_coord(struct lowering *l)
{
   struct nir_builder *b = &l->b;
   struct nir_def *parts[3] = {vgpr(l, l->u_vgpr), vgpr(l, l->u_vgpr + 1), nir_imm_int(b, 0)};
   if (b->shader->info.tess_domain == NIR_TESS_TRIANGLES)
      parts[2] = nir_fsub(b, nir_fsub(b, nir_imm_float(b, 1.0f), parts[0]), parts[1]);
   return nir_vec(b, parts, 3);
}

/* ---- LS: the vertex shader in front ---- */

/* Of a vertex: its index, its number in the workgroup, the instance's number in the third or fourth. With the erratum
 * they are the first ones where no thread of HS is. */
static struct nir_def *
vertex_vgpr(struct lowering *l, unsigned number)
{
   struct nir_def *value = vgpr(l, FIRST_LS_VGPR + number);
   if (!l->program->options->hs.low_vgprs)
      return value;
   struct nir_def *info = nir_load_system_sgpr_amd(&l->b, .base = MERGED_WAVE_INFO_SGPR);
   struct nir_def *hs_threads = nir_iand_imm(&l->b, info, 0xff00);
   return nir_bcsel(&l->b, nir_ieq(&l->b, hs_threads, nir_imm_int(&l->b, 0)), vgpr(l, number), value);
}

static struct nir_def *
vertex_number(struct lowering *l)
{
   if (!l->program->target->numbers_hull_waves)
      return vertex_vgpr(l, 1);
   struct nir_def *wave = nir_iand_imm(&l->b, nir_load_system_sgpr_amd(&l->b, .base = WAVE_SGPR), 7);
   return nir_iadd(&l->b, nir_imul_imm(&l->b, wave, l->program->wave_size), nir_load_subgroup_invocation(&l->b));
}

static struct nir_def *
vertex_id(struct lowering *l)
{
   const uint8_t base = l->program->args->base_vertex;
   struct nir_def *index = vertex_vgpr(l, 0);
   return base == ACO_NO_REG ? index : nir_iadd(&l->b, index, nir_load_scalar_arg(&l->b, 1, .base = base));
}

static struct nir_def *
vertex_replacement(struct lowering *l, const struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_vertex_id:
      return vertex_id(l);
   case NIR_INTRINSIC_load_vertex_id_zero_base:
      return vertex_vgpr(l, 0);
   case NIR_INTRINSIC_load_instance_id:
      return vertex_vgpr(l, l->program->target->instance_vgpr == 1 ? 2 : 3);
   case NIR_INTRINSIC_load_local_invocation_index:
      return vertex_number(l);
   default: /* others: not of vertices */
      return NULL;
   }
}

/* ---- memory ---- */

static struct nir_def *
ring(struct lowering *l, unsigned at_B)
{
   struct nir_builder *b = &l->b;
   struct nir_def *table[2] = {nir_load_scalar_arg(b, 1, .base = l->program->args->tess_rings),
                               nir_imm_int(b, (int32_t)l->program->options->address32_hi)};
   struct nir_def *address = nir_pack_64_2x32(b, nir_vec(b, table, 2));
   return nir_load_global_constant(b, 4, 32, address, nir_imm_int(b, (int32_t)at_B), .align_mul = 16);
}

/* Where the workgroup's part of the patches' memory begins. */
static struct nir_def *
memory_begin(struct lowering *l)
{
   if (is_control(l))
      return nir_load_system_sgpr_amd(&l->b, .base = HS_MEMORY_SGPR);
   if (l->program->hw == ACO_HW_GS)
      return nir_load_system_sgpr_amd(&l->b, .base = NGG_MEMORY_SGPR);
   return nir_load_scalar_arg(&l->b, 1, .base = (int32_t)l->memory_sgpr);
}

static struct nir_def *
memory_offset(struct lowering *l, const struct nir_intrinsic_instr *intr, struct nir_def *offset)
{
   return nir_iadd(&l->b, nir_iadd(&l->b, memory_begin(l), nir_imm_int(&l->b, nir_intrinsic_base(intr))), offset);
}

/* Other compute units have other L0 and L1 caches. */
static void
store_memory(struct lowering *l, const struct nir_intrinsic_instr *store)
{
   nir_store_ssbo(&l->b, store->src[0].def, ring(l, TABLE_MEMORY_B), memory_offset(l, store, store->src[1].def),
                  .write_mask = nir_intrinsic_write_mask(store), .access = NIR_ACCESS_COHERENT, .align_mul = 4);
}

static struct nir_def *
load_memory(struct lowering *l, const struct nir_intrinsic_instr *load)
{
   return nir_load_ssbo(&l->b, load->def.num_components, 32, ring(l, TABLE_MEMORY_B),
                        memory_offset(l, load, load->src[0].def), .access = NIR_ACCESS_COHERENT, .align_mul = 4);
}

/* Isolines: the segments of a line, then the number of lines. */
static void
store_levels(struct lowering *l, const struct nir_intrinsic_instr *store)
{
   static const struct {
      uint8_t count, from[6]; /* 0 to 3: outer; 4, 5: inner */
   } domains[] = {[NIR_TESS_TRIANGLES] = {4, {0, 1, 2, 4}},
                  [NIR_TESS_QUADS] = {6, {0, 1, 2, 3, 4, 5}},
                  [NIR_TESS_ISOLINES] = {2, {1, 0}}};
   struct nir_builder *b = &l->b;
   const unsigned domain = b->shader->info.tess_domain, count = domains[domain].count;
   struct nir_def *factors = ring(l, TABLE_FACTORS_B), *values[6];
   struct nir_def *offset =
      nir_iadd(b, nir_load_system_sgpr_amd(b, .base = HS_FACTORS_SGPR), nir_imul_imm(b, patch_number(l), 4 * count));
   for (unsigned i = 0; i < count; i++) {
      const unsigned from = domains[domain].from[i];
      values[i] = nir_channel(b, store->src[from / 4].def, from % 4);
   }
   for (unsigned i = 0; i < count; i += 4) {
      const unsigned n = MIN2(count - i, 4u);
      nir_store_ssbo(b, nir_vec(b, values + i, n), factors, nir_iadd(b, offset, nir_imm_int(b, 4 * (int32_t)i)),
                     .write_mask = (uint32_t)bit_mask(n), .access = NIR_ACCESS_COHERENT, .align_mul = 4);
   }
}

/* ---- the pass ---- */

static struct nir_def *
replacement(struct lowering *l, const struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_primitive_vertex:
      return primitive_vertex(l, intr->src[0].def);
   case NIR_INTRINSIC_load_primitive_id:
      return vgpr(l, is_control(l) ? HS_PRIMITIVE_ID : l->u_vgpr + 3);
   case NIR_INTRINSIC_load_invocation_id:
      return nir_iand_imm(&l->b, nir_ushr(&l->b, vgpr(l, HS_IDS), nir_imm_int(&l->b, 8)), 0x1f);
   case NIR_INTRINSIC_load_patch_in_workgroup:
      return patch_number(l);
   case NIR_INTRINSIC_load_patches_in_workgroup:
      return layout(l, 0, PATCHES_BITS);
   case NIR_INTRINSIC_load_patch_vertices_in:
      return layout(l, VERTICES_AT, VERTICES_BITS);
   case NIR_INTRINSIC_load_tess_coord:
      return tess_coord(l);
   case NIR_INTRINSIC_load_patch_memory:
      return load_memory(l, intr);
   default: /* others: of LS, or they stay */
      return is_control(l) ? vertex_replacement(l, intr) : NULL;
   }
}

static void
lower(struct lowering *l, struct nir_intrinsic_instr *intr)
{
   struct nir_def *value = replacement(l, intr);
   if (value)
      nir_def_replace(&intr->def, value);
   else if (intr->op == NIR_INTRINSIC_store_patch_memory)
      store_memory(l, intr);
   else if (intr->op == NIR_INTRINSIC_store_tess_levels)
      store_levels(l, intr);
   else
      return;
   nir_instr_remove(&intr->instr);
}

void
aco_lower_tessellation(const struct aco_program *program, struct nir_shader *nir)
{
   const uint8_t buffers = program->options->vs.xfb_buffers;
   struct lowering l = {.program = program, .u_vgpr = program->hw == ACO_HW_GS ? VERTEX_VGPR_NGG : 0};
   l.memory_sgpr = program->args->num_user_sgprs + aco_stream_output_sgprs(buffers, true);
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         l.b = nir_builder_at(nir, nir_before_instr(instr));
         lower(&l, nir_as_intrinsic(instr));
      }
   }
}
