#include "asahi/sim/cp/vdm.h"

#include <stdlib.h>

#include "asahi/sim/cache/tex_cache.h"
#include "asahi/sim/cp/ppp.h"
#include "asahi/sim/usc/read.h"
#include "asahi/sim/cp/stream.h"
#include "asahi/sim/usc/usc.h"
#include "asahi/sim/draw/render.h"
#include "asahi/sim/base/dump.h"
#include "util/dynarray.h"
#include "util/macros.h"
#include "util/within_memory.h"

typedef void *memory;

/* The parts of an index list. */
struct index_list {
   uint64_t va;
   struct agx_vdm_index_list head;
   struct agx_vdm_index_buffer buffer;
   struct agx_vdm_index_count count;
   struct agx_vdm_instance_count instances;
   struct agx_vdm_start start;
   struct agx_vdm_indirect indirect;
   struct agx_vdm_index_buffer_size size;
};

struct vdm {
   const struct agx_gpu *gpu;
   const struct agx_render_command *command;
   struct agx_render *render;
   struct agx_draw_state state;
   struct index_list list;      /* being read */
   struct agx_stream_turn turn; /* of the block that is being read */
   unsigned draw_count;
   struct dynarray memory; /* void *: programs and lists, which live until the render ends */
};

static void
free_memory(void *data)
{
   struct dynarray *all = data;
   dynarray_for_each(memory, it, all)
      free(*it);
   dynarray_free(all);
}

static void *
allocate(struct vdm *vdm, const char *what, size_t size_B)
{
   memory *place = dynarray_grow(&vdm->memory, sizeof(*place));
   *place = NULL;
   return *place = need_calloc(what, 1, size_B);
}

/* -- what a draw needs -- */

static bool
read_vertex_program(struct vdm *vdm)
{
   struct agx_draw_state *state = &vdm->state;
   const struct agx_render_command *command = vdm->command;
   const struct agx_usc_request request = {
      .stage = AGX_STAGE_VERTEX,
      .offset_B = state->vertex_shader_1.pipeline,
      .uniforms = state->vertex_shader_0.uniforms,
      .textures = state->vertex_shader_0.textures,
      .samplers = state->vertex_shader_0.samplers,
      .preshader_registers = state->vertex_shader_0.preshader_registers,
      .helper = {command->vertex_helper_binary, command->vertex_helper_cfg, command->vertex_helper_data},
   };
   if (state->vertex)
      return true;
   struct agx_program *program = allocate(vdm, "a program", sizeof(*program));
   state->vertex = program;
   return agx_usc_read(vdm->gpu, &request, program);
}

static bool
read_fragment_program(struct vdm *vdm)
{
   struct agx_draw_state *state = &vdm->state;
   const struct agx_render_command *command = vdm->command;
   const struct agx_fragment_shader *shader = &state->fragment_shader;
   const struct agx_usc_request request = {
      .stage = AGX_STAGE_FRAGMENT,
      .offset_B = shader->pipeline,
      .uniforms = shader->uniforms,
      .textures = shader->textures,
      .samplers = shader->samplers,
      .preshader_registers = shader->preshader_registers,
      .helper = {command->fragment_helper_binary, command->fragment_helper_cfg, command->fragment_helper_data},
   };
   if (state->fragment || !shader->pipeline)
      return true;
   struct agx_program *program = allocate(vdm, "a program", sizeof(*program));
   state->fragment = program;
   return agx_usc_read(vdm->gpu, &request, program);
}

static bool
read_cf_list(struct vdm *vdm)
{
   struct agx_draw_state *state = &vdm->state;
   const struct agx_fragment_shader *shader = &state->fragment_shader;
   uint64_t va = vdm->gpu->usc_base.va + shader->cf_bindings;
   char bytes[4];
   if (state->cf || !shader->cf_bindings)
      return true;
   struct agx_cf_list *list = allocate(vdm, "coefficient bindings", sizeof(*list));
   state->cf = list;
   if (!agx_read_record(vdm->gpu, agx_record(AGX_RECORD_CF_BINDING_HEADER), va, bytes))
      return false;
   agx_cf_binding_header_unpack(&list->header, bytes);
   for (list->count = 0; list->count < shader->cf_bindings_count; list->count++) {
      va += AGX_CF_BINDING_SIZE_B;
      if (!agx_read_record(vdm->gpu, agx_record(AGX_RECORD_CF_BINDING), va, bytes))
         return false;
      agx_cf_binding_unpack(&list->bindings[list->count], bytes);
   }
   return true;
}

