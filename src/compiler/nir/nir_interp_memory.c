/* Memory, inputs and outputs of the reference interpreter. */
#include <string.h>

#include "compiler/nir/nir_interp_internal.h"
#include "util/macros.h"

/* What a memory intrinsic works on: where its operands stand. */
struct access {
   enum { NO_ACCESS, LOAD, STORE, ATOMIC, SWAP } kind;
   enum { BUFFER, PUSH, SHARED, SCRATCH, GLOBAL, CONSTANT, PATCH, PAYLOAD } space;
   int8_t buffer, offset, data, compare; /* source numbers, -1: none */
};

static const struct access accesses[NIR_INTRINSIC_COUNT] = {
   [NIR_INTRINSIC_load_ubo] = {LOAD, BUFFER, 0, 1, -1, -1},
   [NIR_INTRINSIC_load_ssbo] = {LOAD, BUFFER, 0, 1, -1, -1},
   [NIR_INTRINSIC_store_ssbo] = {STORE, BUFFER, 1, 2, 0, -1},
   [NIR_INTRINSIC_ssbo_atomic] = {ATOMIC, BUFFER, 0, 1, 2, -1},
   [NIR_INTRINSIC_ssbo_atomic_swap] = {SWAP, BUFFER, 0, 1, 3, 2},
   [NIR_INTRINSIC_load_push_constant] = {LOAD, PUSH, -1, 0, -1, -1},
   [NIR_INTRINSIC_load_constant] = {LOAD, CONSTANT, -1, 0, -1, -1},
   [NIR_INTRINSIC_load_shared] = {LOAD, SHARED, -1, 0, -1, -1},
   [NIR_INTRINSIC_store_shared] = {STORE, SHARED, -1, 1, 0, -1},
   [NIR_INTRINSIC_shared_atomic] = {ATOMIC, SHARED, -1, 0, 1, -1},
   [NIR_INTRINSIC_shared_atomic_swap] = {SWAP, SHARED, -1, 0, 2, 1},
   [NIR_INTRINSIC_load_patch_memory] = {LOAD, PATCH, -1, 0, -1, -1},
   [NIR_INTRINSIC_store_patch_memory] = {STORE, PATCH, -1, 1, 0, -1},
   [NIR_INTRINSIC_load_task_payload] = {LOAD, PAYLOAD, -1, 0, -1, -1},
   [NIR_INTRINSIC_load_scratch] = {LOAD, SCRATCH, -1, 0, -1, -1},
   [NIR_INTRINSIC_store_scratch] = {STORE, SCRATCH, -1, 1, 0, -1},
   [NIR_INTRINSIC_load_global] = {LOAD, GLOBAL, 0, -1, -1, -1},
   [NIR_INTRINSIC_load_global_constant] = {LOAD, GLOBAL, 0, 1, -1, -1},
   [NIR_INTRINSIC_store_global] = {STORE, GLOBAL, 1, -1, 0, -1},
   [NIR_INTRINSIC_global_atomic] = {ATOMIC, GLOBAL, 0, -1, 1, -1},
   [NIR_INTRINSIC_global_atomic_swap] = {SWAP, GLOBAL, 0, -1, 2, 1},
};

static const struct nir_interp_buffer *
find_buffer(const struct nir_machine *interp, const struct nir_def *def, uint32_t lane, uint32_t *size_B)
{
   const struct nir_interp_params *params = interp->params;
   const union nir_const_value *name = nir_interp_value(interp, def, lane);
   const struct nir_interp_buffer *found = NULL;
   for (uint32_t i = 0; i < params->num_buffers; i++) {
      const struct nir_interp_buffer *buffer = &params->buffers[i];
      bool match = def->num_components == 1 ? name[0].u32 == i
                   : def->num_components == 2
                      ? name[0].u32 == (buffer->set << 16 | buffer->binding) && name[1].u32 == buffer->index
                      : buffer->va == (name[0].u32 | (uint64_t)(name[1].u32 & 0xffff) << 32);
      if (match)
         found = buffer;
   }
   *size_B = !found ? 0 : def->num_components == 4 ? MIN2(name[2].u32, found->size_B) : found->size_B;
   return found;
}

