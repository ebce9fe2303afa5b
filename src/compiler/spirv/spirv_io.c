/* Inputs, outputs and built-ins. An input or output of structure type becomes one variable per member, made when the
 * member is first touched; built-ins that an invocation has from its start become private variables that the start of
 * the shader fills. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

enum { MAX_DISTANCES = 8 }; /* two slots; maxClipDistances, maxCullDistances */

#define STAGE(name) (1 << NIR_STAGE_##name)
#define WORKGROUPS NIR_STAGES_WORKGROUPS
#define ANY ((1 << NIR_STAGES) - 1)
#define TESSELLATION (STAGE(TESS_CTRL) | STAGE(TESS_EVAL))
#define PRIMITIVES (TESSELLATION | STAGE(GEOMETRY))                     /* that read all vertices of one */
#define RASTERIZED (STAGE(VERTEX) | STAGE(TESS_EVAL) | STAGE(GEOMETRY)) /* whose vertices may be */
#define VERTICES (RASTERIZED | STAGE(TESS_CTRL) | STAGE(MESH))          /* that make some */
#define TASKS (STAGE(TASK) | STAGE(MESH))

/* Their type is a vector of 32 bits, or an array of up to max_length of them. */
static const struct slot_row {
   uint16_t builtin;
   uint8_t stages, is_output, slot; /* bit per enum nir_stage, enum nir_slot */
   uint8_t is_float, components, max_length;
} slots[] = {
   {SpvBuiltInPosition, VERTICES, true, NIR_SLOT_POS, true, 4, 0},
   {SpvBuiltInPointSize, VERTICES, true, NIR_SLOT_PSIZ, true, 1, 0},
   {SpvBuiltInPrimitiveShadingRateKHR, STAGE(VERTEX) | STAGE(GEOMETRY) | STAGE(MESH), true, NIR_SLOT_SHADING_RATE,
    false, 1, 0},
   {SpvBuiltInClipDistance, VERTICES, true, NIR_SLOT_CLIP_DIST0, true, 1, MAX_DISTANCES},
   {SpvBuiltInCullDistance, VERTICES, true, NIR_SLOT_CULL_DIST0, true, 1, MAX_DISTANCES},
   {SpvBuiltInTessLevelOuter, STAGE(TESS_CTRL), true, NIR_SLOT_TESS_LEVEL_OUTER, true, 1, 4},
   {SpvBuiltInTessLevelInner, STAGE(TESS_CTRL), true, NIR_SLOT_TESS_LEVEL_INNER, true, 1, 2},
   {SpvBuiltInTessLevelOuter, STAGE(TESS_EVAL), false, NIR_SLOT_TESS_LEVEL_OUTER, true, 1, 4},
   {SpvBuiltInTessLevelInner, STAGE(TESS_EVAL), false, NIR_SLOT_TESS_LEVEL_INNER, true, 1, 2},
   {SpvBuiltInLayer, RASTERIZED | STAGE(MESH), true, NIR_SLOT_LAYER, false, 1, 0},
   {SpvBuiltInViewportIndex, RASTERIZED | STAGE(MESH), true, NIR_SLOT_VIEWPORT, false, 1, 0},
   {SpvBuiltInPrimitiveId, STAGE(GEOMETRY) | STAGE(MESH), true, NIR_SLOT_PRIMITIVE_ID, false, 1, 0},
   {SpvBuiltInPrimitivePointIndicesEXT, STAGE(MESH), true, NIR_SLOT_PRIMITIVE_INDICES, false, 1, 0},
   {SpvBuiltInPrimitiveLineIndicesEXT, STAGE(MESH), true, NIR_SLOT_PRIMITIVE_INDICES, false, 2, 0},
   {SpvBuiltInPrimitiveTriangleIndicesEXT, STAGE(MESH), true, NIR_SLOT_PRIMITIVE_INDICES, false, 3, 0},
   {SpvBuiltInCullPrimitiveEXT, STAGE(MESH), true, NIR_SLOT_CULL_PRIMITIVE, false, 1, 0},
   {SpvBuiltInPosition, PRIMITIVES, false, NIR_SLOT_POS, true, 4, 0},
   {SpvBuiltInPointSize, PRIMITIVES, false, NIR_SLOT_PSIZ, true, 1, 0},
   {SpvBuiltInClipDistance, PRIMITIVES, false, NIR_SLOT_CLIP_DIST0, true, 1, MAX_DISTANCES},
   {SpvBuiltInCullDistance, PRIMITIVES, false, NIR_SLOT_CULL_DIST0, true, 1, MAX_DISTANCES},
   {SpvBuiltInClipDistance, STAGE(FRAGMENT), false, NIR_SLOT_CLIP_DIST0, true, 1, MAX_DISTANCES},
   {SpvBuiltInCullDistance, STAGE(FRAGMENT), false, NIR_SLOT_CULL_DIST0, true, 1, MAX_DISTANCES},
   {SpvBuiltInViewportIndex, STAGE(FRAGMENT), false, NIR_SLOT_VIEWPORT, false, 1, 0},
   {SpvBuiltInBaryCoordKHR, STAGE(FRAGMENT), false, NIR_SLOT_BARY_COORD, true, 3, 0},
   {SpvBuiltInBaryCoordNoPerspKHR, STAGE(FRAGMENT), false, NIR_SLOT_BARY_COORD, true, 3, 0},
   {SpvBuiltInFragDepth, STAGE(FRAGMENT), true, NIR_SLOT_FRAG_DEPTH, true, 1, 0},
   {SpvBuiltInSampleMask, STAGE(FRAGMENT), true, NIR_SLOT_FRAG_SAMPLE_MASK, false, 1, 1},
   {SpvBuiltInFragStencilRefEXT, STAGE(FRAGMENT), true, NIR_SLOT_FRAG_STENCIL, false, 1, 0},
};

