/* Selection of the end of a shader: exports of positions, parameters and colours. */
#include <string.h>

#include "amd/compiler/aco_select.h"
#include "util/mutant.h"

enum {
   TARGET_MRT0 = 0,
   TARGET_MRTZ = 8,
   TARGET_NULL = 9,
   TARGET_POS0 = 12,
   TARGET_PRIM = 20,
   TARGET_DUAL_LEFT = 21, /* two sources of blending, where lanes share exports: of even pixels */
   TARGET_DUAL_RIGHT = 22,
   TARGET_PARAM0 = 32,
};

/* Values of SPI_SHADER_COL_FORMAT and SPI_SHADER_Z_FORMAT. */
enum {
   FORMAT_ZERO,
   FORMAT_32_R,
   FORMAT_32_GR,
   FORMAT_32_AR,
   FORMAT_FP16_ABGR,
   FORMAT_UNORM16_ABGR,
   FORMAT_SNORM16_ABGR,
   FORMAT_UINT16_ABGR,
   FORMAT_SINT16_ABGR,
   FORMAT_32_ABGR,
};

/* Of a program without results: it must export something. RDNA 3 ISA: there is no null target. */
static unsigned
target_of_nothing(const struct isel *c)
{
   return c->program->target->has_null_target ? TARGET_NULL : TARGET_MRT0;
}

static struct aco_instr *export(struct isel *c, unsigned target, unsigned enabled, const struct aco_operand *values)
{
   struct aco_operand regs[4] = {{0}};
   for (unsigned i = 0; i < 4; i++) {
      if (enabled >> i & 1)
         regs[i] = isel_as_v(c, values[i].kind == ACO_OP_NONE ? k(0) : values[i], 1);
   }
   struct aco_instr *instr = isel_emit(c, AMD_OP_exp, 0, 4);
   for (unsigned i = 0; i < 4; i++)
      instr->ops[i] = regs[i];
   instr->exp_target = (uint8_t)target;
   instr->exp_en = (uint8_t)enabled;
   instr->exp_row = c->nir->stage == NIR_STAGE_MESH && c->program->target->exports_rows;
   instr->side_effects = true;
   return instr;
}

/* ---- vertex ---- */

#define MAX_PARAMS 32

static bool
is_param(unsigned slot)
{
   return slot >= NIR_SLOT_CLIP_DIST0 && slot <= NIR_SLOT_VAR31;
}

/* Clip distances, then cull distances, as one array of 8. */
static unsigned
gather_distances(struct isel *c, struct aco_operand *distances)
{
   unsigned clip = c->nir->info.clip_distances, cull = c->nir->info.cull_distances, mask = 0;
   for (unsigned i = 0; i < 8; i++) {
      const struct aco_operand *clip_value = &c->outputs[NIR_SLOT_CLIP_DIST0 + i / 4].comp[i % 4];
      const struct aco_operand *cull_value = &c->outputs[NIR_SLOT_CULL_DIST0 + i / 4].comp[i % 4];
      if (clip_value->kind != ACO_OP_NONE) {
         distances[i] = *clip_value;
         mask |= 1u << i;
      }
      if (cull_value->kind != ACO_OP_NONE && clip + i < 8) {
         distances[clip + i] = *cull_value;
         mask |= 1u << (clip + i);
      }
   }
   c->out->vs.clip_mask = (uint8_t)bit_mask(clip);
   c->out->vs.cull_mask = (uint8_t)(bit_mask(cull) << clip);
   return mask;
}

/* A primitive's rate in the second component of the vector after the position: the logarithms of width and height,
 * at most 1 (more becomes that). Source: RADV, where it lowers the output. */
static struct aco_operand
shading_rate(struct isel *c)
{
   const struct aco_target *target = c->program->target;
   struct aco_operand rate = isel_as_v(c, c->outputs[NIR_SLOT_SHADING_RATE].comp[0], 1);
   struct aco_operand wide = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(3 << 2), rate);
   struct aco_operand high = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(3), rate);
   if (!target->rate_width_bit)
      aco_fail(c->program, "there are no shading rates of primitives in this generation");
   wide = isel_v2(c, AMD_OP_v_min_u32, ACO_V1, k(1 << 2), wide);
   high = isel_v2(c, AMD_OP_v_min_u32, ACO_V1, k(1), high);
   wide = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(target->rate_width_bit - 2), wide);
   return isel_v3(c, AMD_OP_v_lshl_or_b32, ACO_V1, high, k(target->rate_height_bit), wide);
}