/* The bytes a lane accesses, NULL if they are not all inside. */
static uint8_t *
locate(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, const struct access *a, uint32_t lane,
       uint32_t add_B, uint32_t bytes)
{
   int32_t base_B = nir_intrinsic_has_base(instr) ? nir_intrinsic_base(instr) : 0;
   uint64_t offset_B = add_B + (uint64_t)(int64_t)base_B;
   if (a->offset >= 0)
      offset_B += nir_interp_value(interp, instr->src[a->offset].def, lane)->u32;
   uint8_t *data = NULL;
   uint32_t size_B = 0;
   if (a->space == BUFFER) {
      const struct nir_interp_buffer *buffer = find_buffer(interp, instr->src[a->buffer].def, lane, &size_B);
      data = buffer ? buffer->data : NULL;
   } else if (a->space == GLOBAL) {
      uint64_t va = offset_B + nir_interp_value(interp, instr->src[a->buffer].def, lane)->u64;
      for (uint32_t i = 0; i < interp->params->num_buffers; i++) {
         const struct nir_interp_buffer *buffer = &interp->params->buffers[i];
         if (va >= buffer->va && va < buffer->va + buffer->size_B) {
            data = buffer->data;
            size_B = buffer->size_B;
            offset_B = va - buffer->va;
         }
      }
   } else if (a->space == PUSH) {
      data = (uint8_t *)interp->params->push_constants;
      size_B = interp->params->push_constants_B;
   } else if (a->space == PATCH) {
      data = interp->params->patch_memory;
      size_B = interp->params->patch_memory_B;
   } else if (a->space == PAYLOAD) {
      data = (uint8_t *)interp->params->payload;
      size_B = interp->params->payload_B;
   } else if (a->space == CONSTANT) {
      data = interp->constant_data;
      size_B = interp->shader->info.constant_B;
   } else if (a->space == SHARED) {
      data = interp->shared;
      size_B = interp->shader->info.shared_B;
   } else {
      size_B = interp->shader->info.scratch_B;
      data = interp->scratch + (size_t)lane * size_B;
   }
   return data && offset_B + bytes <= size_B && offset_B <= size_B ? data + offset_B : NULL;
}

static uint64_t
atomic_result(enum nir_atomic_op op, uint64_t old, uint64_t data, unsigned bits)
{
   int64_t a = sign_extend(old, bits), b = sign_extend(data, bits);
   bool f32 = bits == 32;
   double x = f32 ? bits_float((uint32_t)old) : bits_double(old),
          y = f32 ? bits_float((uint32_t)data) : bits_double(data);
   double z = 0;
   switch (op) {
   case NIR_ATOMIC_iadd:
      return old + data;
   case NIR_ATOMIC_imin:
      return a < b ? old : data;
   case NIR_ATOMIC_umin:
      return MIN2(old, data);
   case NIR_ATOMIC_imax:
      return a > b ? old : data;
   case NIR_ATOMIC_umax:
      return MAX2(old, data);
   case NIR_ATOMIC_iand:
      return old & data;
   case NIR_ATOMIC_ior:
      return old | data;
   case NIR_ATOMIC_ixor:
      return old ^ data;
   case NIR_ATOMIC_xchg:
   case NIR_ATOMIC_cmpxchg:
      return data;
   case NIR_ATOMIC_fadd:
      z = f32 ? (double)((float)x + (float)y) : x + y;
      break;
   case NIR_ATOMIC_fmin:
      z = y != y || x < y ? x : y;
      break;
   case NIR_ATOMIC_fmax:
      z = y != y || x > y ? x : y;
      break;
   }
   return f32 ? float_bits((float)z) : double_bits(z);
}