/* Inputs that are system values. */
static const struct {
   uint16_t builtin, stages, intrinsic;
} values[] = {
   {SpvBuiltInVertexIndex, STAGE(VERTEX), NIR_INTRINSIC_load_vertex_id},
   {SpvBuiltInBaseVertex, STAGE(VERTEX), NIR_INTRINSIC_load_base_vertex},
   {SpvBuiltInBaseInstance, STAGE(VERTEX), NIR_INTRINSIC_load_base_instance},
   {SpvBuiltInDrawIndex, STAGE(VERTEX) | TASKS, NIR_INTRINSIC_load_draw_id},
   {SpvBuiltInViewIndex, VERTICES | STAGE(FRAGMENT), NIR_INTRINSIC_load_view_index},
   {SpvBuiltInFragCoord, STAGE(FRAGMENT), NIR_INTRINSIC_load_frag_coord},
   {SpvBuiltInPointCoord, STAGE(FRAGMENT), NIR_INTRINSIC_load_point_coord},
   {SpvBuiltInFrontFacing, STAGE(FRAGMENT), NIR_INTRINSIC_load_front_face},
   {SpvBuiltInSampleId, STAGE(FRAGMENT), NIR_INTRINSIC_load_sample_id},
   {SpvBuiltInSamplePosition, STAGE(FRAGMENT), NIR_INTRINSIC_load_sample_pos},
   {SpvBuiltInSampleMask, STAGE(FRAGMENT), NIR_INTRINSIC_load_sample_mask_in},
   {SpvBuiltInHelperInvocation, STAGE(FRAGMENT), NIR_INTRINSIC_load_helper_invocation},
   {SpvBuiltInLayer, STAGE(FRAGMENT), NIR_INTRINSIC_load_layer_id},
   {SpvBuiltInShadingRateKHR, STAGE(FRAGMENT), NIR_INTRINSIC_load_shading_rate},
   {SpvBuiltInPrimitiveId, PRIMITIVES | STAGE(FRAGMENT), NIR_INTRINSIC_load_primitive_id},
   {SpvBuiltInTessCoord, STAGE(TESS_EVAL), NIR_INTRINSIC_load_tess_coord},
   {SpvBuiltInPatchVertices, TESSELLATION, NIR_INTRINSIC_load_patch_vertices_in},
   {SpvBuiltInInvocationId, STAGE(GEOMETRY) | STAGE(TESS_CTRL), NIR_INTRINSIC_load_invocation_id},
   {SpvBuiltInNumWorkgroups, WORKGROUPS, NIR_INTRINSIC_load_num_workgroups},
   {SpvBuiltInWorkgroupId, WORKGROUPS, NIR_INTRINSIC_load_workgroup_id},
   {SpvBuiltInLocalInvocationId, WORKGROUPS, NIR_INTRINSIC_load_local_invocation_id},
   {SpvBuiltInGlobalInvocationId, WORKGROUPS, NIR_INTRINSIC_load_global_invocation_id},
   {SpvBuiltInLocalInvocationIndex, WORKGROUPS, NIR_INTRINSIC_load_local_invocation_index},
   {SpvBuiltInWorkgroupSize, WORKGROUPS, NIR_INTRINSIC_load_workgroup_size},
   {SpvBuiltInSubgroupId, WORKGROUPS, NIR_INTRINSIC_load_subgroup_id},
   {SpvBuiltInNumSubgroups, WORKGROUPS, NIR_INTRINSIC_load_num_subgroups},
   {SpvBuiltInSubgroupSize, ANY, NIR_INTRINSIC_load_subgroup_size},
   {SpvBuiltInSubgroupLocalInvocationId, ANY, NIR_INTRINSIC_load_subgroup_invocation},
   {SpvBuiltInSubgroupEqMask, ANY, NIR_INTRINSIC_load_subgroup_eq_mask},
   {SpvBuiltInSubgroupGeMask, ANY, NIR_INTRINSIC_load_subgroup_ge_mask},
   {SpvBuiltInSubgroupGtMask, ANY, NIR_INTRINSIC_load_subgroup_gt_mask},
   {SpvBuiltInSubgroupLeMask, ANY, NIR_INTRINSIC_load_subgroup_le_mask},
   {SpvBuiltInSubgroupLtMask, ANY, NIR_INTRINSIC_load_subgroup_lt_mask},
};

