/* The packets of a sequence, with holes for what the stream says, and the operations that fill them. */
#include "amd/hw/descriptors.h"
#include "gallium/drivers/radeonsi/generate/si_generate.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"

/* Dwords of a packet whose values are not known yet are holes, by which their places are found. */
#define HOLE(n) (0x686f6c00u + (n))
#define HOLE_ADDRESS(n) ((uint64_t)HOLE((n) + 1) << 32 | HOLE(n))
#define HOLE_POINTER 0xff

#define PUSH_DW (PIPE_MAX_PUSH_CONSTANT_B / 4)
#define SGPR_DW (1 + AMD_PM4_SET_REG_DW + 1) /* of a packet that sets one */
#define ACTION_DW 32u                        /* at most, of the packets of a draw or dispatch */
#define TOKEN(kind) (1u << PIPE_TOKEN_##kind)
#define PUSH_TOKENS (TOKEN(PUSH_CONSTANTS) | TOKEN(SEQUENCE))
#define MESH_TOKENS (TOKEN(MESHES) | TOKEN(MESHES_COUNT))

struct writer {
   struct si_template *template;
   const struct si_context *ctx;
   const struct pipe_generated *info;
   const struct si_program *program;
   uint32_t *cur;                    /* where packets go */
   uint32_t table_dw;                /* of the data, behind push constants: V#s, if tokens bind vertex buffers */
   const struct pipe_token *indices; /* NULL: the bound buffer's */
};

static uint32_t
data_at(const struct writer *w)
{
   return w->template->size.packets_dw + w->template->size.tasks_dw;
}

/* ---- operations ---- */

static struct si_generate_op *
add_op(struct writer *w, uint32_t kind, uint32_t dst, uint32_t src_B)
{
   struct si_template *template = w->template;

   assert(template->num_ops < SI_TEMPLATE_MAX_OPS && "operations fit into their room");
   struct si_generate_op *op = &template->ops[template->num_ops++];

   *op = (struct si_generate_op){.kind = kind, .count = 1, .dst = dst, .src_B = src_B};
   return op;
}

/* Where a hole lies in what was packed since `from`. */
static uint32_t
hole(const struct writer *w, const uint32_t *from, unsigned n)
{
   while (*from != HOLE(n))
      from++;
   assert(from < w->cur && "the packets have the hole");
   return (uint32_t)(from - w->template->words);
}

/* count words of the stream go into holes n and after. */
static void
copy(struct writer *w, const uint32_t *from, unsigned n, uint32_t src_B, unsigned count)
{
   add_op(w, SI_OP_COPY, hole(w, from, n), src_B)->count = count;
}

/* What was packed since `from` does nothing if one of count words of the stream is 0. */
static void
skip_if_zero(struct writer *w, const uint32_t *from, uint32_t src_B, unsigned count)
{
   struct si_generate_op *op = add_op(w, SI_OP_SKIP, (uint32_t)(from - w->template->words), src_B);

   op->count = count;
   op->args[0] = (uint32_t)(w->cur - from);
}

/* ---- user SGPRs ---- */

static void
put_sgpr(struct writer *w, uint32_t reg, uint32_t value)
{
   w->cur = amd_pm4_set_reg_pack(w->cur, PKT3_SET_SH_REG,
                                 &(const struct amd_pm4_set_reg){.reg_offset = (reg - AMD_SH_REG_START) / 4}, 1);
   *w->cur++ = value;
}

/* A user SGPR points to a word of the data. */
static void
put_pointer(struct writer *w, uint32_t reg, uint32_t data_dw)
{
   const uint32_t *from = w->cur;

   put_sgpr(w, reg, HOLE(HOLE_POINTER));
   add_op(w, SI_OP_ADDRESS, hole(w, from, HOLE_POINTER), 0)->args[0] = data_dw;
}

/* Number of a user data register as draw packets count it. */
static uint32_t
register_number(uint32_t user_data, unsigned sgpr)
{
   return (user_data + 4 * sgpr - AMD_SH_REG_START) / 4;
}

