/* Mesh shaders: a workgroup's outputs lie in LDS, behind its own memory; then thread i exports vertex i and
 * primitive i. The hardware's workgroup has as many threads as the shader's, its vertices or its primitives are,
 * whichever are most; those that are not the shader's only export.
 *
 *    the shader's memory | how many vertices and primitives, the workgroup's number, whether the shader has ended |
 *    vertices | primitives, each: a dword with a byte for each of its vertices and one that culls it; components
 *
 * What is too large lies in memory (si_mesh_memory.c): vertices, and if need be components of primitives.
 *
 * Sources: the words of exports and of GS_ALLOC_REQ as RADV has them; where workgroups have their numbers, too. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/shader/si_mesh.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/macros.h"
#include "util/mutant.h"

enum { WAVE_INFO_SGPR = 3, GROUP_XY_SGPR = 4, GROUP_Z_SGPR = 5, MSG_GS_ALLOC_REQ = 9 };
enum { VERTICES_B = 0, PRIMITIVES_B = 4, GROUP_B = 8, ENDED_B = 12, INFO_B = 16, SLOT_DW = 4 };

struct pass {
   struct nir_builder b;
   const struct si_nir_options *options;
   const struct si_mesh_layout *layout;
   unsigned api_threads, api_waves, waves, wave_size;
   struct nir_variable *vertices, *primitives;
   struct nir_variable *group[3]; /* the workgroup's number */
   bool has_group;                /* which the shader asks for */
};

static bool
is_whole(const struct nir_shader *shader, unsigned slot)
{
   return shader->info.primitive_outputs >> slot & 1;
}

/* ---- the layout ---- */

/* All slots of the array that a store at run time may hit, whole: they follow each other then. */
static void
mark_array(struct nir_shader *shader, struct si_gs_stream *stream, unsigned slot)
{
   nir_foreach_variable(variable, shader) {
      if (variable->mode != NIR_VAR_SHADER_OUT || !variable->per_vertex)
         continue;
      const unsigned first = (unsigned)variable->location, count = nir_type_slots(variable->type->element);

      for (unsigned i = first; i < first + count && slot >= first && slot < first + count; i++)
         stream->components[i] = 0xf;
   }
}

static bool
is_output(const struct nir_intrinsic_instr *instr)
{
   return instr->op == NIR_INTRINSIC_store_per_vertex_output || instr->op == NIR_INTRINSIC_load_per_vertex_output;
}

/* The last source is the offset. */
static const struct nir_src *
offset_of(const struct nir_intrinsic_instr *instr)
{
   return &instr->src[nir_intrinsic_infos[instr->op].num_srcs - 1];
}

static unsigned
slot_of(const struct nir_intrinsic_instr *instr)
{
   const struct nir_src *offset = offset_of(instr);

   return nir_intrinsic_slot(instr) + (nir_src_is_const(*offset) ? (unsigned)nir_src_comp_as_uint(*offset, 0) : 0);
}

/* Of a primitive's first dword. */
static bool
is_byte(unsigned slot)
{
   return slot == NIR_SLOT_PRIMITIVE_INDICES || slot == NIR_SLOT_CULL_PRIMITIVE;
}

static uint32_t
byte_of(unsigned slot, unsigned component)
{
   return slot == NIR_SLOT_CULL_PRIMITIVE ? SI_MESH_CULL_BYTE : component;
}

static void
mark(struct nir_shader *shader, struct si_mesh_layout *layout, const struct nir_intrinsic_instr *instr)
{
   const bool loads = instr->op == NIR_INTRINSIC_load_per_vertex_output;
   const unsigned slot = slot_of(instr);
   const uint32_t mask = loads ? (1u << instr->num_components) - 1 : nir_intrinsic_write_mask(instr);
   struct si_gs_stream *stream = is_whole(shader, slot) ? &layout->primitive : &layout->vertex;

   layout->culls |= slot == NIR_SLOT_CULL_PRIMITIVE;
   if (is_byte(slot) || (layout->unread >> slot & 1 && !(shader->info.outputs_read >> slot & 1)))
      return;
   if (!nir_src_is_const(*offset_of(instr)))
      mark_array(shader, stream, slot);
   stream->components[slot] |= (uint8_t)(mask << nir_intrinsic_component(instr));
}