static const struct slot_row *
builtin_slot(const struct spirv_emit *e, bool is_output, int32_t builtin)
{
   for (unsigned i = 0; i < ARRAY_SIZE(slots); i++) {
      if (slots[i].builtin == builtin && slots[i].is_output == is_output && slots[i].stages >> e->shader->stage & 1)
         return &slots[i];
   }
   return NULL;
}

int32_t
spirv_output_slot(const struct spirv_emit *e, int32_t builtin)
{
   const struct slot_row *row = builtin_slot(e, true, builtin);
   return row ? row->slot : -1;
}

static void
check_builtin_type(struct spirv_emit *e, const struct spirv_type *type, const struct slot_row *row)
{
   bool is_array = type->kind == SPIRV_TYPE_ARRAY;
   const struct spirv_type *leaf = is_array ? type->element : type;
   bool fits = is_array ? type->length >= 1 && type->length <= row->max_length : !row->max_length;
   fits = fits && spirv_is_vector_or_scalar(leaf) && leaf->components == row->components;
   if (row->slot == NIR_SLOT_CULL_PRIMITIVE)
      fits = fits && leaf->base == NIR_TYPE_BOOL;
   else
      fits =
         fits && leaf->bit_size == 32 &&
         (row->is_float ? leaf->base == NIR_TYPE_FLOAT : leaf->base == NIR_TYPE_INT || leaf->base == NIR_TYPE_UINT);
   spirv_require(e->m, fits, "built-in %s of type %s", spirv_enumerant_info(SPIRV_KIND_BUILT_IN, row->builtin)->name,
                 spirv_type_name(e->m, type));
}