static void
run_atomic(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, const struct access *a, uint32_t lane)
{
   unsigned bits = instr->def.bit_size;
   uint8_t *memory = locate(interp, instr, a, lane, 0, bits / 8);
   uint64_t old = 0;
   if (memory)
      memcpy(&old, memory, bits / 8);
   nir_interp_value(interp, &instr->def, lane)->u64 = old;
   if (!memory || interp->helper[lane])
      return;
   uint64_t data = nir_interp_value(interp, instr->src[a->data].def, lane)->u64;
   if (a->kind == SWAP && nir_interp_value(interp, instr->src[a->compare].def, lane)->u64 != old)
      return;
   uint64_t value = atomic_result(nir_intrinsic_atomic_op(instr), old, data, bits);
   memcpy(memory, &value, bits / 8);
}

static void
run_access(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, const struct access *a, uint32_t lane)
{
   if (a->kind == ATOMIC || a->kind == SWAP) {
      run_atomic(interp, instr, a, lane);
      return;
   }
   bool store = a->kind == STORE;
   const struct nir_def *def = store ? instr->src[a->data].def : &instr->def;
   uint32_t bytes = def->bit_size / 8;
   union nir_const_value *value = nir_interp_value(interp, def, lane);
   for (uint32_t c = 0; c < def->num_components; c++) {
      uint8_t *memory = locate(interp, instr, a, lane, c * bytes, bytes);
      if (!store) {
         value[c].u64 = 0;
         if (memory)
            memcpy(&value[c], memory, bytes);
      } else if (memory && (nir_intrinsic_write_mask(instr) >> c & 1) &&
                 (!interp->helper[lane] || a->space == SCRATCH)) {
         memcpy(memory, &value[c], bytes);
      }
   }
}

/* ---- inputs and outputs ---- */

/* The patch of a lane; NULL: the shader has none, or none was given. */
static const struct nir_interp_patch *
patch_read(const struct nir_machine *interp, uint32_t lane)
{
   const struct nir_interp_params *params = interp->params;
   if (!params->patches)
      return NULL;
   if (interp->shader->stage == NIR_STAGE_TESS_CTRL)
      return &params->patches[nir_interp_patch_of(interp, lane)];
   return interp->shader->stage == NIR_STAGE_TESS_EVAL ? &params->patches[params->patch_of_lane[lane]] : NULL;
}

static struct nir_interp_patch *
patch_written(const struct nir_machine *interp, uint32_t lane)
{
   return &interp->result.patches[nir_interp_patch_of(interp, lane)];
}

/* Slots; NULL: all are zero. */
typedef const uint32_t (*slots_t)[4];

static slots_t
vertex_slots(const struct nir_machine *interp, uint32_t lane, uint32_t vertex)
{
   const struct nir_interp_patch *patch = patch_read(interp, lane);
   if (patch)
      return vertex < NIR_MAX_PATCH_VERTICES ? patch->vertices[vertex] : NULL;
   const bool there = interp->params->vertex_inputs && vertex < NIR_INTERP_VERTICES;
   return there ? interp->params->vertex_inputs[lane][vertex] : NULL;
}

static slots_t
input_slots(const struct nir_machine *interp, uint32_t lane)
{
   const struct nir_interp_patch *patch = patch_read(interp, lane);
   return patch ? patch->whole : interp->params->inputs ? interp->params->inputs[lane] : NULL;
}

static void
read_slot(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane, slots_t slots)
{
   const struct nir_src *offset = &instr->src[nir_intrinsic_infos[instr->op].num_srcs - 1];
   const uint32_t slot = nir_intrinsic_slot(instr) + nir_interp_value(interp, offset->def, lane)->u32;
   union nir_const_value *value = nir_interp_value(interp, &instr->def, lane);
   for (unsigned c = 0; c < instr->num_components; c++) {
      const unsigned component = nir_intrinsic_component(instr) + c;
      const bool there = slots && slot < NIR_SLOT_COUNT && component < 4;
      value[c].u64 = there ? slots[slot][component] & bit_mask(instr->def.bit_size) : 0;
   }
}

