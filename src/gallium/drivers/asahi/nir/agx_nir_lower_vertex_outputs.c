/* Outputs of the vertex shader become the words of the vertex (agx_varyings.h). */
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "util/macros.h"
#include "util/mutant.h"

struct outputs {
   struct nir_builder b;
   struct nir_def *value[NIR_SLOT_COUNT][4]; /* of 32 or 16 bits; NULL: not written */
   uint8_t type[NIR_SLOT_COUNT][4];          /* enum nir_base_type */
};

static bool
take_store(struct outputs *o, struct nir_intrinsic_instr *store, const struct nir_block *last, const char **error)
{
   unsigned slot = nir_intrinsic_slot(store), component = nir_intrinsic_component(store);
   uint32_t mask = nir_intrinsic_write_mask(store);
   struct nir_builder b = nir_builder_at(o->b.shader, nir_before_instr(&store->instr));

   if (store->instr.block != last || !nir_src_is_const(store->src[1])) {
      *error = "outputs of a vertex shader that are not all written at its end, at fixed places";
      return false;
   }
   slot += (unsigned)nir_src_comp_as_uint(store->src[1], 0);
   for (unsigned i = 0; i < store->src[0].def->num_components; i++) {
      if (mask >> i & 1) {
         o->value[slot][component + i] = nir_channel(&b, store->src[0].def, i);
         o->type[slot][component + i] = (uint8_t)nir_intrinsic_src_type(store);
      }
   }
   nir_instr_remove(&store->instr);
   return true;
}

static void
store_word(struct outputs *o, unsigned word, struct nir_def *value)
{
   nir_store_var_agx(&o->b, value ? value : nir_imm_int(&o->b, 0), .base = (int32_t)word);
}

/* A value that has a word for itself: planes are of floats of 32 bits, flat values the bits that they are. */
static struct nir_def *
whole_word(struct outputs *o, unsigned slot, unsigned i, bool flat)
{
   struct nir_def *value = o->value[slot][i];

   if (!value || value->bit_size == 32)
      return value;
   return flat ? nir_u2uN(&o->b, value, 32) : nir_f2fN(&o->b, value, 32);
}

/* Where nobody knows how it is read: numbers are extended as such. */
static struct nir_def *
extended_word(struct outputs *o, unsigned slot, unsigned i)
{
   struct nir_def *value = o->value[slot][i];

   if (!value || value->bit_size == 32)
      return value;
   if (o->type[slot][i] == NIR_TYPE_FLOAT)
      return nir_f2fN(&o->b, value, 32);
   return o->type[slot][i] == NIR_TYPE_INT ? nir_i2iN(&o->b, value, 32) : nir_u2uN(&o->b, value, 32);
}

/* A slot whose place is found when programs are linked: what it has lies side by side. */
static void
store_linked_slot(struct outputs *o, unsigned slot, unsigned link_word)
{
   struct nir_builder *b = &o->b;
   struct nir_def *word = nir_u2uN(b, agx_nir_arg(b, AGX_TABLE_LINK, link_word, 1), 16);

   for (unsigned i = 0, distance = 0; i < 4; i++) {
      struct nir_def *value = extended_word(o, slot, i);

      if (value)
         nir_store_var_at_agx(b, value, nir_iadd_imm(b, word, distance++));
   }
}

static struct nir_def *
half_of(struct outputs *o, unsigned slot, unsigned i)
{
   struct nir_def *value = o->value[slot][i];

   if (!value)
      return nir_imm_intN(&o->b, 0, 16);
   if (value->bit_size == 16)
      return value;
   return o->type[slot][i] == NIR_TYPE_FLOAT ? nir_f2fN(&o->b, value, 16) : nir_u2uN(&o->b, value, 16);
}

