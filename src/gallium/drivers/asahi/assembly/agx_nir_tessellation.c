#include "gallium/drivers/asahi/assembly/agx_nir_tessellation.h"

#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_nir_assembly.h"
#include "util/mutant.h"

/* ---- memory of patches ---- */

/* Of element `number` of an array of these. */
static struct nir_def *
element(struct nir_builder *b, struct nir_def *base, struct nir_def *number, uint32_t size_B)
{
   return nir_iadd(b, nir_pack_64_2x32(b, base), nir_umul_2x32_64(b, number, nir_imm_int(b, (int32_t)size_B)));
}

static struct nir_def *
in_patch(struct nir_builder *b, struct nir_def *patch, const struct nir_intrinsic_instr *access,
         struct nir_def *offset)
{
   return nir_iadd(b, patch, nir_u2u64(b, nir_iadd_imm(b, offset, nir_intrinsic_base(access))));
}

static struct nir_def *
patch_address(struct nir_builder *b, const struct nir_tess_io *io, struct nir_def *number)
{
   return element(b, agx_nir_assembly(b, patches_va, 2), number, nir_tess_memory_B(io, 1));
}

/* What the passes of nir ask of a workgroup of patches: there is one. */
static struct nir_def *
lone_patch(struct nir_builder *b, enum nir_intrinsic_op op)
{
   return op == NIR_INTRINSIC_load_patch_in_workgroup     ? nir_imm_int(b, 0)
          : op == NIR_INTRINSIC_load_patches_in_workgroup ? nir_imm_int(b, 1)
                                                          : NULL;
}

/* ---- control shaders ---- */

struct control {
   struct nir_builder b;
   const struct agx_slot_places *inputs;
   struct nir_def *number, *primitive, *first, *patch; /* of all; of the instance; its first vertex; address */
};

static void
load_input(struct control *c, struct nir_intrinsic_instr *load)
{
   struct nir_builder *b = &c->b;
   struct nir_def *last = nir_iadd_imm(b, agx_nir_assembly(b, corners, 1), -1);
   struct nir_def *corner = mutant("agx-tess-corner") ? last : nir_umin(b, load->src[0].def, last);

   agx_nir_load_place(b, load, nir_iadd(b, c->first, agx_nir_corner_position(b, c->primitive, corner)), c->inputs);
}

static void
store_levels(struct control *c, struct nir_intrinsic_instr *store)
{
   struct nir_builder *b = &c->b;
   struct nir_def *to = element(b, agx_nir_assembly(b, factors_va, 2), c->number, AGX_FACTORS_B);

   nir_store_global(b, store->src[0].def, to, .write_mask = 15, .align_mul = 16);
   nir_store_global(b, store->src[1].def, nir_iadd(b, to, nir_imm_int64(b, 16)),
                    .write_mask = mutant("agx-tess-inner") ? 1 : 3, .align_mul = 16);
   nir_instr_remove(&store->instr);
}

static void
store_patch(struct control *c, struct nir_intrinsic_instr *store)
{
   nir_store_global(&c->b, store->src[0].def, in_patch(&c->b, c->patch, store, store->src[1].def),
                    .write_mask = nir_intrinsic_write_mask(store), .align_mul = 4);
   nir_instr_remove(&store->instr);
}

static struct nir_def *
control_value(struct control *c, enum nir_intrinsic_op op)
{
   switch ((int)op) { /* others: of the patch, or no system values */
   case NIR_INTRINSIC_load_primitive_id:
      return c->primitive;
   case NIR_INTRINSIC_load_invocation_id:
      return nir_channel(&c->b, nir_load_local_invocation_id(&c->b), 0);
   case NIR_INTRINSIC_load_patch_vertices_in:
      return mutant("agx-tess-vertices-in") ? nir_imm_int(&c->b, 3) : agx_nir_assembly(&c->b, corners, 1);
   default:
      return lone_patch(&c->b, op);
   }
}

/* Whether the instruction ends a block: looking a vertex up is control flow. */
static bool
lower_control_instr(struct control *c, struct nir_intrinsic_instr *intr)
{
   c->b.cursor = nir_before_instr(&intr->instr);
   if (intr->op == NIR_INTRINSIC_load_per_vertex_input) {
      load_input(c, intr);
      return true;
   }
   if (intr->op == NIR_INTRINSIC_store_tess_levels) {
      store_levels(c, intr);
   } else if (intr->op == NIR_INTRINSIC_store_patch_memory) {
      store_patch(c, intr);
   } else {
      struct nir_def *value = control_value(c, intr->op);

      if (value) {
         nir_def_replace(&intr->def, value);
         nir_instr_remove(&intr->instr);
      }
   }
   return false;
}