static void
number_components(struct si_gs_stream *stream)
{
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      stream->first[slot] = stream->vertex_dw;
      stream->vertex_dw = (uint16_t)(stream->vertex_dw + __builtin_popcount(stream->components[slot]));
   }
}

/* Whether components of primitives (`whole`) or vertices are in memory. */
static bool
in_memory(const struct si_mesh_layout *layout, bool whole)
{
   return layout->in_memory >= (whole ? SI_MESH_ALL : SI_MESH_VERTICES);
}

/* In LDS an odd number of dwords: places side by side are in different banks. */
static uint32_t
place_B(const struct si_mesh_layout *layout, bool whole)
{
   const struct si_gs_stream *stream = whole ? &layout->primitive : &layout->vertex;

   return 4u * stream->vertex_dw | (in_memory(layout, whole) ? 0 : 4);
}

/* Of a primitive's dword of bytes. */
static uint32_t
bytes_place_B(const struct si_mesh_layout *layout)
{
   return in_memory(layout, true) ? 4 : place_B(layout, true);
}

/* Takes so many bytes of LDS or of memory; where they begin. */
static uint32_t
take(struct si_mesh_layout *layout, bool memory, uint32_t size_B)
{
   uint32_t *end_B = memory ? &layout->memory_B : &layout->end_B, begin_B = *end_B;

   *end_B += size_B;
   return begin_B;
}

static void
place_outputs(const struct nir_shader_info *info, struct si_mesh_layout *layout)
{
   const bool apart = in_memory(layout, true);

   layout->end_B = layout->info_B + INFO_B;
   layout->memory_B = 0;
   layout->vertices_B = take(layout, in_memory(layout, false), info->mesh_vertices * place_B(layout, false));
   layout->primitives_B = take(layout, apart, info->mesh_primitives * place_B(layout, true));
   layout->bytes_B =
      apart ? take(layout, false, info->mesh_primitives * bytes_place_B(layout)) : layout->primitives_B;
}

static void
lay_out(struct nir_shader *shader, struct si_mesh_layout *layout)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && is_output(nir_as_intrinsic(instr)))
            mark(shader, layout, nir_as_intrinsic(instr));
      }
   }
   layout->primitive.vertex_dw = 1; /* the bytes */
   number_components(&layout->vertex);
   number_components(&layout->primitive);
   layout->info_B = (uint32_t)align_up(shader->info.shared_B, INFO_B);
   place_outputs(&shader->info, layout);
   while (layout->end_B > SI_MESH_MAX_LDS_B && layout->in_memory < SI_MESH_ALL) {
      layout->in_memory++;
      place_outputs(&shader->info, layout);
   }
}

/* ---- LDS ---- */

static void
store_dword(struct nir_builder *b, struct nir_def *at, uint32_t offset_B, struct nir_def *value)
{
   nir_store_shared(b, value, at, .base = (int32_t)offset_B, .write_mask = 1, .align_mul = 4);
}

static struct nir_def *
load_dword(struct nir_builder *b, struct nir_def *at, uint32_t offset_B)
{
   return nir_load_shared(b, 1, 32, at, .base = (int32_t)offset_B, .align_mul = 4);
}

static struct nir_def *
load_info(struct pass *p, uint32_t offset_B)
{
   struct nir_def *value = load_dword(&p->b, nir_imm_int(&p->b, 0), p->layout->info_B + offset_B);

   return nir_read_first_invocation(&p->b, value);
}

static void
store_info(struct pass *p, uint32_t offset_B, struct nir_def *value)
{
   store_dword(&p->b, nir_imm_int(&p->b, 0), p->layout->info_B + offset_B, value);
}

/* Other waves may have other caches: memory is the device's. */
static void
store_component(struct pass *p, bool whole, struct nir_def *at, uint32_t offset_B, struct nir_def *value)
{
   struct nir_builder *b = &p->b;

   if (!in_memory(p->layout, whole)) {
      store_dword(b, at, offset_B, value);
      return;
   }
   nir_store_global(b, value, nir_iadd(b, si_nir_mesh_memory(b, p->options), nir_u2uN(b, at, 64)),
                    .base = (int32_t)offset_B, .write_mask = 1, .access = NIR_ACCESS_COHERENT, .align_mul = 4);
}