static bool
has_vertex_output(const struct isel *c, unsigned slot)
{
   return c->outputs[slot].mask && !(c->options->vs.primitive_slots >> slot & 1);
}

static void
export_positions(struct isel *c)
{
   struct aco_operand pos[4], misc[4] = {{0}}, distances[8] = {{0}};
   unsigned misc_mask = 0, target = TARGET_POS0;
   for (unsigned i = 0; i < 4; i++) {
      pos[i] = c->outputs[NIR_SLOT_POS].comp[i];
      if (pos[i].kind == ACO_OP_NONE)
         pos[i] = k(i == 3 ? float_bits(1) : 0);
   }
   struct aco_instr *last = export(c, target++, 0xf, pos);
   last->exp_vm = c->program->target->pos0_vm;
   c->out->vs.writes_psize = has_vertex_output(c, NIR_SLOT_PSIZ);
   c->out->vs.writes_shading_rate = has_vertex_output(c, NIR_SLOT_SHADING_RATE);
   c->out->vs.writes_layer = has_vertex_output(c, NIR_SLOT_LAYER);
   c->out->vs.writes_viewport = has_vertex_output(c, NIR_SLOT_VIEWPORT);
   if (c->out->vs.writes_psize) {
      misc[0] = c->outputs[NIR_SLOT_PSIZ].comp[0];
      misc_mask |= 1;
   }
   if (c->out->vs.writes_shading_rate) {
      misc[1] = shading_rate(c);
      misc_mask |= 2;
   }
   if (c->out->vs.writes_layer) {
      misc[2] = c->outputs[NIR_SLOT_LAYER].comp[0];
      misc_mask |= 4;
   }
   if (c->out->vs.writes_viewport) {
      struct aco_operand viewport = isel_as_v(c, c->outputs[NIR_SLOT_VIEWPORT].comp[0], 1);
      misc[2] =
         isel_v3(c, AMD_OP_v_lshl_or_b32, ACO_V1, viewport, k(16), misc[2].kind == ACO_OP_NONE ? k(0) : misc[2]);
      misc_mask |= 4;
   }
   if (misc_mask)
      last = export(c, target++, misc_mask, misc);
   if (c->options->vs.export_clip_dists) {
      unsigned mask = gather_distances(c, distances);
      for (unsigned i = 0; i < 2; i++) {
         if (mask >> 4 * i & 0xf)
            last = export(c, target++, mask >> 4 * i & 0xf, &distances[4 * i]);
      }
   }
   last->exp_done = true;
   c->out->vs.num_pos = (uint8_t)(target - TARGET_POS0);
}

/* Numbers those that are read. */
static void
number_params(struct isel *c, uint8_t slots[MAX_PARAMS], uint64_t among)
{
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      bool unread = c->options->vs.unread_params >> slot & 1, full = c->out->vs.num_params == MAX_PARAMS;
      if (!(among >> slot & 1) || !c->outputs[slot].mask || !is_param(slot) || unread || full)
         continue;
      slots[c->out->vs.num_params] = (uint8_t)slot;
      c->out->vs.param_of_slot[slot] = c->out->vs.num_params++;
   }
}

static void
choose_params(struct isel *c, uint8_t slots[MAX_PARAMS])
{
   const uint64_t whole = c->options->vs.primitive_slots;
   memset(c->out->vs.param_of_slot, ACO_NO_REG, sizeof(c->out->vs.param_of_slot));
   number_params(c, slots, ~whole);
   const unsigned of_vertices = c->out->vs.num_params;
   number_params(c, slots, whole);
   c->out->vs.num_primitive_params = (uint8_t)(c->out->vs.num_params - of_vertices);
}

static void
export_params(struct isel *c, unsigned first, unsigned count, const uint8_t *slots)
{
   for (unsigned i = 0; i < count && c->program->target->max_params; i++)
      export(c, TARGET_PARAM0 + first + i, c->outputs[slots[i]].mask, c->outputs[slots[i]].comp);
}