static bool
read_arrays(struct vdm *vdm)
{
   struct agx_draw_state *state = &vdm->state;
   const struct agx_depth_bias_scissor *places = &state->depth_bias_scissor;
   char bytes[AGX_SCISSOR_SIZE_B];
   uint64_t va = vdm->command->isp_scissor_base + (uint64_t)places->scissor * AGX_SCISSOR_SIZE_B;
   bool scissors = state->fragment_control.scissor_enable || state->fragment_control_2.scissor_enable;
   for (unsigned i = 0; scissors && i < state->viewport_count; i++, va += AGX_SCISSOR_SIZE_B) {
      if (!agx_read_record(vdm->gpu, agx_record(AGX_RECORD_SCISSOR), va, bytes))
         return false;
      agx_scissor_unpack(&state->scissors[i], bytes);
   }
   if (!state->fragment_control.depth_bias_enable && !state->fragment_control_2.depth_bias_enable)
      return true;
   va = vdm->command->isp_dbias_base + (uint64_t)places->depth_bias * AGX_DEPTH_BIAS_SIZE_B;
   if (!agx_read_record(vdm->gpu, agx_record(AGX_RECORD_DEPTH_BIAS), va, bytes))
      return false;
   agx_depth_bias_unpack(&state->depth_bias, bytes);
   return true;
}

/* -- draws -- */

static bool
fail(const struct vdm *vdm, enum sim_fault_kind kind, const char *what)
{
   return sim_fault_set(vdm->gpu->fault, kind, sim_va(vdm->list.va), "draw %u, at 0x%llx: %s", vdm->draw_count,
                        (unsigned long long)vdm->list.va, what);
}

/* count, instances, first vertex; or count, instances, first index, what is added to indices. Programs take the first
 * instance, which follows, from memory. */
static bool
read_indirect(const struct vdm *vdm, struct agx_draw *draw)
{
   const struct index_list *list = &vdm->list;
   uint32_t words[4];
   uint64_t va = agx_join_va(list->indirect.address_hi, list->indirect.address_lo);
   if (!agx_read_memory(vdm->gpu, va, words, draw->indexed ? 16 : 12, "an indirect draw"))
      return false;
   agx_dump_line(vdm->gpu->dump, "sizes %u %u %u", words[0], words[1], words[2]);
   draw->count = words[0];
   draw->instances = words[1];
   draw->start = words[draw->indexed ? 3 : 2];
   if (!draw->indexed)
      return true;
   uint64_t first_B = (uint64_t)words[2] * draw->index_size_B;
   draw->indices = sim_va_add(draw->indices, (int64_t)first_B);
   draw->index_buffer_end_B -= first_B < draw->index_buffer_end_B ? first_B : draw->index_buffer_end_B;
   return true;
}

static bool
read_draw(const struct vdm *vdm, struct agx_draw *draw)
{
   const struct index_list *list = &vdm->list;
   const struct agx_vdm_index_list *head = &list->head;
   *draw = (struct agx_draw){
      .number = vdm->draw_count,
      .at = sim_va(list->va),
      .primitive = head->primitive,
      .indexed = head->index_buffer_present,
      .restart = head->restart_enable,
      .index_size_B = (uint8_t)(1u << head->index_size),
      .indices = sim_va(agx_join_va(head->index_buffer_hi, list->buffer.address_lo)),
      .index_buffer_end_B = head->index_buffer_size_present ? list->size.size_B : UINT64_MAX,
      .count = list->count.count,
      .instances = list->instances.count,
      .start = list->start.start,
   };
   if (head->unk_1_present || head->unk_2_present)
      return fail(vdm, SIM_FAULT_PACKET, "parts of an index list that nobody knows");
   if (head->restart_enable && !(vdm->state.set & AGX_DRAW_RESTART_INDEX))
      return fail(vdm, SIM_FAULT_STATE, "restart without VDM_RESTART_INDEX");
   if (head->indirect_buffer_present)
      return head->index_count_present || head->instance_count_present || head->start_present
                ? fail(vdm, SIM_FAULT_PACKET, "an indirect draw with counts of its own")
                : read_indirect(vdm, draw);
   if (!head->index_count_present || !head->instance_count_present || !head->start_present)
      return fail(vdm, SIM_FAULT_PACKET, "a direct draw without a count, instances or a start");
   return true;
}