static struct nir_def *
load_component(struct pass *p, bool whole, struct nir_def *at, uint32_t offset_B)
{
   struct nir_builder *b = &p->b;

   if (!in_memory(p->layout, whole))
      return load_dword(b, at, offset_B);
   return nir_load_global(b, 1, 32, nir_iadd(b, si_nir_mesh_memory(b, p->options), nir_u2uN(b, at, 64)),
                          .base = (int32_t)offset_B, .access = NIR_ACCESS_COHERENT, .align_mul = 4);
}

static void
await_group(struct nir_builder *b)
{
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
}

static void
await_outputs(struct pass *p)
{
   if (!p->layout->memory_B) {
      await_group(&p->b);
      return;
   }
   nir_barrier(&p->b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_DEVICE,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE,
               .memory_modes = NIR_VAR_SHARED | NIR_VAR_GLOBAL);
}

static struct nir_if *
push_if_first(struct pass *p)
{
   return nir_push_if(&p->b, nir_ieq_imm(&p->b, nir_load_local_invocation_index(&p->b), 0));
}

static struct nir_def *
wave_number(struct nir_builder *b)
{
   return nir_iand_imm(b, nir_ushr_imm(b, nir_load_system_sgpr_amd(b, .base = WAVE_INFO_SGPR), 24), 0xf);
}

/* Of the slot's first component that is there. */
static struct nir_def *
address(struct pass *p, bool whole, struct nir_def *number, struct nir_def *offset)
{
   struct nir_def *at = nir_imul_imm(&p->b, number, place_B(p->layout, whole));

   return offset ? nir_iadd(&p->b, at, nir_imul_imm(&p->b, offset, 4 * SLOT_DW)) : at;
}

static uint32_t
component_B(const struct si_mesh_layout *layout, bool whole, unsigned slot, unsigned component)
{
   const struct si_gs_stream *stream = whole ? &layout->primitive : &layout->vertex;
   const unsigned before = stream->components[slot] & ((1u << component) - 1);

   return (whole ? layout->primitives_B : layout->vertices_B) +
          4u * (stream->first[slot] + (unsigned)__builtin_popcount(before));
}

static bool
has_component(const struct pass *p, bool whole, unsigned slot, unsigned component)
{
   const struct si_gs_stream *stream = whole ? &p->layout->primitive : &p->layout->vertex;

   return stream->components[slot] >> component & 1;
}

/* Of a primitive's dword of bytes. */
static struct nir_def *
bytes_address(struct pass *p, struct nir_def *number)
{
   return nir_imul_imm(&p->b, number, bytes_place_B(p->layout));
}

/* ---- the shader ---- */

/* Source `number` is the vertex or primitive. */
static struct nir_def *
address_of(struct pass *p, const struct nir_intrinsic_instr *instr, unsigned number)
{
   const struct nir_src *offset = offset_of(instr);

   return address(p, is_whole(p->b.shader, nir_intrinsic_slot(instr)), instr->src[number].def,
                  nir_src_is_const(*offset) ? NULL : offset->def);
}

static void
store_byte(struct pass *p, struct nir_def *at, uint32_t byte, struct nir_def *value)
{
   nir_store_shared(&p->b, nir_u2uN(&p->b, value, 8), at, .write_mask = 1,
                    .base = (int32_t)(p->layout->bytes_B + byte), .align_mul = 1);
}

static void
lower_store(struct pass *p, struct nir_intrinsic_instr *store)
{
   const unsigned slot = slot_of(store), first = nir_intrinsic_component(store);
   const bool whole = is_whole(p->b.shader, slot);
   struct nir_def *at = is_byte(slot) ? bytes_address(p, store->src[1].def) : address_of(p, store, 1);

   for (unsigned n = 0; n < store->num_components; n++) {
      if (!(nir_intrinsic_write_mask(store) >> n & 1))
         continue;
      struct nir_def *value = nir_channel(&p->b, store->src[0].def, n);

      if (is_byte(slot))
         store_byte(p, at, byte_of(slot, first + n), value);
      else if (has_component(p, whole, slot, first + n))
         store_component(p, whole, at, component_B(p->layout, whole, slot, first + n), value);
   }
   nir_instr_remove(&store->instr);
}

static struct nir_def *
load_byte(struct pass *p, struct nir_def *at, uint32_t byte)
{
   struct nir_def *value =
      nir_load_shared(&p->b, 1, 8, at, .base = (int32_t)(p->layout->bytes_B + byte), .align_mul = 1);

   return nir_u2uN(&p->b, value, 32);
}