/* I and J where the built-in says (SPV_AMD_shader_explicit_vertex_parameter); NULL: it is none of these. */
static struct nir_def *
barycentric_value(struct nir_builder *b, int32_t builtin)
{
   switch (builtin) {
   case SpvBuiltInBaryCoordNoPerspAMD:
      return nir_load_barycentric_pixel(b, .interp = NIR_INTERP_NOPERSPECTIVE);
   case SpvBuiltInBaryCoordNoPerspCentroidAMD:
      return nir_load_barycentric_centroid(b, .interp = NIR_INTERP_NOPERSPECTIVE);
   case SpvBuiltInBaryCoordNoPerspSampleAMD:
      return nir_load_barycentric_sample(b, .interp = NIR_INTERP_NOPERSPECTIVE);
   case SpvBuiltInBaryCoordSmoothAMD:
      return nir_load_barycentric_pixel(b, .interp = NIR_INTERP_SMOOTH);
   case SpvBuiltInBaryCoordSmoothCentroidAMD:
      return nir_load_barycentric_centroid(b, .interp = NIR_INTERP_SMOOTH);
   case SpvBuiltInBaryCoordSmoothSampleAMD:
      return nir_load_barycentric_sample(b, .interp = NIR_INTERP_SMOOTH);
   case SpvBuiltInBaryCoordPullModelAMD:
      return nir_load_barycentric_model(b);
   default: /* others: no barycentrics */
      return NULL;
   }
}

/* Built at the start of the shader. */
static struct nir_def *
builtin_value(struct spirv_emit *e, int32_t builtin)
{
   struct nir_builder *b = &e->start;
   if (builtin == SpvBuiltInInstanceIndex && e->shader->stage == NIR_STAGE_VERTEX)
      return nir_iadd(b, nir_load_instance_id(b), nir_load_base_instance(b));
   if (builtin == SpvBuiltInDeviceIndex)
      return nir_imm_int(b, 0);
   struct nir_def *barycentric = e->shader->stage == NIR_STAGE_FRAGMENT ? barycentric_value(b, builtin) : NULL;
   if (barycentric) {
      const struct spirv_options *options = e->m->options;
      spirv_require(e->m, !options || options->features & SPIRV_FEATURE_AMD_EXPLICIT, "the built-in is not enabled");
      return barycentric;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
      if (values[i].builtin == builtin && values[i].stages >> e->shader->stage & 1) {
         enum nir_intrinsic_op op = (enum nir_intrinsic_op)values[i].intrinsic;
         return &nir_build_intrinsic(b, op, 0, 0, NULL, NULL)->def;
      }
   }
   const struct spirv_enumerant_info *info = spirv_enumerant_info(SPIRV_KIND_BUILT_IN, (uint32_t)builtin);
   spirv_fail(e->m, "built-in %s does not exist in this stage and storage class", info ? info->name : "?");
}

static void
builtin_pointer(struct spirv_emit *e, struct spirv_pointer *pointer, int32_t builtin)
{
   struct nir_def *value = builtin_value(e, builtin);
   const struct spirv_type *type = pointer->type, *leaf = type;
   if (builtin == SpvBuiltInSampleMask && type->kind == SPIRV_TYPE_ARRAY)
      leaf = type->element;
   spirv_require(e->m,
                 spirv_is_vector_or_scalar(leaf) && leaf->components == value->num_components &&
                    leaf->bit_size == value->bit_size && leaf->base != NIR_TYPE_VOID,
                 "a built-in of type %s", spirv_type_name(e->m, type));
   pointer->deref = nir_build_deref_var(&e->start, spirv_temporary(e, type));
   struct nir_deref_instr *to =
      leaf == type ? pointer->deref : nir_build_deref_array_imm(&e->start, pointer->deref, 0);
   nir_build_store_deref_of(&e->start, to, value, 0, 0);
}