static void
store_user_words(struct outputs *o, const struct agx_vertex_words *w)
{
   struct nir_def *low[UINT8_MAX + 1] = {0}, *high[UINT8_MAX + 1] = {0};

   for (unsigned slot = 0; slot < AGX_SLOT_COUNT; slot++) {
      unsigned from = slot < NIR_SLOT_COUNT ? slot : NIR_SLOT_POS;

      if (slot < NIR_SLOT_COUNT && w->linked[slot])
         store_linked_slot(o, slot, w->linked[slot]);
      for (unsigned i = 0; i < 4; i++) {
         unsigned word = w->word[slot][i];

         if (!word)
            continue;
         if (!(w->half.slot[slot] >> i & 1))
            store_word(o, word, whole_word(o, from, i, w->flat.slot[slot] >> i & 1));
         else if (w->high.slot[slot] >> i & 1)
            high[word] = half_of(o, slot, i);
         else
            low[word] = half_of(o, slot, i);
      }
   }
   unsigned pairs = w->counts_16.smooth + w->counts_16.flat + w->counts_16.linear;
   bool turned = mutant("agx-halves-turned");

   for (unsigned word = 0; word < ARRAY_SIZE(low); word++) {
      if (!low[word] || (!--pairs && mutant("agx-varying-unwritten")))
         continue;
      struct nir_def *pair = nir_vec2(&o->b, turned ? high[word] : low[word], turned ? low[word] : high[word]);

      store_word(o, word, nir_pack_32_2x16(&o->b, pair));
   }
}

/* Low half layer, high half viewport. */
static struct nir_def *
layer_viewport(struct outputs *o)
{
   struct nir_builder *b = &o->b;
   struct nir_def *layer = o->value[NIR_SLOT_LAYER][0], *viewport = o->value[NIR_SLOT_VIEWPORT][0];

   layer = layer ? nir_iand_imm(b, layer, 0xffff) : nir_imm_int(b, 0);
   return viewport ? nir_ior(b, layer, nir_ishl_imm(b, viewport, 16)) : layer;
}

static void
store_special_words(struct outputs *o, const struct agx_vertex_words *w)
{
   struct nir_builder *b = &o->b;

   for (unsigned i = 0; i < w->num_cull; i++) {
      struct nir_def *distance = o->value[NIR_SLOT_CULL_DIST0 + i / 4][i % 4];
      struct nir_def *in = distance ? nir_fge_imm(b, distance, 0) : nir_imm_bool(b, true);

      store_word(o, w->cull_word[i], nir_b2fN(b, in, 32));
   }
   if (w->point_size)
      store_word(o, w->point_size, o->value[NIR_SLOT_PSIZ][0] ? o->value[NIR_SLOT_PSIZ][0] : nir_imm_float(b, 1));
   if (w->layer_viewport)
      store_word(o, w->layer_viewport, layer_viewport(o));
   for (unsigned i = 0; i < w->num_clip; i++)
      store_word(o, w->clip + i, o->value[NIR_SLOT_CLIP_DIST0 + i / 4][i % 4]);
}

bool
agx_nir_lower_vertex_outputs(struct nir_shader *shader, const struct agx_vertex_words *words, const char **error)
{
   struct outputs o = {0};
   struct nir_block *last = nir_cf_list_last(&shader->body);

   o.b = nir_builder_at(shader, nir_after_block(last));
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_output &&
             !take_store(&o, nir_as_intrinsic(instr), last, error))
            return false;
      }
   }
   o.b.cursor = nir_after_block(last);
   for (unsigned i = 0; i < 4; i++)
      store_word(&o, i, o.value[NIR_SLOT_POS][i]);
   store_user_words(&o, words);
   store_special_words(&o, words);
   return true;
}

static struct nir_def *
sysval(struct nir_builder *b, enum nir_intrinsic_op op)
{
   switch ((int)op) {
   case NIR_INTRINSIC_load_vertex_id:
      return nir_load_vertex_id_zero_base(b); /* what the compiler calls so has the base: agx.h */
   case NIR_INTRINSIC_load_base_vertex:
      return agx_nir_arg(b, AGX_TABLE_DRAW, 0, 1);
   case NIR_INTRINSIC_load_base_instance:
      return agx_nir_arg(b, AGX_TABLE_DRAW, 1, 1);
   case NIR_INTRINSIC_load_draw_id:
      return agx_nir_arg(b, AGX_TABLE_STAGE, AGX_GRAPHICS_DRAW_ID, 1);
   default: /* others: as they are */
      return NULL;
   }
}

void
agx_nir_lower_vertex_sysvals(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         struct nir_def *value = sysval(&b, nir_as_intrinsic(instr)->op);
         if (!value)
            continue;
         nir_def_replace(&nir_as_intrinsic(instr)->def, value);
         nir_instr_remove(instr);
      }
   }
}