/* Parameters in memory come first: the last position says that they are there. */
static void
vertex_exports(struct isel *c)
{
   uint8_t slots[MAX_PARAMS];
   isel_start_exports(c);
   if (c->options->vs.export_primitive_id) {
      c->outputs[NIR_SLOT_PRIMITIVE_ID].comp[0] = aco_op_temp(c->program, c->primitive_id);
      c->outputs[NIR_SLOT_PRIMITIVE_ID].mask = 1;
   }
   choose_params(c, slots);
   if (!c->program->target->max_params)
      isel_store_params(c, 0, c->out->vs.num_params, slots);
   export_positions(c);
   export_params(c, 0, c->out->vs.num_params, slots);
}

/* ---- fragment ---- */

/* alpha_samples: (1 << round(alpha * samples)) - 1 of what the shader's mask has. */
static void
cover_by_alpha(struct isel *c)
{
   const unsigned samples = c->options->ps.alpha_samples;
   struct aco_operand *mask = &c->outputs[NIR_SLOT_FRAG_SAMPLE_MASK].comp[0];
   if (!samples || !(c->outputs[NIR_SLOT_FRAG_DATA0].mask & 8))
      return;
   struct aco_operand alpha = isel_as_v(c, c->outputs[NIR_SLOT_FRAG_DATA0].comp[3], 1);
   struct aco_operand limited = isel_v3(c, AMD_OP_v_med3_f32, ACO_V1, k(0), alpha, k(float_bits(1)));
   struct aco_operand scaled = isel_v2(c, AMD_OP_v_mul_f32, ACO_V1, k(float_bits((float)samples)), limited);
   struct aco_operand rounded = isel_v2(c, AMD_OP_v_add_f32, ACO_V1, k(float_bits(0.5f)), scaled);
   struct aco_operand count = isel_v1(c, AMD_OP_v_cvt_u32_f32, ACO_V1, rounded);
   struct aco_operand bit = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, count, isel_as_v(c, k(1), 1));
   struct aco_operand covered = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, k(UINT32_MAX), bit);
   *mask =
      c->outputs[NIR_SLOT_FRAG_SAMPLE_MASK].mask ? isel_v2(c, AMD_OP_v_and_b32, ACO_V1, *mask, covered) : covered;
   c->outputs[NIR_SLOT_FRAG_SAMPLE_MASK].mask = 1;
}

static struct aco_instr *
export_depth(struct isel *c)
{
   unsigned depth = c->outputs[NIR_SLOT_FRAG_DEPTH].mask, stencil = c->outputs[NIR_SLOT_FRAG_STENCIL].mask;
   cover_by_alpha(c);
   unsigned sample_mask = c->outputs[NIR_SLOT_FRAG_SAMPLE_MASK].mask;
   if (!depth && !stencil && !sample_mask)
      return NULL;
   struct aco_operand values[4] = {{0}};
   unsigned enabled = 0;
   c->out->ps.writes_z = depth;
   c->out->ps.writes_stencil = stencil;
   c->out->ps.writes_sample_mask = sample_mask;
   const struct aco_operand *alpha = &c->outputs[NIR_SLOT_FRAG_DATA0].comp[3];
   const bool covers = c->options->ps.alpha_to_coverage && c->program->target->coverage_via_mrtz &&
                       c->outputs[NIR_SLOT_FRAG_DATA0].mask & 8;
   c->out->ps.z_format = sample_mask || covers ? FORMAT_32_ABGR : stencil ? FORMAT_32_GR : FORMAT_32_R;
   if (depth) {
      values[0] = c->outputs[NIR_SLOT_FRAG_DEPTH].comp[0];
      enabled |= 1;
   }
   if (stencil) {
      values[1] = c->outputs[NIR_SLOT_FRAG_STENCIL].comp[0];
      enabled |= 2;
   }
   if (sample_mask) {
      values[2] = c->outputs[NIR_SLOT_FRAG_SAMPLE_MASK].comp[0];
      enabled |= 4;
   }
   if (covers) {
      values[3] = *alpha;
      enabled |= 8;
   }
   return export(c, TARGET_MRTZ, enabled, values);
}