static void
lower_load(struct pass *p, struct nir_intrinsic_instr *load)
{
   const unsigned slot = slot_of(load), first = nir_intrinsic_component(load);
   const bool whole = is_whole(p->b.shader, slot);
   struct nir_def *at = is_byte(slot) ? bytes_address(p, load->src[0].def) : address_of(p, load, 0), *values[4];

   for (unsigned n = 0; n < load->num_components; n++)
      values[n] = is_byte(slot) ? load_byte(p, at, byte_of(slot, first + n))
                                : load_component(p, whole, at, component_B(p->layout, whole, slot, first + n));
   nir_def_replace(&load->def, nir_vec(&p->b, values, load->num_components));
   nir_instr_remove(&load->instr);
}

/* Of the number in the workgroup, x first. */
static struct nir_def *
local_id(struct nir_builder *b, unsigned i)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   struct nir_def *index = nir_load_local_invocation_index(b);
   struct nir_def *row = i ? nir_udiv_imm(b, index, i == 1 ? size[0] : size[0] * size[1]) : index;

   return i == 2 ? row : nir_umod_imm(b, row, size[i]);
}

static struct nir_def *
group(struct pass *p, unsigned i)
{
   p->has_group = true;
   return nir_load_var(&p->b, p->group[i]);
}

/* From the task's entry. Other rings' caches do not know of what the task has stored there. */
static struct nir_def *
load_entry(struct pass *p, struct nir_def *offset, uint32_t base_B, const struct nir_intrinsic_instr *load)
{
   struct nir_builder *b = &p->b;
   struct nir_def *entry = nir_load_scalar_arg(b, 1, .base = SI_SGPR_MS_RING_ENTRY);
   struct nir_def *begin = si_nir_task_entry(b, p->options, entry, SI_SGPR_MS_TASK_RINGS, true);

   return nir_load_global(b, load->def.num_components, load->def.bit_size,
                          nir_iadd(b, begin, nir_u2uN(b, offset, 64)), .base = (int32_t)base_B,
                          .access = NIR_ACCESS_COHERENT, .align_mul = MAX2(load->def.bit_size / 8u, 1u));
}

static struct nir_def *
load_payload(struct pass *p, const struct nir_intrinsic_instr *load)
{
   return load_entry(p, load->src[0].def, (uint32_t)nir_intrinsic_base(load), load);
}

static struct nir_def *
sysval(struct pass *p, const struct nir_intrinsic_instr *load)
{
   struct nir_builder *b = &p->b;
   const uint32_t *size = b->shader->info.workgroup_size;
   struct nir_def *values[3];

   switch ((int)load->op) {
   case NIR_INTRINSIC_load_workgroup_id:
      for (unsigned i = 0; i < 3; i++)
         values[i] = group(p, i);
      return nir_vec(b, values, 3);
   case NIR_INTRINSIC_load_task_payload:
      return load_payload(p, load);
   case NIR_INTRINSIC_load_draw_id:
      return p->options->tasks ? load_entry(p, nir_imm_int(b, 0), SI_TASK_DRAW_ID_B, load) : NULL;
   case NIR_INTRINSIC_load_local_invocation_id:
      for (unsigned i = 0; i < 3; i++)
         values[i] = local_id(b, i);
      return nir_vec(b, values, 3);
   case NIR_INTRINSIC_load_global_invocation_id:
      for (unsigned i = 0; i < 3; i++)
         values[i] = nir_iadd(b, nir_imul_imm(b, group(p, i), size[i]), local_id(b, i));
      return nir_vec(b, values, 3);
   case NIR_INTRINSIC_load_workgroup_size:
      for (unsigned i = 0; i < 3; i++)
         values[i] = nir_imm_int(b, (int32_t)size[i]);
      return nir_vec(b, values, 3);
   case NIR_INTRINSIC_load_subgroup_id:
      return wave_number(b);
   case NIR_INTRINSIC_load_num_subgroups:
      return nir_imm_int(b, (int32_t)p->api_waves);
   default: /* others: the compiler has them */
      return NULL;
   }
}

/* What others have stored in memory is there, too. */
static void
await_memory(struct nir_intrinsic_instr *barrier)
{
   nir_intrinsic_set_memory_scope(barrier, NIR_SCOPE_DEVICE);
   nir_intrinsic_set_memory_semantics(barrier, NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE);
   nir_intrinsic_set_memory_modes(barrier, nir_intrinsic_memory_modes(barrier) | NIR_VAR_SHARED | NIR_VAR_GLOBAL);
}