/* Without tags no pixel program runs, whichever was set for an earlier draw. */
static bool
draw_shaded(struct vdm *vdm, const struct agx_draw *draw, bool shades)
{
   struct agx_draw_state *state = &vdm->state;
   const struct agx_program *fragment = state->fragment;
   const struct agx_cf_list *cf = state->cf;
   if (!shades) {
      state->fragment = NULL;
      state->cf = NULL;
   }
   bool ok = agx_render_draw(vdm->render, state, draw);
   state->fragment = fragment;
   state->cf = cf;
   return ok;
}

static bool
run_draw(struct vdm *vdm)
{
   const uint32_t needed = AGX_DRAW_VERTEX_SHADER_0 | AGX_DRAW_VERTEX_SHADER_1;
   struct agx_draw draw;
   agx_dump_line(vdm->gpu->dump, "draw %u", vdm->draw_count);
   if (!read_draw(vdm, &draw))
      return false;
   if (draw.count && draw.instances) {
      if ((vdm->state.set & needed) != needed)
         return fail(vdm, SIM_FAULT_STATE, "VDM_VERTEX_SHADER_0 or _1 was never set");
      bool shades =
         !vdm->state.fragment_control.tag_write_disable && !vdm->state.fragment_control_2.tag_write_disable;
      if (!read_vertex_program(vdm) || (shades && (!read_fragment_program(vdm) || !read_cf_list(vdm))) ||
          !read_arrays(vdm) || !draw_shaded(vdm, &draw, shades))
         return false;
   }
   vdm->draw_count++;
   return true;
}

/* -- the stream -- */

static void
read_barrier(struct vdm *vdm, const void *bytes)
{
   struct agx_vdm_barrier barrier;
   agx_vdm_barrier_unpack(&barrier, bytes);
   if (barrier.returns)
      vdm->turn.kind = AGX_TURN_RETURN;
   if (barrier.usc_cache_inval) {
      vdm->state.vertex = vdm->state.fragment = NULL;
      vdm->state.cf = NULL;
      agx_tex_cache_invalidate(vdm->gpu->textures);
   }
}

static void
read_link(struct vdm *vdm, const void *bytes)
{
   struct agx_vdm_stream_link link;
   agx_vdm_stream_link_unpack(&link, bytes);
   vdm->turn.kind = link.with_return ? AGX_TURN_CALL : AGX_TURN_LINK;
   vdm->turn.target = agx_join_va(link.target_hi, link.target_lo);
}

static void
read_state_part(struct vdm *vdm, enum agx_record_id id, const void *bytes)
{
   struct agx_draw_state *state = &vdm->state;
   if (id == AGX_RECORD_VDM_RESTART_INDEX) {
      agx_vdm_restart_index_unpack(&state->restart_index, bytes);
      state->set |= AGX_DRAW_RESTART_INDEX;
   } else if (id == AGX_RECORD_VDM_VERTEX_SHADER_0) {
      agx_vdm_vertex_shader_0_unpack(&state->vertex_shader_0, bytes);
      state->vertex = NULL;
      state->set |= AGX_DRAW_VERTEX_SHADER_0;
   } else if (id == AGX_RECORD_VDM_VERTEX_SHADER_1) {
      agx_vdm_vertex_shader_1_unpack(&state->vertex_shader_1, bytes);
      state->vertex = NULL;
      state->set |= AGX_DRAW_VERTEX_SHADER_1;
   } else if (id == AGX_RECORD_VDM_VERTEX_OUTPUTS) {
      agx_vdm_vertex_outputs_unpack(&state->vertex_outputs, bytes);
      state->set |= AGX_DRAW_VERTEX_OUTPUTS;
   } else if (id == AGX_RECORD_VDM_VERTEX_UNKNOWN) {
      agx_vdm_vertex_unknown_unpack(&state->vertex_unknown, bytes);
      state->set |= AGX_DRAW_VERTEX_UNKNOWN;
   }
}

