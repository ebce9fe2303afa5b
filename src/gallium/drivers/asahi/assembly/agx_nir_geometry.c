#include "gallium/drivers/asahi/assembly/agx_nir_geometry.h"

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_nir_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_nir_tessellation.h"
#include "util/macros.h"
#include "util/mutant.h"

/* ---- geometry shaders ---- */

struct geometry {
   struct nir_builder b;
   const struct agx_slot_places *inputs, *outputs;
   bool provoking_last, of_patches;
   unsigned corners, max_vertices;
   struct nir_def *invocation, *primitive, *in_primitive; /* numbers: of all, of the instance's, of the primitive's */
   struct nir_def *positions[6], *first;                  /* first: of the instance in vertices_va */
   struct nir_variable *emitted, *strip;                  /* vertices; those of the open strip */
   struct nir_variable *made[NIR_XFB_STREAMS];            /* primitives */
};

unsigned
agx_made_corners(const struct nir_shader_info *geometry)
{
   return nir_primitive_vertices((enum nir_primitive)geometry->gs_output);
}

unsigned
agx_made_streams(const struct nir_shader_info *geometry)
{
   return 1 + log2_floor(geometry->gs_streams | 1u);
}

unsigned
agx_max_primitives(const struct nir_shader_info *geometry)
{
   unsigned corners = agx_made_corners(geometry);

   return geometry->gs_vertices < corners ? 1 : geometry->gs_vertices - corners + 1;
}

static struct nir_def *
position_of(struct geometry *g, struct nir_def *corner, unsigned count)
{
   struct nir_def *position = g->positions[0];

   for (unsigned i = 1; i < count; i++)
      position = nir_bcsel(&g->b, nir_ieq_imm(&g->b, corner, i), g->positions[i], position);
   return position;
}

static void
lower_load(struct geometry *g, struct nir_intrinsic_instr *load)
{
   struct nir_builder *b = &g->b;
   unsigned count = nir_primitive_vertices((enum nir_primitive)b->shader->info.gs_input);
   struct nir_def *number = nir_iadd(b, g->first, position_of(g, load->src[0].def, count));

   agx_nir_load_place(b, load, number, g->inputs);
}

static struct nir_def *
emitted_number(struct geometry *g)
{
   struct nir_builder *b = &g->b;
   struct nir_def *last = nir_imm_int(b, (int32_t)g->max_vertices - 1);

   return nir_iadd(b, nir_imul_imm(b, g->invocation, g->max_vertices),
                   nir_umin(b, nir_load_var(b, g->emitted), last));
}

/* The number of the invocation where those of all streams are one after the other. */
static struct nir_def *
of_stream(struct geometry *g, unsigned stream)
{
   struct nir_builder *b = &g->b;

   return nir_iadd(b, g->invocation, nir_imul_imm(b, agx_nir_assembly(b, invocations, 1), stream));
}

/* The primitive that the vertex completes; strip: how many vertices came before it in its strip. */
static void
store_primitive(struct geometry *g, struct nir_def *vertex, struct nir_def *strip, unsigned stream)
{
   struct nir_builder *b = &g->b;
   struct nir_def *first = nir_iadd_imm(b, vertex, 1 - (int64_t)g->corners), *made = nir_load_var(b, g->made[stream]);
   struct nir_def *odd =
                     nir_iand_imm(b, nir_iadd_imm(b, strip, 1 - (int64_t)g->corners), !mutant("agx-geometry-odd")),
                  *corners[3];
   unsigned room = agx_max_primitives(&b->shader->info);

   for (unsigned i = 0; i < g->corners; i++)
      corners[i] = nir_iadd_imm(b, first, i);
   if (g->corners == 3 && g->provoking_last) {
      corners[0] = nir_iadd(b, first, odd);
      corners[1] = nir_isub(b, nir_iadd_imm(b, first, 1), odd);
   } else if (g->corners == 3) {
      corners[1] = nir_iadd(b, corners[1], odd);
      corners[2] = nir_isub(b, corners[2], odd);
   }
   struct nir_def *number = nir_iadd(b, nir_imul_imm(b, of_stream(g, stream), room), made);
   struct nir_def *offset = nir_umul_2x32_64(b, number, nir_imm_int(b, 4 * (int32_t)g->corners));
   struct nir_def *to = nir_iadd(b, nir_pack_64_2x32(b, agx_nir_assembly(b, made_va, 2)), offset);

   nir_store_global(b, nir_vec(b, corners, g->corners), to, .write_mask = (1u << g->corners) - 1, .align_mul = 4);
   nir_store_var(b, g->made[stream], nir_iadd_imm(b, made, 1), 1);
}

