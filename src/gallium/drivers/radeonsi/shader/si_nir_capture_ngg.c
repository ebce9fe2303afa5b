/* Transform feedback of NGG on GFX11, by the program itself:
 *
 *    threads of vertices: the shader; what is captured goes to LDS
 *    the first wave, when it is its subgroup's turn: takes room in the buffers, counts, and passes the turn on
 *    threads of primitives: store those that there is room for, vertex by vertex
 *
 * The registers that hand out room count bytes here. A subgroup takes its turn whether it captures or not: those
 * after it wait for its number. Sources: RDNA 3 ISA; RADV for the order of the steps. */
#include <string.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/radeonsi/shader/si_nir_xfb.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/macros.h"

/* In LDS: primitives that fit, each buffer's byte of the first one, then the vertices. */
enum { FITTING_B = SI_XFB_LDS_B, VERTICES_B = FITTING_B + SI_XFB_TURN_B };

/* Registers of 32 bits, then pairs of 64 bits for each stream: primitives needed and written. */
enum { REG_ROOM = 0, REG_NEEDED = 8, REG_WRITTEN = 9, REG_STREAM_STEP = 2 };

struct capture {
   struct nir_builder b;
   const struct si_nir_options *options;
   const struct nir_xfb *xfb;
   struct nir_def *lane, *thread, *wave, *vertices, *primitives; /* of the wave */
   struct nir_def *subgroup;                                     /* its number, and how many primitives it has */
   struct nir_def *corners, *active;                             /* of a primitive; 1: transform feedback is on */
   struct nir_intrinsic_instr *stores[4 * NIR_SLOT_COUNT];       /* of outputs */
   unsigned num_stores;
   struct nir_def *values[NIR_SLOT_COUNT][4]; /* in vertices' threads */
   uint32_t vertex_B;                         /* in LDS */
};

static struct nir_def *
bits(struct nir_builder *b, struct nir_def *word, unsigned first, unsigned count)
{
   return nir_iand_imm(b, nir_ushr_imm(b, word, first), (1u << count) - 1);
}

static struct nir_def *
sgpr(struct capture *c, unsigned number)
{
   return nir_load_scalar_arg(&c->b, 1, .base = (int32_t)number);
}

static void
read_arguments(struct capture *c)
{
   struct nir_builder *b = &c->b;
   struct nir_def *wave = sgpr(c, c->options->xfb_sgpr + 1u), *state = sgpr(c, SI_SGPR_VS_XFB_PRIMITIVE);

   c->subgroup = sgpr(c, c->options->xfb_sgpr);
   c->lane = nir_load_subgroup_invocation(b);
   c->wave = bits(b, wave, 24, 4);
   c->thread = nir_iadd(b, nir_imul_imm(b, c->wave, c->options->wave_size), c->lane);
   c->vertices = bits(b, wave, 0, 8);
   c->primitives = bits(b, wave, 8, 8);
   c->corners = bits(b, state, 0, 2);
   c->active = bits(b, state, 8, 1);
}

/* Puts the whole shader into a branch for threads of vertices. The cursor is after it. */
static struct nir_if *
wrap_body(struct capture *c)
{
   struct nir_shader *shader = c->b.shader;
   struct nir_block *block = nir_block_create(shader);
   struct list_head body;

   list_init(&body);
   list_append_all(&body, &shader->body);
   nir_cf_link(&block->cf, NULL, &shader->body, &shader->body);
   c->b.cursor = nir_after_block(block);
   read_arguments(c);
   struct nir_if *nif = nir_push_if(&c->b, nir_ult(&c->b, c->lane, c->vertices));

   list_init(&nif->then_list);
   list_append_all(&nif->then_list, &body);
   for (struct nir_cf_node *node = &nir_cf_list_first(&nif->then_list)->cf; node; node = nir_cf_next(node)) {
      node->parent = &nif->cf;
      node->list = &nif->then_list;
   }
   return nif;
}

static void
remember(struct capture *c, struct nir_intrinsic_instr *store)
{
   const unsigned slot = nir_intrinsic_slot(store) + (unsigned)nir_src_comp_as_uint(store->src[1], 0);

   c->stores[c->num_stores++] = store;
   c->b.cursor = nir_before_instr(&store->instr);
   for (unsigned i = 0; i < store->src[0].def->num_components; i++) {
      if (nir_intrinsic_write_mask(store) >> i & 1)
         c->values[slot][nir_intrinsic_component(store) + i] = nir_channel(&c->b, store->src[0].def, i);
   }
}