static int32_t
user_slot(struct spirv_emit *e, const struct spirv_pointer *pointer, const struct spirv_io *io)
{
   bool colour = pointer->storage == SpvStorageClassOutput && e->shader->stage == NIR_STAGE_FRAGMENT;
   spirv_require(e->m,
                 e->shader->stage != NIR_STAGE_COMPUTE && e->shader->stage != NIR_STAGE_TASK &&
                    (e->shader->stage != NIR_STAGE_MESH || pointer->storage == SpvStorageClassOutput),
                 "a %s shader has no inputs and outputs", nir_stage_names[e->shader->stage]);
   spirv_require(e->m, io->location >= 0, "an input or output without Location");
   const struct spirv_type *type = io->per_vertex ? pointer->type->element : pointer->type;
   uint32_t used = nir_type_slots(type->nir), limit = colour ? 8 : 32;
   spirv_require(e->m, used <= limit && (uint32_t)io->location + used <= limit, "location %d is out of range",
                 io->location);
   return (colour ? NIR_SLOT_FRAG_DATA0 : NIR_SLOT_VAR0) + io->location;
}

static const struct spirv_type *
leaf_type(const struct spirv_type *type)
{
   while (spirv_is_composite(type) && type->kind == SPIRV_TYPE_ARRAY)
      type = type->element;
   return type;
}

/* Patch may stand at the members of a block, all of them. */
static bool
is_patch(const struct spirv_pointer *pointer, const struct spirv_io *io)
{
   const struct spirv_type *leaf = leaf_type(pointer->type);
   const struct spirv_io *member = leaf->kind == SPIRV_TYPE_STRUCT && leaf->length ? leaf->members[0].io : NULL;
   return io->patch || io->builtin == SpvBuiltInTessLevelOuter || io->builtin == SpvBuiltInTessLevelInner ||
          (member && member->patch);
}

/* Whether the outermost dimension is the vertices of the primitive, as in all inputs of shaders that read primitives
 * but system values and those of patches. */
static bool
is_by_vertex(const struct spirv_emit *e, const struct spirv_pointer *pointer, const struct spirv_io *io)
{
   const bool is_output = pointer->storage == SpvStorageClassOutput;
   const uint32_t stages = is_output ? STAGE(TESS_CTRL) | STAGE(MESH) : PRIMITIVES;
   return stages >> e->shader->stage & 1 && (io->builtin < 0 || builtin_slot(e, is_output, io->builtin)) &&
          !is_patch(pointer, io);
}

/* So it is of a PerVertexKHR input. A control shader has as many outputs as it makes vertices. */
static void
check_per_vertex(struct spirv_emit *e, const struct spirv_pointer *pointer)
{
   if ((PRIMITIVES | STAGE(MESH)) >> e->shader->stage & 1) {
      const uint32_t most = e->shader->stage == NIR_STAGE_MESH ? NIR_MAX_MESH_VERTICES : NIR_MAX_PATCH_VERTICES;
      spirv_require(
         e->m, pointer->type->kind == SPIRV_TYPE_ARRAY && pointer->type->length >= 1 && pointer->type->length <= most,
         "an input or output that is no array of vertices, but %s", spirv_type_name(e->m, pointer->type));
      return;
   }
   bool input = pointer->storage == SpvStorageClassInput && e->shader->stage == NIR_STAGE_FRAGMENT;
   spirv_require(e->m, input, "PerVertexKHR of what is no input of a fragment shader");
   spirv_require(e->m, spirv_has(e->m, SpvCapabilityFragmentBarycentricKHR),
                 "PerVertexKHR without the capability FragmentBarycentricKHR");
   spirv_require(e->m, pointer->type->kind == SPIRV_TYPE_ARRAY && pointer->type->length <= 3,
                 "a PerVertexKHR input that is no array of up to 3 vertices, but %s",
                 spirv_type_name(e->m, pointer->type));
}

/* Those built-ins are a primitive's however they are decorated. */
static bool
is_of_primitive(const struct spirv_emit *e, const struct spirv_io *io, int32_t slot)
{
   const bool mesh = e->shader->stage == NIR_STAGE_MESH;
   spirv_require(e->m, !io->per_primitive || mesh || e->shader->stage == NIR_STAGE_FRAGMENT,
                 "PerPrimitiveEXT in a stage that has no such inputs or outputs");
   return io->per_primitive || (mesh && (slot == NIR_SLOT_PRIMITIVE_INDICES || slot == NIR_SLOT_CULL_PRIMITIVE));
}