/* All lanes of a patch see what one stored, at once. */
static bool
run_patch_output(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   struct nir_interp_patch *patch = patch_written(interp, lane);
   const bool is_store = !nir_intrinsic_infos[instr->op].has_dest;
   const bool is_whole = instr->op == NIR_INTRINSIC_store_output || instr->op == NIR_INTRINSIC_load_output;
   const uint32_t vertex = is_whole ? 0 : nir_interp_value(interp, instr->src[is_store].def, lane)->u32;
   uint32_t(*slots)[4] = is_whole ? patch->whole : patch->vertices[vertex % NIR_MAX_PATCH_VERTICES];
   if (!is_store) {
      read_slot(interp, instr, lane, vertex < NIR_MAX_PATCH_VERTICES ? slots : NULL);
      return true;
   }
   const struct nir_src *offset = &instr->src[nir_intrinsic_infos[instr->op].num_srcs - 1];
   const uint32_t slot = nir_intrinsic_slot(instr) + nir_interp_value(interp, offset->def, lane)->u32;
   for (unsigned c = 0; c < instr->num_components; c++) {
      const unsigned component = nir_intrinsic_component(instr) + c;
      if (nir_intrinsic_write_mask(instr) >> c & 1 && slot < NIR_SLOT_COUNT && component < 4 &&
          vertex < NIR_MAX_PATCH_VERTICES)
         slots[slot][component] = nir_interp_value(interp, instr->src[0].def, lane)[c].u32;
   }
   return true;
}

static void
run_load_barycentric_coord(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   const struct nir_intrinsic_instr *place = nir_as_intrinsic(instr->src[0].def->parent);
   bool linear = nir_intrinsic_interp(place) == NIR_INTERP_NOPERSPECTIVE;
   union nir_const_value *value = nir_interp_value(interp, &instr->def, lane);
   for (unsigned c = 0; c < 3; c++) {
      value[c].u64 = 0;
      if (interp->params->barycentric_coords)
         value[c].f32 = interp->params->barycentric_coords[lane][linear][c];
   }
}

static void
run_store_output(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   uint32_t slot = nir_intrinsic_slot(instr) + nir_interp_value(interp, instr->src[1].def, lane)->u32;
   const union nir_const_value *value = nir_interp_value(interp, instr->src[0].def, lane);
   for (unsigned c = 0; c < instr->num_components; c++) {
      unsigned component = nir_intrinsic_component(instr) + c;
      if (!(nir_intrinsic_write_mask(instr) >> c & 1) || slot >= NIR_SLOT_COUNT || component >= 4)
         continue;
      if (nir_intrinsic_frag_index(instr))
         interp->result.outputs_dual[lane][component] = value[c].u32;
      else
         interp->result.outputs[lane][slot][component] = value[c].u32;
   }
}

/* What is emitted beyond the limit is dropped. */
static void
run_emit_vertex(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   struct nir_interp_result *result = &interp->result;
   if (interp->num_emitted[lane] == interp->shader->info.gs_vertices)
      return;
   interp->num_emitted[lane]++;
   struct nir_interp_vertex *vertex = &result->vertices[result->num_vertices++];
   vertex->lane = lane;
   vertex->stream = nir_intrinsic_stream(instr);
   vertex->ends = false;
   memcpy(vertex->outputs, result->outputs[lane], sizeof(vertex->outputs));
}

static void
run_end_primitive(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   struct nir_interp_vertex *vertices = interp->result.vertices;
   for (uint32_t i = interp->result.num_vertices; i-- > 0;) {
      if (vertices[i].lane == lane && vertices[i].stream == nir_intrinsic_stream(instr)) {
         vertices[i].ends = true;
         return;
      }
   }
}