static void
find_stores(struct capture *c)
{
   nir_foreach_block(block, c->b.shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_output &&
             c->num_stores < ARRAY_SIZE(c->stores))
            remember(c, nir_as_intrinsic(instr));
      }
   }
}

/* What is captured has its place in LDS by its number among all that is. */
static void
put_vertex(struct capture *c)
{
   struct nir_builder *b = &c->b;
   struct nir_def *at = nir_iadd_imm(b, nir_imul_imm(b, c->thread, c->vertex_B), VERTICES_B);
   uint32_t next_B = 0;

   for (unsigned i = 0; i < c->xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &c->xfb->outputs[i];

      for (unsigned n = 0; n < out->count; n++, next_B += 4) {
         if (c->values[out->slot][out->component + n])
            nir_store_shared(b, c->values[out->slot][out->component + n], at, .base = (int32_t)next_B,
                             .write_mask = 1, .align_mul = 4);
      }
   }
}

static void
group_barrier(struct nir_builder *b)
{
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
               .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SHARED);
}

static struct nir_def *
add_register(struct nir_builder *b, unsigned number, struct nir_def *summand)
{
   return nir_read_first_invocation(b, nir_add_gs_register_amd(b, summand, .base = (int32_t)number));
}

/* Those of the stream for which every buffer has room; it is given back for the others. */
static struct nir_def *
take_room(struct nir_builder *b, const struct si_xfb_turn *turn, unsigned stream)
{
   const struct nir_xfb *xfb = &b->shader->info.xfb;
   struct nir_def *primitives = turn->primitives[stream], *fitting = primitives, *primitive_B[NIR_XFB_BUFFERS];

   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (!(xfb->buffers >> i & 1) || xfb->streams[i] != stream)
         continue;
      struct nir_def *size = nir_read_first_invocation(b, nir_channel(b, turn->places->buffer[i], 2));

      primitive_B[i] = nir_imul_imm(b, turn->corners, xfb->stride_B[i]);
      struct nir_def *first = add_register(b, REG_ROOM + i, nir_imul(b, primitives, primitive_B[i]));
      struct nir_def *left = nir_isub(b, nir_umax(b, size, first), first);

      fitting = nir_umin(b, fitting, nir_udiv(b, left, primitive_B[i]));
      nir_store_shared(b, first, nir_imm_int(b, (int32_t)SI_XFB_PLACE_B(turn->lds_B, i)), .write_mask = 1,
                       .align_mul = 4);
   }
   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (xfb->buffers >> i & 1 && xfb->streams[i] == stream)
         add_register(b, REG_ROOM + i, nir_imul(b, nir_isub(b, fitting, primitives), primitive_B[i]));
   }
   return fitting;
}

/* A stream without buffers writes nothing. */
static void
count_stream(struct nir_builder *b, const struct si_xfb_turn *turn, unsigned stream)
{
   const bool captured = nir_xfb_captures(&b->shader->info.xfb, stream);
   struct nir_def *fitting = captured ? take_room(b, turn, stream) : nir_imm_int(b, 0);

   add_register(b, REG_NEEDED + REG_STREAM_STEP * stream, turn->primitives[stream]);
   if (captured)
      add_register(b, REG_WRITTEN + REG_STREAM_STEP * stream, fitting);
   nir_store_shared(b, fitting, nir_imm_int(b, (int32_t)SI_XFB_FITTING_B(turn->lds_B, stream)), .write_mask = 1,
                    .align_mul = 4);
}

void
si_xfb_take_turn(struct nir_builder *b, const struct si_xfb_turn *turn)
{
   struct nir_def *number = nir_iand_imm(b, turn->subgroup, 0xfff);

   nir_push_if(b, nir_ieq_imm(b, turn->wave, 0));
   nir_await_subgroups_amd(b, number);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (turn->primitives[s])
         count_stream(b, turn, s);
   }
   nir_release_subgroups_amd(b, number);
   nir_pop_if(b, NULL);
}

static struct nir_def *
load_lds(struct nir_builder *b, uint32_t at_B)
{
   return nir_load_shared(b, 1, 32, nir_imm_int(b, (int32_t)at_B), .align_mul = 4);
}