static void
slot_variable(struct spirv_emit *e, struct spirv_pointer *pointer, const struct spirv_io *io, int32_t slot)
{
   bool is_output = pointer->storage == SpvStorageClassOutput;
   const struct spirv_type *leaf = leaf_type(pointer->type);
   const char *name =
      pointer->var->name && *pointer->var->name ? arena_strdup(e->m->arena, pointer->var->name) : NULL;
   spirv_require(e->m, !leaf->has_bool || slot == NIR_SLOT_CULL_PRIMITIVE, "an input or output of booleans");
   struct nir_variable *variable =
      nir_variable_create(e->shader, is_output ? NIR_VAR_SHADER_OUT : NIR_VAR_SHADER_IN, pointer->type->nir, name);
   bool integral = leaf->base == NIR_TYPE_INT || leaf->base == NIR_TYPE_UINT || leaf->bit_size == 64;
   variable->location = slot;
   variable->component = (uint8_t)io->component;
   variable->frag_index = (uint8_t)io->index;
   bool flat = io->flat || io->per_vertex || io->per_primitive || io->explicit || (integral && leaf->base);
   bool linear = io->noperspective || io->builtin == SpvBuiltInBaryCoordNoPerspKHR;
   variable->interp = flat ? NIR_INTERP_FLAT : linear ? NIR_INTERP_NOPERSPECTIVE : NIR_INTERP_SMOOTH;
   variable->per_vertex = io->per_vertex;
   variable->per_primitive = is_of_primitive(e, io, slot);
   variable->centroid = io->centroid;
   variable->sample = io->sample;
   variable->invariant = io->invariant;
   variable->relaxed = io->relaxed;
   variable->access = io->access;
   if (is_output && e->shader->stage == NIR_STAGE_GEOMETRY)
      variable->stream = (uint8_t)MAX2(io->stream, 0);
   const enum nir_stage patches = is_output ? NIR_STAGE_TESS_CTRL : NIR_STAGE_TESS_EVAL;
   spirv_require(e->m, !io->patch || e->shader->stage == patches, "Patch in a stage that has none");
   spirv_require(e->m,
                 !spirv_is_vector_or_scalar(leaf) || leaf->bit_size == 64 || io->component + leaf->components <= 4,
                 "the components run over the location");
   pointer->deref = nir_build_deref_var(&e->start, variable);
}

/* Makes the pointer refer to an input or output with these decorations. */
void
spirv_io_pointer(struct spirv_emit *e, struct spirv_pointer *pointer, const struct spirv_io *decorations)
{
   bool is_output = pointer->storage == SpvStorageClassOutput;
   struct spirv_io own = *decorations, *io = &own;
   pointer->is_mutable = is_output;
   io->per_vertex |= is_by_vertex(e, pointer, io);
   if (io->per_vertex)
      check_per_vertex(e, pointer);
   const struct spirv_type *of_vertex = io->per_vertex ? pointer->type->element : pointer->type;
   if (io->builtin >= 0) {
      const struct slot_row *row = builtin_slot(e, is_output, io->builtin);
      spirv_require(e->m, !is_output || row, "built-in %s is no output of this stage",
                    spirv_enumerant_info(SPIRV_KIND_BUILT_IN, (uint32_t)io->builtin)->name);
      if (row) {
         spirv_require(e->m, row->slot != NIR_SLOT_BARY_COORD || spirv_has(e->m, SpvCapabilityFragmentBarycentricKHR),
                       "barycentric coordinates without the capability FragmentBarycentricKHR");
         check_builtin_type(e, row->slot == NIR_SLOT_BARY_COORD ? pointer->type : of_vertex, row);
         slot_variable(e, pointer, io, row->slot);
      } else {
         builtin_pointer(e, pointer, io->builtin);
      }
   } else if (of_vertex->kind == SPIRV_TYPE_STRUCT) {
      pointer->io = *io;
      pointer->vertices = io->per_vertex ? pointer->type->length : 0;
      pointer->members = arena_array(&e->m->temp, struct spirv_pointer *, of_vertex->length);
   } else {
      slot_variable(e, pointer, io, user_slot(e, pointer, io));
   }
}