static void
lower_emit(struct geometry *g, struct nir_intrinsic_instr *emit)
{
   struct nir_builder *b = &g->b;
   struct nir_def *strip = nir_load_var(b, g->strip), *emitted = nir_load_var(b, g->emitted);
   struct nir_def *fits = nir_ult(b, emitted, nir_imm_int(b, (int32_t)g->max_vertices));
   struct nir_def *completes = nir_uge(b, strip, nir_imm_int(b, (int32_t)g->corners - 1));
   struct nir_def *vertex = emitted_number(g);

   nir_instr_remove(&emit->instr);
   struct nir_if *nif = nir_push_if(b, nir_iand(b, fits, completes));

   store_primitive(g, vertex, strip, nir_intrinsic_stream(emit));
   nir_pop_if(b, nif);
   nir_store_var(b, g->strip, nir_iadd_imm(b, strip, 1), 1);
   nir_store_var(b, g->emitted, nir_iadd_imm(b, emitted, 1), 1);
}

/* Those that are made of a patch have its number. */
static struct nir_def *
primitive_id(struct geometry *g)
{
   return g->of_patches ? agx_nir_patch_of_point(&g->b, g->positions[0]) : g->primitive;
}

static bool
lower_instr(struct geometry *g, struct nir_intrinsic_instr *intr)
{
   struct nir_builder *b = &g->b;

   b->cursor = nir_before_instr(&intr->instr);
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_per_vertex_input:
      lower_load(g, intr);
      return true;
   case NIR_INTRINSIC_store_output:
      agx_nir_store_place(b, intr,
                          agx_nir_place_address(b, agx_nir_assembly(b, emitted_va, 2), emitted_number(g), g->outputs),
                          g->outputs);
      return true;
   case NIR_INTRINSIC_load_primitive_id:
   case NIR_INTRINSIC_load_invocation_id:
      nir_def_replace(&intr->def, intr->op == NIR_INTRINSIC_load_primitive_id ? primitive_id(g) : g->in_primitive);
      nir_instr_remove(&intr->instr);
      return true;
   case NIR_INTRINSIC_emit_vertex:
      lower_emit(g, intr);
      return true;
   case NIR_INTRINSIC_end_primitive:
      if (!mutant("agx-geometry-uncut"))
         nir_store_var(b, g->strip, nir_imm_int(b, 0), 1);
      nir_instr_remove(&intr->instr);
      return true;
   default: /* others: of any stage */
      return false;
   }
}

/* Emission splits blocks: what is lowered is found anew. */
static void
lower_instrs(struct geometry *g)
{
   nir_foreach_block(block, g->b.shader) {
      nir_foreach_instr_safe(instr, block) {
         bool splits = agx_nir_as_op(instr, NIR_INTRINSIC_emit_vertex);

         if (instr->type == NIR_INSTR_INTRINSIC && lower_instr(g, nir_as_intrinsic(instr)) && splits)
            break; /* the rest is in the next blocks */
      }
   }
}

static struct nir_variable *
counter(struct geometry *g, const char *name)
{
   struct nir_variable *variable =
      nir_variable_create(g->b.shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), name);

   nir_store_var(&g->b, variable, nir_imm_int(&g->b, 0), 1);
   return variable;
}

static void
find_numbers(struct geometry *g)
{
   struct nir_builder *b = &g->b;
   const struct nir_shader_info *info = &b->shader->info;
   struct nir_def *rest = g->invocation;
   struct nir_def *number = agx_nir_divide(b, &rest, nir_imm_int(b, info->gs_invocations));

   g->in_primitive = mutant("agx-geometry-invocation") ? nir_imm_int(b, 0) : rest;
   g->primitive = number;
   struct nir_def *instance = agx_nir_divide(b, &g->primitive, agx_nir_assembly(b, primitives, 1));

   g->first =
      nir_imul(b, mutant("agx-geometry-instance") ? nir_imm_int(b, 0) : instance, agx_nir_assembly(b, vertices, 1));
   for (unsigned i = 0; i < nir_primitive_vertices((enum nir_primitive)info->gs_input); i++)
      g->positions[i] = agx_nir_corner_position(b, g->primitive, nir_imm_int(b, (int32_t)i));
}