/* Clamps an integer colour to a target of 8 (10-10-10-2) bits a component. */
static struct aco_operand
clamp_int(struct isel *c, struct aco_operand x, unsigned bits, bool is_signed)
{
   if (!is_signed)
      return isel_v2(c, AMD_OP_v_min_u32, ACO_V1, k((uint32_t)bit_mask(bits)), isel_as_v(c, x, 1));
   uint32_t max = (uint32_t)bit_mask(bits - 1);
   return isel_v3(c, AMD_OP_v_med3_i32, ACO_V1, isel_as_v(c, k(~max), 1), isel_as_v(c, x, 1), k(max));
}

/* What an export holds. */
struct exported {
   struct aco_operand values[4];
   unsigned enabled;
   bool compr;
};

static struct aco_instr *
emit_exported(struct isel *c, unsigned target, const struct exported *exported)
{
   struct aco_instr *instr = export(c, target, exported->compr ? 0 : exported->enabled, exported->values);
   for (unsigned i = 0; i < 2 && exported->compr; i++)
      instr->ops[i] = exported->values[i];
   instr->exp_en = (uint8_t)exported->enabled;
   instr->exp_compr = exported->compr;
   return instr;
}

static struct exported
compressed(struct isel *c, unsigned format, unsigned mask, const struct aco_operand *in, unsigned int_bits)
{
   static const uint16_t pack[] = {
      [FORMAT_FP16_ABGR] = AMD_OP_v_cvt_pkrtz_f16_f32,     [FORMAT_UNORM16_ABGR] = AMD_OP_v_cvt_pknorm_u16_f32,
      [FORMAT_SNORM16_ABGR] = AMD_OP_v_cvt_pknorm_i16_f32, [FORMAT_UINT16_ABGR] = AMD_OP_v_cvt_pk_u16_u32,
      [FORMAT_SINT16_ABGR] = AMD_OP_v_cvt_pk_i16_i32,
   };
   struct aco_operand values[4];
   struct exported out = {.compr = c->program->target->exports_halves};
   for (unsigned i = 0; i < 4; i++) {
      values[i] = in[i].kind == ACO_OP_NONE ? k(0) : in[i];
      if (int_bits && mask >> i & 1)
         values[i] = clamp_int(c, values[i], int_bits == 10 && i == 3 ? 2 : int_bits, format == FORMAT_SINT16_ABGR);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!(mask >> 2 * i & 3))
         continue;
      out.values[i] =
         isel_v2(c, pack[format], ACO_V1, isel_as_v(c, values[2 * i], 1), isel_as_v(c, values[2 * i + 1], 1));
      out.enabled |= out.compr ? 3u << 2 * i : 1u << i;
   }
   return out;
}

static struct exported
whole(const struct aco_operand *values, unsigned enabled)
{
   return (struct exported){{values[0], values[1], values[2], values[3]}, enabled, false};
}

/* Exports are numbered without holes: number n goes to the n-th target with bits in CB_SHADER_MASK. */
static bool
colour(struct isel *c, unsigned output, unsigned index, unsigned *target, struct exported *out)
{
   unsigned format = c->options->ps.col_format >> 4 * index & 0xf, mask = c->outputs[output].mask;
   struct aco_operand values[4];
   memcpy(values, c->outputs[output].comp, sizeof(values));
   if (mask && c->options->ps.alpha_to_one >> index & 1) {
      values[3] = isel_as_v(c, k(float_bits(1)), 1);
      mask |= 8;
   }
   if (!mask || format == FORMAT_ZERO)
      return false;
   bool int8 = c->options->ps.col_is_int8 >> index & 1, int10 = c->options->ps.col_is_int10 >> index & 1;
   unsigned int_bits = int8 ? 8 : int10 ? 10 : 0;
   unsigned number = (unsigned)__builtin_popcount(c->out->ps.cb_shader_mask) / 4;
   *target = TARGET_MRT0 + number;
   c->out->ps.col_format |= format << 4 * number;
   c->out->ps.cb_shader_mask |= 0xfu << 4 * index;
   struct aco_operand ar[4] = {values[0], values[3]};
   switch (format) {
   case FORMAT_32_R:
      *out = whole(values, 1);
      return true;
   case FORMAT_32_GR:
      *out = whole(values, 3);
      return true;
   case FORMAT_32_AR:
      *out = c->program->target->alpha_second ? whole(ar, 3) : whole(values, 9);
      return true;
   case FORMAT_32_ABGR:
      *out = whole(values, 0xf);
      return true;
   case FORMAT_FP16_ABGR:
   case FORMAT_UNORM16_ABGR:
   case FORMAT_SNORM16_ABGR:
   case FORMAT_UINT16_ABGR:
   case FORMAT_SINT16_ABGR:
      *out = compressed(c, format, mask, values, int_bits);
      return true;
   }
   aco_fail(c->program, "unknown colour format %u", format);
   return false;
}