/* The structure that became one variable per member. */
static const struct spirv_type *
split_type(const struct spirv_pointer *pointer)
{
   return pointer->type->kind == SPIRV_TYPE_ARRAY ? pointer->type->element : pointer->type;
}

static const struct spirv_type *
vertices_type(struct spirv_emit *e, const struct spirv_type *element, uint32_t length)
{
   struct spirv_type *type = arena_new(&e->m->temp, struct spirv_type);
   const uint64_t scalars = (uint64_t)element->scalars * length;
   *type = (struct spirv_type){.kind = SPIRV_TYPE_ARRAY,
                               .columns = 1,
                               .depth = (uint16_t)(element->depth + 1),
                               .element = element,
                               .length = length,
                               .scalars = (uint32_t)MIN2(scalars, UINT32_MAX),
                               .has_bool = element->has_bool,
                               .nir = nir_type_array(e->m->arena, element->nir, length, 0)};
   return type;
}

struct spirv_pointer *
spirv_io_vertex(struct spirv_emit *e, const struct spirv_pointer *pointer, struct nir_def *vertex)
{
   struct spirv_pointer *child = arena_dup(&e->m->temp, pointer, sizeof(*pointer));
   child->type = pointer->type->element;
   if (pointer->deref)
      child->deref = nir_build_deref_array(&e->b, pointer->deref, vertex);
   else
      child->vertex = vertex;
   return child;
}

/* Decorations of a member: its own, those of the structure around it, and the location that follows from the
 * order. */
struct spirv_io
spirv_member_io(const struct spirv_pointer *pointer, uint32_t index)
{
   const struct spirv_member *members = split_type(pointer)->members;
   struct spirv_io io = pointer->io;
   uint32_t location = (uint32_t)pointer->io.location;
   for (uint32_t i = 0; i < index; i++) {
      if (members[i].io && members[i].io->location >= 0)
         location = (uint32_t)members[i].io->location;
      location += nir_type_slots(members[i].type->nir);
   }
   if (pointer->io.location >= 0)
      io.location = (int32_t)MIN2(location, 1000);
   if (members[index].io) {
      const struct spirv_io *own = members[index].io;
      io.builtin = own->builtin;
      io.location = own->location >= 0 ? own->location : io.location;
      io.component = own->component;
      io.flat |= own->flat;
      io.noperspective |= own->noperspective;
      io.centroid |= own->centroid;
      io.sample |= own->sample;
      io.invariant |= own->invariant;
      io.relaxed |= own->relaxed;
      io.patch |= own->patch;
      io.per_vertex |= own->per_vertex;
      io.per_primitive |= own->per_primitive;
      spirv_xfb_inherit(&io, own);
      io.explicit |= own->explicit;
      io.access |= own->access;
   }
   return io;
}

static struct spirv_pointer *
make_member(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t index)
{
   struct spirv_pointer *member = arena_new(&e->m->temp, struct spirv_pointer);
   struct spirv_io io = spirv_member_io(pointer, index);
   const struct spirv_type *type = split_type(pointer)->members[index].type;
   *member = (struct spirv_pointer){.type = pointer->vertices ? vertices_type(e, type, pointer->vertices) : type,
                                    .storage = pointer->storage,
                                    .var = pointer->var,
                                    .access = pointer->access | io.access};
   spirv_io_pointer(e, member, &io);
   return member;
}

struct spirv_pointer *
spirv_io_member(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t index)
{
   if (!pointer->members[index])
      pointer->members[index] = make_member(e, pointer, index);
   return pointer->vertex ? spirv_io_vertex(e, pointer->members[index], pointer->vertex) : pointer->members[index];
}