/* ---- tokens of state ---- */

/* kinds: bit per enum pipe_token_kind. */
static bool
has_token(const struct pipe_token_layout *layout, uint32_t kinds)
{
   for (uint32_t i = 0; i < layout->num_tokens; i++) {
      if (kinds >> layout->tokens[i].kind & 1)
         return true;
   }
   return false;
}

static void
push_constants(struct writer *w, const struct pipe_token *token)
{
   const uint32_t dst = data_at(w) + token->offset_B / 4;

   if (token->kind == PIPE_TOKEN_SEQUENCE)
      add_op(w, SI_OP_SEQUENCE, dst, 0);
   else
      add_op(w, SI_OP_COPY, dst, token->at_B)->count = token->size_B / 4;
}

static void
bind_vertex_buffer(struct writer *w, const struct pipe_token *token)
{
   const uint32_t raw = w->ctx->screen->info.raw_buffer_word3;

   for (uint32_t i = 0; i < w->program->num_attributes; i++) {
      const struct si_attribute *attribute = &w->program->attributes[i];

      if (attribute->binding != token->binding)
         continue;
      struct si_generate_op *op = add_op(w, SI_OP_VERTICES, data_at(w) + w->table_dw + 4 * i, token->at_B);

      op->args[0] = attribute->offset_B;
      op->args[1] = attribute->element_B;
      op->args[2] = w->info->own_strides ? SI_NOWHERE : w->ctx->state.gfx->vertex_strides_B[token->binding];
      op->args[3] = attribute->word3 | (S_SQ_BUF_RSRC_WORD3_OOB_SELECT(V_OOB_SELECT_RAW) & raw);
      op->args[4] = attribute->word3 | (S_SQ_BUF_RSRC_WORD3_OOB_SELECT(V_OOB_SELECT_STRUCTURED) & raw);
      op->args[5] = S_SQ_BUF_RSRC_WORD1_STRIDE(1);
      op->args[6] = S_SQ_BUF_RSRC_WORD1_BASE_ADDRESS_HI(UINT32_MAX);
   }
}

static void
use_indices(struct writer *w, const struct pipe_token *token)
{
   w->indices = token;
}

static void
use_program(struct writer *w, const struct pipe_token *token)
{
   const unsigned ring = w->ctx->ring == AMDGPU_WS_GFX;
   struct si_generate_op *op = add_op(w, SI_OP_PROGRAM, (uint32_t)(w->cur - w->template->words), token->at_B);

   op->count = SI_ENTRY_PACKETS_DW;
   op->args[0] = offsetof(struct si_set_entry, packets) / 4 + ring * SI_ENTRY_PACKETS_DW;
   w->cur += SI_ENTRY_PACKETS_DW;
}

/* ---- tokens of work ---- */

/* Holes of packets. Those that the stream fills in one piece follow each other. */
enum {
   COUNT, /* vertices or indices */
   INSTANCES,
   BASE_VERTEX,
   BASE_INSTANCE,
   DRAWS, /* address of indirect draws, two dwords; stride; how many */
   DRAWS_HI,
   STRIDE,
   MOST_DRAWS,
   INDEX_TYPE,
   INDICES, /* address, two dwords; how many there are */
   INDICES_HI,
   AVAILABLE,
   GROUPS, /* x, y, z */
   GROUPS_Z = GROUPS + 2,
   SGPRS, /* the same */
   SGPRS_Z = SGPRS + 2,
};

/* Draws of indices from a buffer of the stream's. */
static void
put_index_type(struct writer *w)
{
   const struct amd_pm4_set_reg packet = {.reg_offset = (R_VGT_INDEX_TYPE - AMD_UCONFIG_REG_START) / 4, .index = 2};

   if (!w->indices)
      return;
   w->cur = amd_pm4_set_reg_pack(w->cur, PKT3_SET_UCONFIG_REG_INDEX, &packet, 1);
   *w->cur++ = HOLE(INDEX_TYPE);
}