/* Waves without a thread of the shader pass its barriers, too: behind each of them is a second one, and between the
 * two they look whether it was the last. In a single wave there is nothing to wait for. */
static void
lower_barrier(struct pass *p, struct nir_intrinsic_instr *barrier)
{
   if (p->layout->memory_B)
      await_memory(barrier);
   if (nir_intrinsic_execution_scope(barrier) != NIR_SCOPE_WORKGROUP || p->api_waves == p->waves)
      return;
   if (p->api_waves == 1) {
      nir_intrinsic_set_execution_scope(barrier, NIR_SCOPE_SUBGROUP);
      return;
   }
   p->b.cursor = nir_after_instr(&barrier->instr);
   nir_barrier(&p->b, .execution_scope = NIR_SCOPE_WORKGROUP);
}

static void
lower_instr(struct pass *p, struct nir_intrinsic_instr *instr)
{
   p->b.cursor = nir_before_instr(&instr->instr);
   if (instr->op == NIR_INTRINSIC_store_per_vertex_output) {
      lower_store(p, instr);
   } else if (instr->op == NIR_INTRINSIC_load_per_vertex_output) {
      lower_load(p, instr);
   } else if (instr->op == NIR_INTRINSIC_barrier) {
      lower_barrier(p, instr);
   } else if (instr->op == NIR_INTRINSIC_set_mesh_outputs) {
      nir_store_var(&p->b, p->vertices, instr->src[0].def, 1);
      nir_store_var(&p->b, p->primitives, instr->src[1].def, 1);
      nir_instr_remove(&instr->instr);
   } else {
      struct nir_def *value = sysval(p, instr);

      if (!value)
         return;
      nir_def_replace(&instr->def, value);
      nir_instr_remove(&instr->instr);
   }
}

/* The shader becomes the branch of its own threads. */
static void
lower_shader(struct pass *p)
{
   struct nir_shader *shader = p->b.shader;
   struct list_head body;

   nir_take_body(shader, &body);
   p->b.cursor = nir_after_block(nir_first_block(shader));
   struct nir_def *thread = nir_load_local_invocation_index(&p->b);
   struct nir_if *nif = nir_push_if(&p->b, nir_ult(&p->b, thread, nir_imm_int(&p->b, (int32_t)p->api_threads)));

   nir_pop_if(&p->b, nif);
   nir_fill_branch(nif, &body);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            lower_instr(p, nir_as_intrinsic(instr));
      }
   }
   p->b.cursor = nir_after_block(nir_cf_list_last(&nif->then_list));
}

/* ---- in front of it ---- */

/* Only the first wave is told for sure. */
static struct nir_def *
group_index(struct pass *p)
{
   struct nir_def *own = nir_read_first_invocation(&p->b, nir_load_vertex_id_zero_base(&p->b));

   if (p->waves == 1)
      return own;
   struct nir_if *nif = push_if_first(p);

   store_info(p, GROUP_B, own);
   nir_pop_if(&p->b, nif);
   await_group(&p->b);
   return load_info(p, GROUP_B);
}

static struct nir_def *
high_half(struct nir_builder *b, struct nir_def *x)
{
   return nir_ushr_imm(b, x, 16);
}

static void
find_group(struct pass *p)
{
   struct nir_builder *b = &p->b;
   struct nir_def *id[3];

   if (p->layout->groups) {
      struct nir_def *xy = nir_load_system_sgpr_amd(b, .base = GROUP_XY_SGPR);

      id[0] = nir_iand_imm(b, xy, 0xffff);
      id[1] = high_half(b, xy);
      id[2] = high_half(b, nir_load_system_sgpr_amd(b, .base = GROUP_Z_SGPR));
   } else {
      struct nir_def *index = group_index(p), *size = nir_load_num_workgroups(b);
      struct nir_def *x = nir_channel(b, size, 0), *y = nir_channel(b, size, 1), *row = nir_udiv(b, index, x);

      id[0] = nir_umod(b, index, x);
      id[1] = nir_umod(b, row, y);
      id[2] = nir_udiv(b, row, y);
   }
   for (unsigned i = 0; i < 3; i++)
      nir_store_var(b, p->group[i], id[i], 1);
}