void
agx_nir_control(struct nir_shader *shader, const struct nir_tess_io *io, const struct agx_slot_places *inputs)
{
   struct control c = {.inputs = inputs};
   struct nir_builder *b = &c.b;

   nir_lower_tess_control_io(shader, io);
   shader->stage = NIR_STAGE_COMPUTE;
   shader->info.tess_vertices = 0; /* a control shader's */
   shader->info.workgroup_size[0] = io->vertices;
   shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   shader->info.shared_B = nir_tess_shared_B(io, 1, 0);
   c.b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   c.number = c.primitive = nir_channel(b, nir_load_workgroup_id(b), 0);
   struct nir_def *instance = agx_nir_divide(b, &c.primitive, agx_nir_assembly(b, patches, 1));

   c.first =
      nir_imul(b, mutant("agx-tess-instance") ? nir_imm_int(b, 0) : instance, agx_nir_assembly(b, vertices, 1));
   c.patch = patch_address(b, io, c.number);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && lower_control_instr(&c, nir_as_intrinsic(instr)))
            break; /* the rest is in the next blocks */
      }
   }
}

/* ---- evaluation shaders ---- */

/* A point: u, v, and the number of its patch. */
static struct nir_def *
load_point(struct nir_builder *b, struct nir_def *number)
{
   return nir_load_global(b, 3, 32, element(b, agx_nir_assembly(b, points_va, 2), number, AGX_POINT_B),
                          .align_mul = 4, .access = NIR_ACCESS_CAN_REORDER);
}

static struct nir_def *
in_instance(struct nir_builder *b, struct nir_def *patch)
{
   if (!mutant("agx-tess-patch-number"))
      agx_nir_divide(b, &patch, agx_nir_assembly(b, patches, 1));
   return patch;
}

struct nir_def *
agx_nir_patch_of_point(struct nir_builder *b, struct nir_def *point)
{
   return in_instance(b, nir_channel(b, load_point(b, point), 2));
}

struct evaluation {
   struct nir_builder b;
   struct nir_def *point, *patch; /* load_point(); address */
   uint8_t domain;
};

static struct nir_def *
tess_coord(struct evaluation *e)
{
   struct nir_builder *b = &e->b;
   struct nir_def *u = nir_channel(b, e->point, 0), *v = nir_channel(b, e->point, 1);
   struct nir_def *w = nir_fsub(b, nir_fsub(b, nir_imm_float(b, 1.0f), u), v);
   struct nir_def *parts[] = {u, v, e->domain == NIR_TESS_TRIANGLES ? w : nir_imm_int(b, 0)};

   return nir_vec(b, parts, 3);
}

static struct nir_def *
evaluation_value(struct evaluation *e, const struct nir_intrinsic_instr *intr)
{
   struct nir_builder *b = &e->b;

   switch ((int)intr->op) { /* others: of the patch, or no system values */
   case NIR_INTRINSIC_load_primitive_id:
      return in_instance(b, nir_channel(b, e->point, 2));
   case NIR_INTRINSIC_load_tess_coord:
      return tess_coord(e);
   case NIR_INTRINSIC_load_patch_memory:
      return nir_load_global(b, intr->def.num_components, 32, in_patch(b, e->patch, intr, intr->src[0].def),
                             .align_mul = 4, .access = NIR_ACCESS_CAN_REORDER);
   default:
      return lone_patch(b, intr->op);
   }
}

/* At the builder's place, which is at the start of the body. */
static void
lower_evaluation(struct nir_builder b, const struct nir_tess_io *io, struct nir_def *number)
{
   struct evaluation e = {.b = b, .domain = b.shader->info.tess_domain};

   e.point = load_point(&e.b, number);
   e.patch = patch_address(&e.b, io, mutant("agx-tess-patch") ? nir_imm_int(&e.b, 0) : nir_channel(&e.b, e.point, 2));
   nir_foreach_block(block, b.shader) {
      nir_foreach_instr_safe(instr, block) {
         e.b.cursor = nir_before_instr(instr);
         struct nir_def *value =
            instr->type == NIR_INSTR_INTRINSIC ? evaluation_value(&e, nir_as_intrinsic(instr)) : NULL;

         if (!value)
            continue;
         nir_def_replace(&nir_as_intrinsic(instr)->def, value);
         nir_instr_remove(instr);
      }
   }
}

void
agx_nir_evaluate(struct nir_shader *shader, const struct nir_tess_io *io, const struct agx_slot_places *outputs)
{
   struct nir_builder b;

   nir_lower_tess_eval_io(shader, io);
   struct nir_def *number = agx_nir_begin_compute(&b, shader);

   agx_nir_enclose(&b, nir_ult(&b, number, agx_nir_assembly(&b, points, 1)));
   struct nir_def *vertex = agx_nir_place_address(&b, agx_nir_assembly(&b, emitted_va, 2), number, outputs);

   lower_evaluation(b, io, number);
   agx_nir_store_places(shader, vertex, outputs);
}

void
agx_nir_draw_points(struct nir_shader *shader, const struct nir_tess_io *io)
{
   nir_lower_tess_eval_io(shader, io);
   shader->stage = NIR_STAGE_VERTEX;
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   struct nir_def *number = nir_load_vertex_id_zero_base(&b);

   lower_evaluation(b, io, number);
}

void
agx_nir_store_patch_number(struct nir_shader *shader)
{
   struct nir_builder b = nir_builder_at(shader, nir_after_block(nir_cf_list_last(&shader->body)));

   nir_store_output(&b, nir_load_primitive_id(&b), nir_imm_int(&b, 0), .slot = NIR_SLOT_PRIMITIVE_ID, .component = 0,
                    .write_mask = 1, .src_type = NIR_TYPE_UINT);
}