/* first_B: of the stream, the first index; SI_NOWHERE: 0. */
static void
find_indices(struct writer *w, const uint32_t *from, uint32_t first_B)
{
   const struct si_graphics_state *state = &w->ctx->state;
   const struct pipe_token *token = w->indices;
   struct si_generate_op *op = add_op(w, SI_OP_INDICES, hole(w, from, INDICES), token ? token->at_B : SI_NOWHERE);

   if (token) {
      memcpy(op->args, token->index_types, sizeof(token->index_types));
   } else {
      op->args[0] = (uint32_t)state->index_buffer.va;
      op->args[1] = (uint32_t)(state->index_buffer.va >> 32);
      op->args[2] = (uint32_t)MIN2(state->index_buffer.size_B, UINT32_MAX);
      op->args[3] = state->index_buffer.size_log2;
   }
   op->args[4] = first_B;
   op->args[5] = hole(w, from, AVAILABLE);
   op->args[6] = token ? hole(w, from, INDEX_TYPE) : SI_NOWHERE;
   op->args[7] = V_VGT_INDEX_8;
   op->args[8] = V_VGT_INDEX_16;
   op->args[9] = V_VGT_INDEX_32;
   op->args[10] = w->ctx->screen->info.empty_index_buffer_hangs;
}

static void
put_parameters(struct writer *w)
{
   si_packet(w, num_instances, .count = HOLE(INSTANCES));
   si_user_data(w, vs_draw, w->program->vertex_user_data, .base_vertex = HOLE(BASE_VERTEX),
                .base_instance = HOLE(BASE_INSTANCE), .draw_id = 0);
}

static void
draw(struct writer *w, const struct pipe_token *token)
{
   const uint32_t *from = w->cur;

   put_parameters(w);
   si_packet(w, draw_index_auto, .count_el = HOLE(COUNT),
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
   copy(w, from, COUNT, token->at_B, 1);
   copy(w, from, INSTANCES, token->at_B + 4, 1);
   copy(w, from, BASE_VERTEX, token->at_B + 8, 2);
   skip_if_zero(w, from, token->at_B, 2);
}

static void
draw_indexed(struct writer *w, const struct pipe_token *token)
{
   const uint32_t *from = w->cur;

   put_index_type(w);
   put_parameters(w);
   si_packet(w, draw_index_2, .max_size_el = HOLE(AVAILABLE), .base = HOLE_ADDRESS(INDICES), .count_el = HOLE(COUNT),
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_DMA));
   find_indices(w, from, token->at_B + 8);
   copy(w, from, COUNT, token->at_B, 1);
   copy(w, from, INSTANCES, token->at_B + 4, 1);
   copy(w, from, BASE_VERTEX, token->at_B + 12, 2);
   skip_if_zero(w, from, token->at_B, 2);
}

/* Of what was packed since `from`: indirect draws, as many as the token and the command allow. */
static void
copy_count(struct writer *w, const uint32_t *from, const struct pipe_token *token)
{
   copy(w, from, DRAWS, token->at_B, 2);
   copy(w, from, STRIDE, token->at_B + 8, 1);
   add_op(w, SI_OP_LEAST, hole(w, from, MOST_DRAWS), token->at_B + 12)->args[0] = w->info->max_draws;
   skip_if_zero(w, from, token->at_B + 12, 1);
}

static void
draw_count(struct writer *w, const struct pipe_token *token)
{
   const bool indexed = token->kind == PIPE_TOKEN_DRAW_INDEXED_COUNT;
   const uint32_t *from = w->cur, user_data = w->program->vertex_user_data;

   if (indexed) {
      put_index_type(w);
      si_packet(w, index_base, .address = HOLE_ADDRESS(INDICES));
      si_packet(w, index_buffer_size, .size_el = HOLE(AVAILABLE));
      find_indices(w, from, SI_NOWHERE);
   }
   si_packet(w, set_base, .index = V_BASE_INDEX_INDIRECT_DATA, .address = HOLE_ADDRESS(DRAWS));
   si_packet_of(w, indexed ? PKT3_DRAW_INDEX_INDIRECT_MULTI : PKT3_DRAW_INDIRECT_MULTI, draw_indirect_multi,
                .base_vertex_reg = register_number(user_data, SI_SGPR_VS_BASE_VERTEX),
                .start_instance_reg = register_number(user_data, SI_SGPR_VS_BASE_INSTANCE),
                .draw_id_reg = register_number(user_data, SI_SGPR_VS_DRAW_ID), .draw_index_enable = true,
                .max_draws = HOLE(MOST_DRAWS), .stride_B = HOLE(STRIDE),
                .initiator =
                   S_VGT_DRAW_INITIATOR_SOURCE_SELECT(indexed ? V_DI_SRC_SEL_DMA : V_DI_SRC_SEL_AUTO_INDEX));
   copy_count(w, from, token);
}