static void
read_list_part(struct vdm *vdm, enum agx_record_id id, uint64_t va, const void *bytes)
{
   struct index_list *list = &vdm->list;
   if (id == AGX_RECORD_VDM_INDEX_LIST) {
      *list = (struct index_list){.va = va};
      agx_vdm_index_list_unpack(&list->head, bytes);
   } else if (id == AGX_RECORD_VDM_INDEX_BUFFER) {
      agx_vdm_index_buffer_unpack(&list->buffer, bytes);
   } else if (id == AGX_RECORD_VDM_INDEX_COUNT) {
      agx_vdm_index_count_unpack(&list->count, bytes);
   } else if (id == AGX_RECORD_VDM_INSTANCE_COUNT) {
      agx_vdm_instance_count_unpack(&list->instances, bytes);
   } else if (id == AGX_RECORD_VDM_START) {
      agx_vdm_start_unpack(&list->start, bytes);
   } else if (id == AGX_RECORD_VDM_INDIRECT) {
      agx_vdm_indirect_unpack(&list->indirect, bytes);
   } else if (id == AGX_RECORD_VDM_INDEX_BUFFER_SIZE) {
      agx_vdm_index_buffer_size_unpack(&list->size, bytes);
   }
}

static bool
read_ppp(struct vdm *vdm, const void *bytes)
{
   struct agx_vdm_ppp_state place;
   agx_vdm_ppp_state_unpack(&place, bytes);
   return agx_ppp_read(vdm->gpu, agx_join_va(place.pointer_hi, place.pointer_lo), place.size_dw, &vdm->state);
}

static bool
read_part(void *data, enum agx_record_id id, uint64_t va, const void *bytes)
{
   struct vdm *vdm = data;
   if (id == AGX_RECORD_VDM_TESSELLATE || id == AGX_RECORD_VDM_TESSELLATION ||
       id == AGX_RECORD_VDM_TESSELLATION_SCALE)
      return sim_fault_set(vdm->gpu->fault, SIM_FAULT_PACKET, sim_va(va),
                           "record at 0x%llx: the model has no tessellation by the hardware (%s)",
                           (unsigned long long)va, agx_record(id)->name);
   if (id == AGX_RECORD_VDM_PPP_STATE)
      return read_ppp(vdm, bytes);
   if (id == AGX_RECORD_VDM_BARRIER)
      read_barrier(vdm, bytes);
   else if (id == AGX_RECORD_VDM_STREAM_LINK)
      read_link(vdm, bytes);
   else if (id == AGX_RECORD_VDM_STREAM_TERMINATE)
      vdm->turn.kind = AGX_TURN_END;
   read_state_part(vdm, id, bytes);
   read_list_part(vdm, id, va, bytes);
   return true;
}

static bool
end_block(void *data, enum agx_record_id head, struct agx_stream_turn *turn)
{
   struct vdm *vdm = data;
   *turn = vdm->turn;
   vdm->turn = (struct agx_stream_turn){AGX_TURN_NONE, 0};
   return head == AGX_RECORD_VDM_INDEX_LIST ? run_draw(vdm) : true;
}

static void
free_render(void *render)
{
   agx_render_free(render);
}

bool
agx_vdm_run(const struct agx_gpu *gpu, const struct agx_render_command *command, void (*vertices_done)(void *data),
            void *data)
{
   struct vdm vdm = {.gpu = gpu, .command = command, .render = agx_render_begin(gpu, command)};
   const struct agx_stream_walk walk = {gpu, &agx_stream_vdm, &vdm, read_part, end_block};
   struct owned render, memory;
   if (!vdm.render)
      return false;
   own(&memory, free_memory, &vdm.memory);
   own(&render, free_render, vdm.render);
   bool ok = agx_stream_walk(&walk, command->vdm_ctrl_stream_base);
   vertices_done(data);
   ok = ok && agx_render_end(vdm.render);
   disown(&render);
   disown(&memory);
   return ok;
}