static bool
has_spare_waves(const struct pass *p)
{
   return p->waves > p->api_waves && p->api_waves > 1;
}

static void
start(struct pass *p)
{
   struct nir_builder *b = &p->b;

   b->cursor = nir_before_block(nir_first_block(b->shader));
   nir_store_var(b, p->vertices, nir_imm_int(b, 0), 1);
   nir_store_var(b, p->primitives, nir_imm_int(b, 0), 1);
   if (has_spare_waves(p)) {
      struct nir_if *nif = push_if_first(p);

      store_info(p, ENDED_B, nir_imm_int(b, 0));
      nir_pop_if(b, nif);
   }
   if (p->has_group)
      find_group(p);
}

/* ---- behind it ---- */

/* At the end of the shader's branch, and in the waves that it is not for. */
static void
pass_barriers(struct pass *p)
{
   struct nir_builder *b = &p->b;

   if (!has_spare_waves(p))
      return;
   struct nir_if *nif = push_if_first(p);

   store_info(p, ENDED_B, nir_imm_int(b, 1));
   nir_pop_if(b, nif);
   await_group(b);
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP);
   b->cursor = nir_after_block(nir_cf_list_last(&b->shader->body));
   if (mutant("mesh-waves-pass-none"))
      return;
   nif = nir_push_if(b, nir_uge(b, wave_number(b), nir_imm_int(b, (int32_t)p->api_waves)));
   struct nir_loop *loop = nir_push_loop(b);

   await_group(b);
   struct nir_def *ended = load_info(p, ENDED_B);

   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP);
   struct nir_if *leave = nir_push_if(b, nir_ine_imm(b, ended, 0));

   nir_break(b);
   nir_pop_if(b, leave);
   nir_pop_loop(b, loop);
   nir_pop_if(b, nif);
}

/* Both are 0 if one of them is. The hardware's other waves have not set them. */
static void
count_outputs(struct pass *p, struct nir_def **vertices, struct nir_def **primitives)
{
   struct nir_builder *b = &p->b;
   const struct nir_shader_info *info = &b->shader->info;
   struct nir_if *nif = push_if_first(p);

   store_info(p, VERTICES_B, nir_load_var(b, p->vertices));
   store_info(p, PRIMITIVES_B, nir_load_var(b, p->primitives));
   nir_pop_if(b, nif);
   await_outputs(p);
   struct nir_def *v = nir_umin(b, load_info(p, VERTICES_B), nir_imm_int(b, info->mesh_vertices));
   struct nir_def *n = nir_umin(b, load_info(p, PRIMITIVES_B), nir_imm_int(b, info->mesh_primitives));
   struct nir_def *some = nir_ine_imm(b, nir_imul(b, v, n), 0), *zero = nir_imm_int(b, 0);

   *vertices = nir_bcsel(b, some, v, zero);
   *primitives = nir_bcsel(b, some, n, zero);
}

/* Vertices M0[10:0], primitives M0[22:12]. */
static void
ask_for_room(struct nir_builder *b, struct nir_def *vertices, struct nir_def *primitives)
{
   struct nir_if *nif = nir_push_if(b, nir_ieq_imm(b, wave_number(b), 0));

   if (mutant("mesh-room"))
      vertices = nir_iadd_imm(b, vertices, UINT64_MAX);
   nir_send_message_amd(b, nir_ior(b, vertices, nir_ishl_imm(b, primitives, 12)), .base = MSG_GS_ALLOC_REQ);
   nir_pop_if(b, nif);
}

/* For queries. */
static void
count(struct pass *p, struct nir_def *primitives)
{
   struct nir_builder *b = &p->b;

   if (!p->options->counts_meshes)
      return;
   struct nir_if *nif = push_if_first(p);

   si_nir_count_for_query(b, p->options, SI_SGPR_MS_TASK_RINGS, offsetof(struct si_task_counters, meshes),
                          nir_imm_int(b, (int32_t)p->api_threads));
   si_nir_count_for_query(b, p->options, SI_SGPR_MS_TASK_RINGS, offsetof(struct si_task_counters, primitives),
                          primitives);
   nir_pop_if(b, nif);
}