/* Workgroups of the mesh shader as tasks of the other ring ask for them. */
static void
draw_tasks(struct writer *w)
{
   const uint32_t user_data = w->program->last_user_data;

   si_packet(w, dispatch_taskmesh_gfx, .xyz_dim_reg = register_number(user_data, SI_SGPR_MS_NUM_WORKGROUPS),
             .ring_entry_reg = register_number(user_data, SI_SGPR_MS_RING_ENTRY),
             .xyz_dim_enable = w->ctx->screen->info.mesh_groups,
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
}

static void
run_tasks(struct writer *w, const struct pipe_token *token)
{
   const uint32_t *from = w->cur;

   si_user_data(w, ts_groups, R_COMPUTE_USER_DATA_0, .num_workgroups = {HOLE(SGPRS), HOLE(SGPRS + 1), HOLE(SGPRS_Z)},
                .draw_id = 0);
   uint32_t *packet = w->cur;

   si_packet(w, dispatch_taskmesh_direct_ace, .dim_x = HOLE(GROUPS), .dim_y = HOLE(GROUPS + 1),
             .dim_z = HOLE(GROUPS_Z), .initiator = si_dispatch_initiator(w->program->task, false),
             .ring_entry_reg = register_number(R_COMPUTE_USER_DATA_0, SI_SGPR_TS_RING_ENTRY));
   *packet |= S_PKT3_SHADER_TYPE(1);
   copy(w, from, GROUPS, token->at_B, 3);
   copy(w, from, SGPRS, token->at_B, 3);
   skip_if_zero(w, from, token->at_B, 3);
}

static void
run_tasks_count(struct writer *w, const struct pipe_token *token)
{
   const uint32_t *from = w->cur;
   uint32_t *packet = w->cur;

   si_packet(
      w, dispatch_taskmesh_indirect_multi_ace, .address = HOLE_ADDRESS(DRAWS),
      .ring_entry_reg = register_number(R_COMPUTE_USER_DATA_0, SI_SGPR_TS_RING_ENTRY), .draw_index_enable = true,
      .xyz_dim_enable = true, .draw_index_reg = register_number(R_COMPUTE_USER_DATA_0, SI_SGPR_TS_DRAW_ID),
      .xyz_dim_reg = register_number(R_COMPUTE_USER_DATA_0, SI_SGPR_TS_NUM_WORKGROUPS), .max_draws = HOLE(MOST_DRAWS),
      .stride_B = HOLE(STRIDE), .initiator = si_dispatch_initiator(w->program->task, false));
   *packet |= S_PKT3_SHADER_TYPE(1);
   copy_count(w, from, token);
}

static void
draw_meshes(struct writer *w, const struct pipe_token *token)
{
   const uint32_t *from = w->cur, source = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX);

   si_packet(w, num_instances, .count = 1);
   if (w->program->task) {
      draw_tasks(w);
      skip_if_zero(w, from, token->at_B, 3);
      return;
   }
   si_user_data(w, ms_groups, w->program->last_user_data,
                .num_workgroups = {HOLE(SGPRS), HOLE(SGPRS + 1), HOLE(SGPRS_Z)}, .draw_id = 0);
   if (w->ctx->screen->info.mesh_groups) {
      si_packet(w, dispatch_mesh_direct, .dim_x = HOLE(GROUPS), .dim_y = HOLE(GROUPS + 1), .dim_z = HOLE(GROUPS_Z),
                .initiator = source);
      copy(w, from, GROUPS, token->at_B, 3);
   } else {
      si_packet(w, draw_index_auto, .count_el = HOLE(COUNT), .initiator = source);
      add_op(w, SI_OP_PRODUCT, hole(w, from, COUNT), token->at_B);
   }
   copy(w, from, SGPRS, token->at_B, 3);
   skip_if_zero(w, from, token->at_B, 3);
}