static struct aco_instr *
export_colours(struct isel *c)
{
   struct aco_instr *last = NULL;
   for (unsigned i = 0; i < 8; i++) {
      unsigned output = NIR_SLOT_FRAG_DATA0 + i, target;
      struct exported exported;
      if (c->options->ps.dual_source && i == 1)
         output = NIR_SLOT_FRAG_DATA0 + NIR_SLOT_COUNT;
      if (colour(c, output, i, &target, &exported))
         last = emit_exported(c, target, &exported);
   }
   return last;
}

/* Two pixels side by side share each of two exports: the left one holds the first source of the even pixel and then
 * its second, the right one those of the odd pixel, whichever of them is alive. Source: AMD's LLPC. */
static struct aco_instr *
export_swizzled(struct isel *c)
{
   static const unsigned neighbour = 0xb1; /* quad_perm:[1,0,3,2] */
   struct exported sources[2] = {{.enabled = 0}}, sides[2];
   unsigned target;
   for (unsigned i = 0; i < 2; i++)
      colour(c, NIR_SLOT_FRAG_DATA0 + (i ? NIR_SLOT_COUNT : 0), i, &target, &sources[i]);
   if (!sources[0].enabled && !sources[1].enabled)
      return NULL;
   struct aco_operand saved = isel_begin_whole(c), odd = isel_as_s(c, k(0xaaaaaaaa), 1);
   if (c->program->wave_size == 64)
      odd = isel_vector(c, ACO_S2, 2, (struct aco_operand[]){odd, odd});
   sides[0] = sides[1] =
      (struct exported){.enabled = sources[0].enabled | sources[1].enabled, .compr = sources[0].compr};
   for (unsigned i = 0; i < 4; i++) {
      struct aco_operand own[2], other[2];
      if (!(sides[0].enabled >> i & 1))
         continue;
      for (unsigned n = 0; n < 2; n++) {
         own[n] = isel_as_v(c, sources[n].values[i].kind == ACO_OP_NONE ? k(0) : sources[n].values[i], 1);
         isel_quad_swizzle(c, own[n], neighbour, &other[n]);
      }
      sides[0].values[i] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, own[0], other[1], odd);
      sides[1].values[i] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, other[0], own[1], odd);
   }
   isel_s1(c, ISEL_LM(c, s_and_saveexec), c->program->lm, saved);
   struct aco_instr *narrow = c->block->instrs[c->block->count - 1];
   narrow->drops_helpers = narrow->side_effects = true;
   emit_exported(c, TARGET_DUAL_LEFT, &sides[0]);
   return emit_exported(c, TARGET_DUAL_RIGHT, &sides[1]);
}

/* The last export of an ordered section may be its end. */
static void
end_exports(struct isel *c, struct aco_instr *last)
{
   struct aco_block *block = c->block;
   if (c->out->ps.ordered && c->program->target->pops_by_exports) {
      block->count--;
      isel_await_memory(c);
      if (mutant("export-twice"))
         isel_export_nothing(c);
      aco_block_append(c->program, block, last);
   }
   last->exp_done = last->exp_vm = !(c->out->ps.ordered && mutant("export-early"));
}

void
isel_export_nothing(struct isel *c)
{
   export(c, target_of_nothing(c), 0, NULL)->exp_done = true;
}

static void
fragment_exports(struct isel *c)
{
   bool swizzled = c->options->ps.dual_source && c->program->target->swizzles_dual_source;
   struct aco_instr *last = export_depth(c), *colour = swizzled ? export_swizzled(c) : export_colours(c);
   last = colour ? colour : last;
   if (!last)
      last = export(c, target_of_nothing(c), 0, NULL);
   end_exports(c, last);
}