/* The interpreter's caller finds them with the patch's slots. */
static void
run_store_tess_levels(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   static const uint8_t slots[] = {NIR_SLOT_TESS_LEVEL_OUTER, NIR_SLOT_TESS_LEVEL_INNER};
   for (unsigned i = 0; i < 2; i++) {
      const union nir_const_value *value = nir_interp_value(interp, instr->src[i].def, lane);
      for (unsigned c = 0; c < instr->src[i].def->num_components; c++)
         patch_written(interp, lane)->whole[slots[i]][c] = value[c].u32;
   }
}

static bool
run_other(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   if (nir_interp_mesh(interp, instr, lane))
      return true;
   union nir_const_value *value = nir_interp_value(interp, &instr->def, lane);
   switch ((int)instr->op) {
   case NIR_INTRINSIC_vulkan_resource_index:
      value[0].u64 = nir_intrinsic_set(instr) << 16 | nir_intrinsic_binding(instr);
      value[1].u64 = nir_interp_value(interp, instr->src[0].def, lane)->u32;
      return true;
   case NIR_INTRINSIC_get_ssbo_size: {
      uint32_t size_B;
      find_buffer(interp, instr->src[0].def, lane, &size_B);
      value->u64 = size_B;
      return true;
   }
   case NIR_INTRINSIC_load_input:
   case NIR_INTRINSIC_load_interpolated_input:
      read_slot(interp, instr, lane, input_slots(interp, lane));
      return true;
   case NIR_INTRINSIC_load_primitive_vertex: {
      const uint32_t vertex = nir_interp_value(interp, instr->src[0].def, lane)->u32;
      const bool there = interp->params->primitive_vertices && vertex < NIR_INTERP_VERTICES;
      value->u64 = there ? interp->params->primitive_vertices[lane][vertex] : 0;
      return true;
   }
   case NIR_INTRINSIC_load_per_vertex_input:
      read_slot(interp, instr, lane,
                vertex_slots(interp, lane, nir_interp_value(interp, instr->src[0].def, lane)->u32));
      return true;
   case NIR_INTRINSIC_load_barycentric_coord:
      run_load_barycentric_coord(interp, instr, lane);
      return true;
   case NIR_INTRINSIC_store_tess_levels:
      if (interp->shader->stage == NIR_STAGE_TESS_CTRL)
         run_store_tess_levels(interp, instr, lane);
      return interp->shader->stage == NIR_STAGE_TESS_CTRL;
   case NIR_INTRINSIC_store_per_vertex_output:
   case NIR_INTRINSIC_load_per_vertex_output:
   case NIR_INTRINSIC_load_output:
      return interp->shader->stage == NIR_STAGE_TESS_CTRL && run_patch_output(interp, instr, lane);
   case NIR_INTRINSIC_store_output:
      if (interp->shader->stage == NIR_STAGE_TESS_CTRL)
         return run_patch_output(interp, instr, lane);
      run_store_output(interp, instr, lane);
      return true;
   case NIR_INTRINSIC_emit_vertex:
      run_emit_vertex(interp, instr, lane);
      return true;
   case NIR_INTRINSIC_end_primitive:
      run_end_primitive(interp, instr, lane);
      return true;
   default: /* others: not of this file */
      /* Interpolation stands in the inputs already. */
      return instr->op >= NIR_INTRINSIC_load_barycentric_pixel &&
             instr->op <= NIR_INTRINSIC_load_barycentric_at_offset;
   }
}

bool
nir_interp_memory(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   const struct access *access = &accesses[instr->op];
   bool known = true;
   for (uint32_t lane = 0; lane < interp->num_lanes && known; lane++) {
      if (!nir_lane_active(interp, lane))
         continue;
      if (access->kind != NO_ACCESS)
         run_access(interp, instr, access, lane);
      else
         known = run_other(interp, instr, lane);
   }
   return known;
}