static void
draw_meshes_count(struct writer *w, const struct pipe_token *token)
{
   const uint32_t *from = w->cur, user_data = w->program->last_user_data;

   si_packet(w, num_instances, .count = 1);
   if (w->program->task) {
      draw_tasks(w);
      skip_if_zero(w, from, token->at_B + 12, 1);
      return;
   }
   si_packet(w, set_base, .index = V_BASE_INDEX_INDIRECT_DATA, .address = HOLE_ADDRESS(DRAWS));
   si_packet(w, dispatch_mesh_indirect_multi, .xyz_dim_reg = register_number(user_data, SI_SGPR_MS_NUM_WORKGROUPS),
             .draw_index_reg = register_number(user_data, SI_SGPR_MS_DRAW_ID),
             .xyz_dim_enable = w->ctx->screen->info.mesh_groups, .draw_index_enable = true,
             .max_draws = HOLE(MOST_DRAWS), .stride_B = HOLE(STRIDE),
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
   copy_count(w, from, token);
}

static void
dispatch(struct writer *w, const struct pipe_token *token)
{
   const struct pipe_token *choice = w->info->layout->tokens;
   const uint32_t *from = w->cur;

   si_user_data(w, cs_groups, R_COMPUTE_USER_DATA_0, .num_workgroups = {HOLE(SGPRS), HOLE(SGPRS + 1), HOLE(SGPRS_Z)});
   si_packet(w, dispatch_direct, .dim_x = HOLE(GROUPS), .dim_y = HOLE(GROUPS + 1), .dim_z = HOLE(GROUPS_Z),
             .initiator = choice->kind == PIPE_TOKEN_PROGRAM ? HOLE(COUNT) : si_dispatch_initiator(w->program, true));
   if (choice->kind == PIPE_TOKEN_PROGRAM)
      add_op(w, SI_OP_PROGRAM, hole(w, from, COUNT), choice->at_B)->args[0] =
         offsetof(struct si_set_entry, initiator) / 4;
   copy(w, from, GROUPS, token->at_B, 3);
   copy(w, from, SGPRS, token->at_B, 3);
   skip_if_zero(w, from, token->at_B, 3);
}

static void (*const put_token[PIPE_TOKEN_KINDS])(struct writer *w, const struct pipe_token *token) = {
   [PIPE_TOKEN_PROGRAM] = use_program,
   [PIPE_TOKEN_PUSH_CONSTANTS] = push_constants,
   [PIPE_TOKEN_SEQUENCE] = push_constants,
   [PIPE_TOKEN_VERTEX_BUFFER] = bind_vertex_buffer,
   [PIPE_TOKEN_INDEX_BUFFER] = use_indices,
   [PIPE_TOKEN_DRAW] = draw,
   [PIPE_TOKEN_DRAW_INDEXED] = draw_indexed,
   [PIPE_TOKEN_DRAW_COUNT] = draw_count,
   [PIPE_TOKEN_DRAW_INDEXED_COUNT] = draw_count,
   [PIPE_TOKEN_MESHES] = draw_meshes,
   [PIPE_TOKEN_MESHES_COUNT] = draw_meshes_count,
   [PIPE_TOKEN_DISPATCH] = dispatch,
};

/* ---- the whole ---- */

/* A program that is not known has all stages. */
static uint32_t
stages_of(const struct pipe_token_layout *layout, const struct si_program *program)
{
   return layout->point == PIPE_BIND_COMPUTE ? 1u << ACO_HW_CS
          : program                          ? program->hw_stages
                                             : (1u << ACO_HW_STAGES) - 1;
}

struct si_template_size
si_template_size(const struct pipe_token_layout *layout, const struct si_program *program)
{
   const bool pushes = has_token(layout, PUSH_TOKENS), vertices = has_token(layout, TOKEN(VERTEX_BUFFER));
   struct si_template_size size = {.packets_dw = ACTION_DW};

   if (has_token(layout, TOKEN(PROGRAM)))
      size.packets_dw += SI_ENTRY_PACKETS_DW;
   if (pushes)
      size.packets_dw += SGPR_DW * (uint32_t)__builtin_popcount(stages_of(layout, program));
   if (vertices)
      size.packets_dw += SGPR_DW;
   size.packets_dw = (uint32_t)align_up(size.packets_dw, SI_GENERATED_ALIGN_DW);
   if (has_token(layout, MESH_TOKENS) && (!program || program->task))
      size.tasks_dw = (uint32_t)align_up(ACTION_DW + SGPR_DW, SI_GENERATED_ALIGN_DW);
   size.data_dw = pushes ? PUSH_DW : 0;
   if (vertices)
      size.data_dw += AC_BUFFER_DESCRIPTOR_DW * (program ? program->num_attributes : SI_MAX_ATTRIBUTES);
   return size;
}

/* The data as it is bound, and pointers to it. */
static void
put_data(struct writer *w)
{
   const struct pipe_token_layout *layout = w->info->layout;
   uint32_t *data = w->template->words + data_at(w);

   if (has_token(layout, PUSH_TOKENS)) {
      memcpy(data, w->ctx->push_constants, 4 * PUSH_DW);
      w->table_dw = PUSH_DW;
      for (uint32_t stages = stages_of(layout, w->program); stages; stages &= stages - 1) {
         const int hw = __builtin_ctz(stages);

         put_pointer(
            w, (hw == ACO_HW_CS ? R_COMPUTE_USER_DATA_0 : w->program->user_data[hw]) + 4 * SI_SGPR_PUSH_CONSTANTS, 0);
      }
   }
   if (!has_token(layout, TOKEN(VERTEX_BUFFER)) || !w->program->num_attributes)
      return;
   si_fill_vertex_table(w->ctx, data + w->table_dw);
   put_pointer(w, w->program->vertex_user_data + 4 * SI_SGPR_VS_VERTEX_TABLE, w->table_dw);
}

/* NOPs up to a word of the template. */
static void
pad(struct writer *w, uint32_t end)
{
   assert(w->cur <= w->template->words + end && "packets fit into the room that applications give");
   while (w->cur < w->template->words + end)
      *w->cur++ = PKT3_NOP_PAD;
}

/* What the other ring does for the token. */
static void
put_tasks(struct writer *w, const struct pipe_token *token)
{
   if (has_token(w->info->layout, PUSH_TOKENS))
      put_pointer(w, R_COMPUTE_USER_DATA_0 + 4 * SI_SGPR_PUSH_CONSTANTS, 0);
   if (token->kind == PIPE_TOKEN_MESHES)
      run_tasks(w, token);
   else
      run_tasks_count(w, token);
   pad(w, data_at(w));
}

bool
si_template_fill(const struct si_context *ctx, const struct pipe_generated *info, struct si_template *template)
{
   const struct pipe_token_layout *layout = info->layout;
   struct writer w = {.template = template,
                      .ctx = ctx,
                      .info = info,
                      .program = ctx->programs[layout->point],
                      .cur = template->words};

   template->num_ops = 0;
   if (!w.program || w.program->mesh != has_token(layout, MESH_TOKENS))
      return false;
   template->size = si_template_size(layout, w.program);
   put_data(&w);
   for (uint32_t i = 0; i < layout->num_tokens; i++)
      put_token[layout->tokens[i].kind](&w, &layout->tokens[i]);
   pad(&w, template->size.packets_dw);
   if (w.program->task)
      put_tasks(&w, &layout->tokens[layout->num_tokens - 1]);
   return true;
}