static void
store_count(struct geometry *g, unsigned stream)
{
   struct nir_builder *b = &g->b;
   struct nir_def *counts = nir_pack_64_2x32(b, agx_nir_assembly(b, counts_va, 2));
   struct nir_def *to = nir_iadd(b, counts, nir_u2u64(b, nir_imul_imm(b, of_stream(g, stream), 4)));

   nir_store_global(b, nir_load_var(b, g->made[stream]), to, .write_mask = 1, .align_mul = 4);
}

void
agx_nir_geometry(struct nir_shader *shader, const struct agx_slot_places *inputs,
                 const struct agx_slot_places *outputs, const struct agx_geometry_options *options)
{
   struct geometry g = {.inputs = inputs,
                        .outputs = outputs,
                        .provoking_last = options->provoking_last,
                        .of_patches = options->of_patches,
                        .corners = agx_made_corners(&shader->info),
                        .max_vertices = shader->info.gs_vertices};

   g.invocation = agx_nir_begin_compute(&g.b, shader);
   agx_nir_enclose(&g.b, nir_ult(&g.b, g.invocation, agx_nir_assembly(&g.b, invocations, 1)));
   find_numbers(&g);
   g.emitted = counter(&g, "emitted");
   g.strip = counter(&g, "strip");
   for (unsigned i = 0; i < agx_made_streams(&shader->info); i++)
      g.made[i] = counter(&g, "made");
   lower_instrs(&g);
   struct nir_if *inside = nir_cf_as_if(nir_cf_prev(&nir_cf_list_last(&shader->body)->cf));

   g.b.cursor = nir_after_block(nir_cf_list_last(&inside->then_list));
   for (unsigned i = 0; i < agx_made_streams(&shader->info); i++)
      store_count(&g, i);
   nir_lower_vars_to_ssa(shader);
}

/* ---- the draw ---- */

struct nir_shader *
agx_nir_fetch_emitted(const struct nir_shader *last, const struct agx_slot_places *places, unsigned primitive_slot)
{
   struct nir_shader *shader = nir_shader_create(last->arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *vertex =
      agx_nir_place_address(&b, agx_nir_assembly(&b, emitted_va, 2), nir_load_vertex_id_zero_base(&b), places);

   shader->name = "of what shaders ahead of the draw made";
   shader->info.clip_distances = last->info.clip_distances;
   shader->info.cull_distances = last->info.cull_distances;
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      unsigned to = slot == NIR_SLOT_PRIMITIVE_ID ? primitive_slot : slot;

      for (unsigned i = 0; i < 4; i++) {
         if (!(places->components[slot] >> i & 1) || (slot == NIR_SLOT_PRIMITIVE_ID && !primitive_slot))
            continue;
         struct nir_def *value = nir_load_global(&b, 1, 32, agx_nir_component_address(&b, vertex, places, slot, i),
                                                 .align_mul = 4, .access = NIR_ACCESS_CAN_REORDER);

         nir_store_output(&b, value, nir_imm_int(&b, 0), .slot = (int32_t)to, .component = (int32_t)i,
                          .write_mask = 1,
                          .src_type = places->floats[slot] >> i & 1 ? NIR_TYPE_FLOAT : NIR_TYPE_UINT);
      }
   }
   return shader;
}

void
agx_nir_write_primitive_slot(struct nir_shader *vertex, unsigned primitive_slot)
{
   nir_foreach_block(block, vertex) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *store = agx_nir_as_op(instr, NIR_INTRINSIC_store_output);

         if (!store || nir_intrinsic_slot(store) != NIR_SLOT_PRIMITIVE_ID)
            continue;
         if (primitive_slot)
            nir_intrinsic_set_slot(store, (int32_t)primitive_slot);
         else
            nir_instr_remove(instr);
      }
   }
}

void
agx_nir_read_primitive_slot(struct nir_shader *fragment, unsigned primitive_slot)
{
   nir_foreach_block(block, fragment) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *id = agx_nir_as_op(instr, NIR_INTRINSIC_load_primitive_id);
         struct nir_intrinsic_instr *load = agx_nir_as_op(instr, NIR_INTRINSIC_load_input);

         if (load && nir_intrinsic_slot(load) == NIR_SLOT_PRIMITIVE_ID)
            nir_intrinsic_set_slot(load, (int32_t)primitive_slot);
         if (!id)
            continue;
         struct nir_builder b = nir_builder_at(fragment, nir_before_instr(instr));

         nir_def_replace(&id->def, nir_load_input(&b, 1, 32, nir_imm_int(&b, 0), .slot = (int32_t)primitive_slot,
                                                  .component = 0, .src_type = NIR_TYPE_UINT));
         nir_instr_remove(instr);
      }
   }
}