/* Vertex k of the lane's primitive. */
static void
store_vertex(struct capture *c, unsigned k, struct si_xfb_places *places)
{
   struct nir_builder *b = &c->b;
   struct nir_def *corner = bits(b, nir_load_vector_arg(b, 1, .base = 0), 10 * k, 9);
   struct nir_def *at = nir_iadd_imm(b, nir_imul_imm(b, corner, c->vertex_B), VERTICES_B);
   struct nir_def *number = nir_iadd_imm(b, nir_imul(b, c->thread, c->corners), k);
   uint32_t next_B = 0;

   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (c->xfb->buffers >> i & 1)
         places->offset_B[i] =
            nir_iadd(b, load_lds(b, SI_XFB_PLACE_B(FITTING_B, i)), nir_imul_imm(b, number, c->xfb->stride_B[i]));
   }
   for (unsigned i = 0; i < c->xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &c->xfb->outputs[i];
      struct nir_def *values[4] = {NULL};

      for (unsigned n = 0; n < out->count; n++, next_B += 4) {
         if (c->values[out->slot][out->component + n])
            values[n] = nir_load_shared(b, 1, 32, at, .base = (int32_t)next_B, .align_mul = 4);
      }
      for (unsigned first = 0; first < out->count;)
         first += si_xfb_store(b, out, values, first, places);
   }
}

static void
store_primitives(struct capture *c, struct si_xfb_places *places)
{
   struct nir_builder *b = &c->b;

   nir_push_if(b, nir_iand(b, nir_ult(b, c->lane, c->primitives), nir_ult(b, c->thread, load_lds(b, FITTING_B))));
   for (unsigned k = 0; k < 3; k++) {
      if (k)
         nir_push_if(b, nir_ult(b, nir_imm_int(b, (int32_t)k), c->corners));
      store_vertex(c, k, places);
   }
   nir_pop_if(b, NULL);
   nir_pop_if(b, NULL);
   nir_pop_if(b, NULL);
}

/* Out of the branch. */
static void
move_store(struct nir_builder *b, struct nir_if *nif, struct nir_intrinsic_instr *store)
{
   struct nir_def *value = store->src[0].def;
   struct nir_block *after = nir_cf_block_after(&nif->cf);

   b->cursor = nir_after_block(nir_cf_list_last(&nif->else_list));
   struct nir_def *nothing = nir_undef(b, value->num_components, value->bit_size);

   b->cursor = nir_before_block(after);
   struct nir_def *phi = nir_if_phi(b, value, nothing);

   b->cursor = nir_after_block(after);
   struct nir_def *srcs[] = {phi, nir_imm_int(b, (int32_t)nir_src_comp_as_uint(store->src[1], 0))};

   struct nir_intrinsic_instr *moved =
      nir_build_intrinsic(b, NIR_INTRINSIC_store_output, value->num_components, 0, srcs, NULL);

   memcpy(moved->index, store->index, sizeof(moved->index));
   nir_instr_remove(&store->instr);
}

uint32_t
si_nir_xfb_vertex_B(const struct nir_xfb *xfb)
{
   uint32_t size_B = 0;

   for (unsigned i = 0; i < xfb->num_outputs; i++)
      size_B += 4u * xfb->outputs[i].count;
   return size_B;
}

void
si_nir_capture_ngg(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct capture c = {.b = {.shader = shader}, .options = options, .xfb = &shader->info.xfb};
   struct si_xfb_places places;

   c.vertex_B = si_nir_xfb_vertex_B(c.xfb);
   shader->info.shared_B = VERTICES_B + c.vertex_B * si_ngg_vertices(c.xfb);
   find_stores(&c);
   struct nir_if *body = wrap_body(&c);

   c.b.cursor = nir_after_block(nir_cf_list_last(&body->then_list));
   put_vertex(&c);
   nir_pop_if(&c.b, body);
   for (unsigned i = 0; i < c.num_stores; i++)
      move_store(&c.b, body, c.stores[i]);
   si_xfb_load_buffers(&c.b, options, &places);
   si_xfb_take_turn(&c.b, &(struct si_xfb_turn){
                             .lds_B = FITTING_B,
                             .subgroup = c.subgroup,
                             .wave = c.wave,
                             .primitives = {nir_imul(&c.b, bits(&c.b, c.subgroup, 22, 9), c.active)},
                             .corners = c.corners,
                             .places = &places,
                          });
   group_barrier(&c.b);
   store_primitives(&c, &places);
}