static void
end_program(struct isel *c, bool in_section)
{
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   if (in_section)
      isel_end_in_section(c);
   else
      isel_emit(c, AMD_OP_s_endpgm, 0, 0);
   c->block->term = ACO_TERM_END;
}

void
isel_finish_empty(struct isel *c, bool in_section)
{
   if (c->nir->stage == NIR_STAGE_FRAGMENT && !(c->out->ps.ordered && mutant("end-without-export")))
      end_exports(c, export(c, target_of_nothing(c), 0, NULL));
   end_program(c, in_section);
}

/* In the legacy pipeline merged ones have emitted what they do; alone it is the shader that exports that. */
static void
geometry_exports(struct isel *c)
{
   if (c->program->hw == ACO_HW_VS || c->program->exports_emitted)
      vertex_exports(c);
}

/* ---- mesh ---- */

static void
move_to_m0(struct isel *c, struct aco_operand value)
{
   struct aco_instr *move = isel_emit(c, AMD_OP_s_mov_b32, 1, 1);
   move->ops[0] = value;
   isel_fixed_result(move, AMD_M0);
}

/* From GFX11 on a wave says which row of threads it exports: its own. Source: RADV. */
static void
name_rows(struct isel *c)
{
   enum { WAVE_INFO = 3, WAVE_NUMBER = 24 | 4 << 16 /* as s_bfe_u32 takes it */ };
   if (c->program->target->exports_rows)
      move_to_m0(c, isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, isel_system_sgpr(c, WAVE_INFO), k(WAVE_NUMBER)));
}

/* The word of a primitive, and that of its layer, viewport and rate. */
static void
export_primitive(struct isel *c)
{
   const uint8_t mask = c->outputs[NIR_SLOT_PRIMITIVE_INDICES].mask;
   c->out->vs.writes_payload = mask & 2;
   export(c, TARGET_PRIM, mask, c->outputs[NIR_SLOT_PRIMITIVE_INDICES].comp)->exp_done = true;
}

/* Thread i has vertex i, and primitive i. Parameters in memory come first, those of primitives, too. */
static void
mesh_exports(struct isel *c)
{
   const bool in_memory = !c->program->target->max_params;
   uint8_t slots[MAX_PARAMS];
   if (c->ngg.vertices.kind == ACO_OP_NONE) {
      aco_fail(c->program, "a mesh shader that does not say what it exports");
      return;
   }
   struct aco_operand vertices = isel_lanes_below(c, c->ngg.vertices);
   struct aco_operand primitives = isel_lanes_below(c, c->ngg.primitives);
   choose_params(c, slots);
   const unsigned whole = c->out->vs.num_primitive_params, of_vertices = c->out->vs.num_params - whole;
   name_rows(c);
   if (in_memory && whole) {
      struct aco_block *head = isel_begin_lanes(c, primitives);
      isel_store_params(c, of_vertices, whole, slots + of_vertices);
      isel_end_lanes(c, head);
   }
   struct aco_block *head = isel_begin_lanes(c, vertices);
   if (in_memory)
      isel_store_params(c, 0, of_vertices, slots);
   export_positions(c);
   export_params(c, 0, of_vertices, slots);
   isel_end_lanes(c, head);
   c->ngg.head = isel_begin_lanes(c, primitives);
   export_primitive(c);
   export_params(c, of_vertices, whole, slots + of_vertices);
}

static void (*const exports[NIR_STAGES])(struct isel *c) = {
   [NIR_STAGE_VERTEX] = vertex_exports,     [NIR_STAGE_TESS_EVAL] = vertex_exports,
   [NIR_STAGE_GEOMETRY] = geometry_exports, [NIR_STAGE_FRAGMENT] = fragment_exports,
   [NIR_STAGE_MESH] = mesh_exports,
};

void
isel_finish(struct isel *c)
{
   if (c->nir->stage == NIR_STAGE_FRAGMENT && c->masks->exact.kind != ACO_OP_NONE) {
      struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_mov), 1, 1);
      instr->ops[0] = c->masks->exact;
      isel_fixed_result(instr, AMD_EXEC_LO);
   }
   if (exports[c->nir->stage])
      exports[c->nir->stage](c);
   end_program(c, false);
}