/* Those of the thread's vertex or primitive; zeros where it has none. bytes: NULL, or gets a primitive's. */
static void
load_place(struct pass *p, struct nir_def *count, struct nir_def *values[NIR_SLOT_COUNT][4], struct nir_def **bytes)
{
   const bool whole = bytes != NULL;
   struct nir_builder *b = &p->b;
   struct nir_def *thread = nir_load_local_invocation_index(b), *zero = nir_imm_int(b, 0);
   if (whole && mutant("mesh-first-primitive"))
      thread = nir_iand_imm(b, thread, ~UINT64_C(1));
   struct nir_def *at = address(p, whole, thread, NULL);
   struct nir_if *nif = nir_push_if(b, nir_ult(b, thread, count));

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++)
         values[slot][n] = has_component(p, whole, slot, n)
                              ? load_component(p, whole, at, component_B(p->layout, whole, slot, n))
                              : NULL;
   }
   if (bytes)
      *bytes = load_dword(b, bytes_address(p, thread), p->layout->bytes_B);
   nir_pop_if(b, nif);
   if (bytes)
      *bytes = nir_if_phi(b, *bytes, zero);
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++)
         values[slot][n] = values[slot][n] ? nir_if_phi(b, values[slot][n], zero) : NULL;
   }
}

static void
store_outputs(struct nir_builder *b, struct nir_def *values[NIR_SLOT_COUNT][4])
{
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      for (unsigned n = 0; n < 4; n++) {
         if (values[slot][n])
            nir_store_output(b, values[slot][n], nir_imm_int(b, 0), .slot = slot, .component = n, .write_mask = 1,
                             .src_type = NIR_TYPE_UINT);
      }
   }
}

static void
export_outputs(struct pass *p)
{
   struct nir_builder *b = &p->b;
   struct nir_def *vertices, *primitives, *bytes, *of_vertex[NIR_SLOT_COUNT][4], *whole[NIR_SLOT_COUNT][4];

   count_outputs(p, &vertices, &primitives);
   ask_for_room(b, vertices, primitives);
   count(p, primitives);
   load_place(p, primitives, whole, &bytes);
   load_place(p, vertices, of_vertex, NULL);
   whole[NIR_SLOT_PRIMITIVE_INDICES][0] = si_nir_mesh_primitive(b, p->layout, bytes, vertices);
   whole[NIR_SLOT_PRIMITIVE_INDICES][1] = si_nir_mesh_payload(b, p->layout, whole);
   store_outputs(b, whole);
   store_outputs(b, of_vertex);
   nir_export_counts_amd(b, vertices, primitives);
}

static struct nir_variable *
variable(struct nir_shader *shader, const char *name)
{
   return nir_variable_create(shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), name);
}

bool
si_nir_lower_mesh(struct nir_shader *shader, const struct si_nir_options *options, const char **error)
{
   struct si_mesh_layout *layout = options->mesh;
   const uint32_t *size = shader->info.workgroup_size;
   struct pass p = {.b = nir_builder_create(shader),
                    .options = options,
                    .layout = layout,
                    .api_threads = size[0] * size[1] * size[2],
                    .wave_size = options->wave_size};

   lay_out(shader, layout);
   if (layout->end_B > SI_MESH_MAX_LDS_B || layout->memory_B > SI_MESH_MEMORY_ENTRY_B) {
      *error = arena_printf(shader->arena,
                            "workgroup memory and outputs take %u bytes of LDS and %u of memory; "
                            "%u and %u are the limits",
                            layout->end_B, layout->memory_B, SI_MESH_MAX_LDS_B, SI_MESH_MEMORY_ENTRY_B);
      return false;
   }
   layout->threads = (uint16_t)MAX2(p.api_threads, MAX2(shader->info.mesh_vertices, shader->info.mesh_primitives));
   p.api_waves = (unsigned)div_round_up(p.api_threads, p.wave_size);
   p.waves = (unsigned)div_round_up(layout->threads, p.wave_size);
   p.vertices = variable(shader, "vertices");
   p.primitives = variable(shader, "primitives");
   for (unsigned i = 0; i < 3; i++)
      p.group[i] = variable(shader, "group");
   lower_shader(&p);
   pass_barriers(&p);
   start(&p);
   p.b.cursor = nir_after_block(nir_cf_list_last(&shader->body));
   export_outputs(&p);
   shader->info.shared_B = layout->end_B;
   shader->info.workgroup_size[0] = layout->threads;
   shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   NIR_PASS(shader, nir_lower_vars_to_ssa);
   return true;
}
