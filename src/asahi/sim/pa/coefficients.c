/* Coefficient registers: planes of what varies over a primitive, as the pixel program's bindings ask for them. */
#include <stdio.h>
#include <string.h>

#include "asahi/sim/pa/pa.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

/* Slot 0 is W, and 1 is Z if it is asked for. */
static uint32_t
user_base(const struct agx_draw_state *s)
{
   return s->output_select.frag_coord_z ? 2 : 1;
}

static bool
is_flat(enum agx_shade_model model)
{
   return model != AGX_SHADE_MODEL_LINEAR && model != AGX_SHADE_MODEL_PERSPECTIVE;
}

static unsigned
flat_vertex(enum agx_shade_model model)
{
   return model == AGX_SHADE_MODEL_FLAT_VERTEX_0 ? 0 : model == AGX_SHADE_MODEL_FLAT_VERTEX_1 ? 1 : 2;
}

/* Whether the slot is bound as flat of that vertex, by any binding. */
static bool
is_bound_flat(const struct agx_draw_state *s, uint32_t slot, unsigned vertex)
{
   for (unsigned i = 0; i < s->cf->count; i++) {
      const struct agx_cf_binding *b = &s->cf->bindings[i];
      if (b->source == AGX_COEFFICIENT_SOURCE_VARYING && is_flat(b->shade_model) &&
          flat_vertex(b->shade_model) == vertex && slot >= b->base_slot && slot < b->base_slot + b->components)
         return true;
   }
   return false;
}

/* Three places say which vertex flat shading takes. A slot that has a register for that one may have registers for
 * the others, too (assumed: a binding says of which vertex it is; CULL and the VDM, for layers and viewports). */
static bool
check_flat(const struct agx_render *render, const struct agx_cf_binding *b)
{
   const struct agx_draw_state *s = render->state;
   unsigned cf = flat_vertex(b->shade_model), cull = (unsigned)s->cull.flat_shading_vertex - 1;
   unsigned vdm = (unsigned)s->vertex_unknown.flat_shading_control;
   if (b->source != AGX_COEFFICIENT_SOURCE_VARYING || render->draw->primitive == AGX_PRIMITIVE_POINTS)
      return true;
   return (cull == vdm && (cf == cull || is_bound_flat(s, b->base_slot, cull))) ||
          agx_draw_fault(render, "flat shading is of vertex %u to CF_BINDING, %u to CULL and %u to the VDM", cf, cull,
                         vdm);
}

/* ---- slots ---- */

/* By the header's count: later ones are pairs of 16 bits, and fill two registers each (assumed). */
static bool
is_pair(const struct agx_draw_state *s, uint32_t slot)
{
   return slot >= s->cf->header.slots_dw;
}

static uint32_t
word_of(const struct agx_render *render, uint32_t slot)
{
   return render->layout.user + slot - user_base(render->state);
}

static bool
is_user(const struct agx_render *render, uint32_t slot)
{
   uint32_t base = user_base(render->state);
   return slot >= base && slot - base < render->layout.user_words;
}

static uint32_t
slot_of(const struct agx_render *render, uint32_t word)
{
   return word - render->layout.user + user_base(render->state);
}

/* How many registers a binding fills. */
static uint32_t
register_count(const struct agx_draw_state *s, const struct agx_cf_binding *b)
{
   bool pairs = b->source == AGX_COEFFICIENT_SOURCE_VARYING && is_pair(s, b->base_slot);
   return b->components << pairs;
}

/* The header's count of 32-bit slots and the counts of words say the same. */
static bool
check_header(const struct agx_render *render)
{
   const struct agx_draw_state *s = render->state;
   uint32_t pairs = slot_of(render, render->layout.pairs), count = s->cf->header.slots_dw;
   if (count > pairs && s->output_select.varyings &&
       render->layout.pairs < render->layout.user + render->layout.user_words)
      return agx_draw_fault(render,
                            "slot %u, word %u of a vertex, is a pair of 16 bits to VARYING_COUNTS_16, and stands in "
                            "front of the %u slots of 32 bits that the CF_BINDING_HEADER counts",
                            pairs, render->layout.pairs, count);
   return count == pairs ||
          agx_draw_fault(
             render, "the CF_BINDING_HEADER counts %u slots of 32 bits, VARYING_COUNTS_32 and OUTPUT_SELECT make %u",
             count, pairs);
}

/* ---- bindings ---- */

enum group { GROUP_SMOOTH, GROUP_FLAT, GROUP_LINEAR };
static const char *const group_names[] = {"smooth", "flat", "linear"};

static enum group
group_of_model(enum agx_shade_model model)
{
   return is_flat(model) ? GROUP_FLAT : model == AGX_SHADE_MODEL_LINEAR ? GROUP_LINEAR : GROUP_SMOOTH;
}

static enum group
group_of_word(const struct agx_render *render, uint32_t word)
{
   const struct agx_draw_state *s = render->state;
   bool pair = word >= render->layout.pairs;
   uint32_t at = word - (pair ? render->layout.pairs : render->layout.user);
   uint32_t smooth = pair ? s->varying_counts_16.smooth : s->varying_counts_32.smooth;
   uint32_t flat = pair ? s->varying_counts_16.flat : s->varying_counts_32.flat;
   return at < smooth ? GROUP_SMOOTH : at < smooth + flat ? GROUP_FLAT : GROUP_LINEAR;
}

static bool
is_of_group(const struct agx_render *render, const struct agx_cf_binding *b, uint32_t slot)
{
   return !is_user(render, slot) || group_of_word(render, word_of(render, slot)) == group_of_model(b->shade_model);
}

/* Whether a register after the binding's first has what the binding says: drivers bind four components where two are
 * written [seen: Honeykrisp], and nobody knows what the others are. */
static bool
fills(const struct agx_render *render, const struct agx_cf_binding *b, uint32_t component)
{
   const struct agx_draw_state *s = render->state;
   uint32_t slot = b->base_slot + component;
   if (b->source != AGX_COEFFICIENT_SOURCE_VARYING)
      return true;
   return slot < user_base(s) + render->layout.user_words && is_pair(s, slot) == is_pair(s, b->base_slot) &&
          is_of_group(render, b, slot);
}

static bool
check_slots(const struct agx_render *render, const struct agx_cf_binding *b)
{
   const struct agx_draw_state *s = render->state;
   uint32_t slot = b->base_slot;
   if (slot && !s->output_select.varyings)
      return agx_draw_fault(render, "a CF_BINDING takes slot %u, and OUTPUT_SELECT has no varyings", slot);
   if (slot >= user_base(s) + render->layout.user_words)
      return agx_draw_fault(render, "a CF_BINDING takes slot %u of %u", slot,
                            user_base(s) + render->layout.user_words);
   if (!is_of_group(render, b, slot))
      return agx_draw_fault(
         render, "a CF_BINDING takes slot %u, word %u of a vertex, as %s, and VARYING_COUNTS has it among the %s",
         slot, word_of(render, slot), group_names[group_of_model(b->shade_model)],
         group_names[group_of_word(render, word_of(render, slot))]);
   return !is_flat(b->shade_model) || check_flat(render, b);
}

static bool
check_binding(const struct agx_render *render, const struct agx_cf_binding *b)
{
   const struct agx_draw_state *s = render->state;
   switch (b->source) {
   case AGX_COEFFICIENT_SOURCE_VARYING:
      return check_slots(render, b);
   case AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z:
      return s->output_select.frag_coord_z ||
             agx_draw_fault(render, "a CF_BINDING takes Z, which OUTPUT_SELECT does not ask for");
   case AGX_COEFFICIENT_SOURCE_POINT_COORD:
      return b->components <= 2 || agx_draw_fault(render, "point coordinates have two components");
   case AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID:
      return (s->cull_2.needs_primitive_id && s->vertex_unknown.generate_primitive_id) ||
             agx_draw_fault(render,
                            "a CF_BINDING takes the primitive's number, which CULL_2 or the VDM does not make");
   case AGX_COEFFICIENT_SOURCE_BARYCENTRIC_COORD:
      break;
   }
   return agx_draw_fault(render, "the model does not have barycentric coordinates");
}

/* taken: by the bindings so far. */
static bool
check_registers(const struct agx_render *render, const struct agx_cf_binding *b,
                uint32_t taken[AGX_COEFFICIENT_WORDS])
{
   const struct agx_draw_state *s = render->state;
   uint32_t first = b->base_coefficient_register, end = first + register_count(s, b);
   uint32_t count = s->cf->header.coefficient_registers;
   if (end > count)
      return agx_draw_fault(render, "a CF_BINDING fills coefficient registers %u to %u of %u", first, end - 1, count);
   for (uint32_t r = first; r < end; r++) {
      if (taken[r / 32] >> r % 32 & 1)
         return agx_draw_fault(render, "coefficient register %u is filled by two CF_BINDINGs", r);
      taken[r / 32] |= 1u << r % 32;
   }
   return true;
}

bool
agx_coefficients_check(const struct agx_render *render)
{
   const struct agx_draw_state *s = render->state;
   uint32_t taken[AGX_COEFFICIENT_WORDS] = {0};
   if (s->cf && !check_header(render))
      return false;
   for (unsigned i = 0; s->cf && i < s->cf->count; i++) {
      if (!check_binding(render, &s->cf->bindings[i]) || !check_registers(render, &s->cf->bindings[i], taken))
         return false;
   }
   return true;
}

void
agx_coefficients_bound(const struct agx_render *render, uint32_t bound[AGX_COEFFICIENT_WORDS])
{
   const struct agx_draw_state *s = render->state;
   memset(bound, 0, AGX_COEFFICIENT_WORDS * sizeof(*bound));
   for (unsigned i = 0; s->cf && i < s->cf->count; i++) {
      const struct agx_cf_binding *b = &s->cf->bindings[i];
      uint32_t each = register_count(s, b) / b->components;
      for (uint32_t k = 0; k < b->components * each; k++) {
         uint32_t r = b->base_coefficient_register + k;
         if (fills(render, b, k / each))
            bound[r / 32] |= 1u << r % 32;
      }
   }
}

void
agx_coefficients_unbind(const struct agx_render *render, uint32_t bound[AGX_COEFFICIENT_WORDS])
{
   const struct agx_draw_state *s = render->state;
   for (unsigned i = 0; s->cf && i < s->cf->count; i++) {
      const struct agx_cf_binding *b = &s->cf->bindings[i];
      for (uint32_t k = 0; b->source == AGX_COEFFICIENT_SOURCE_VARYING && k < b->components; k++) {
         bool pair = is_pair(s, b->base_slot);
         uint32_t r = b->base_coefficient_register + (k << pair);
         if (!is_user(render, b->base_slot + k) || !render->unwritten[word_of(render, b->base_slot + k)])
            continue;
         for (uint32_t end = r + 1 + pair; r < end; r++)
            bound[r / 32] &= ~(1u << r % 32);
      }
   }
}

/* ---- planes ---- */

/* sum of weight[i] * plane of vertex i */
static struct agx_wave_coefficients
weigh(const struct agx_prim_planes *p, const double weight[3])
{
   double v[3];
   for (unsigned k = 0; k < 3; k++)
      v[k] = p->lambda[0][k] * weight[0] + p->lambda[1][k] * weight[1] + p->lambda[2][k] * weight[2];
   return (struct agx_wave_coefficients){(float)v[0], (float)v[1], (float)v[2]};
}

static struct agx_wave_coefficients
plane_of(const double v[3])
{
   return (struct agx_wave_coefficients){(float)v[0], (float)v[1], (float)v[2]};
}

/* A slot: which word it is, and which half of it. */
struct part {
   uint32_t word;
   bool is_half, high;
};

static uint32_t
bits_of(const struct agx_render *render, uint32_t vertex, struct part part)
{
   uint32_t bits;
   memcpy(&bits, agx_vertex(render, vertex) + part.word, 4);
   return part.is_half ? bits >> (part.high ? 16 : 0) & 0xffff : bits;
}

static double
value_of(const struct agx_render *render, uint32_t vertex, struct part part)
{
   uint32_t bits = bits_of(render, vertex, part);
   return part.is_half ? (double)sim_half_to_float((uint16_t)bits) : (double)bits_float(bits);
}

/* The bits stand in c; those of vertex 1, which drivers ask for only in fans, in b [seen: what programs read, of the
 * primitive's number too]. */
static struct agx_wave_coefficients
flat_bits(enum agx_shade_model model, uint32_t bits)
{
   struct agx_wave_coefficients v = {0};
   memcpy(model == AGX_SHADE_MODEL_FLAT_VERTEX_1 ? &v.b : &v.c, &bits, 4);
   return v;
}

/* Of 16 bits the upper half is zero (assumed). */
static struct agx_wave_coefficients
flat(const struct agx_render *render, const struct agx_prim_in *in, enum agx_shade_model model, struct part part)
{
   const unsigned vertex = MIN2(flat_vertex(model), (unsigned)in->last);
   return flat_bits(model, bits_of(render, in->vertex[vertex], part));
}

static struct agx_wave_coefficients
user_varying(const struct agx_render *render, const struct agx_prim_in *in, const struct agx_prim_planes *p,
             enum agx_shade_model model, struct part part)
{
   if (is_flat(model))
      return flat(render, in, model, part);
   double weight[3];
   for (unsigned i = 0; i < 3; i++) {
      weight[i] = value_of(render, in->vertex[i], part);
      if (model == AGX_SHADE_MODEL_LINEAR)
         weight[i] *= p->w[i];
   }
   return weigh(p, weight);
}

/* One slot: a register, or two of a pair, the lower half first (assumed). */
static void
set_slot(const struct agx_render *render, const struct agx_prim_in *in, const struct agx_prim_planes *p,
         enum agx_shade_model model, uint32_t slot, struct agx_wave_coefficients *to)
{
   const double ones[3] = {1.0, 1.0, 1.0};
   bool pair = is_pair(render->state, slot);
   if (slot == 0) {
      to[0] = weigh(p, ones);
   } else if (!is_user(render, slot)) {
      to[0] = plane_of(p->z);
   } else {
      uint32_t word = word_of(render, slot);
      for (unsigned i = 0; i < 1u + pair; i++)
         to[i] = user_varying(render, in, p, model, (struct part){word, pair, i});
   }
}

void
agx_coefficients_set(const struct agx_render *render, const struct agx_prim_in *in, const struct agx_prim_planes *p,
                     struct agx_wave_coefficients *out)
{
   const struct agx_cf_list *cf = render->state->cf;
   for (unsigned i = 0; cf && i < cf->count; i++) {
      const struct agx_cf_binding *b = &cf->bindings[i];
      for (uint32_t k = 0; k < b->components; k++) {
         struct agx_wave_coefficients *to = &out[b->base_coefficient_register + k];
         if (!fills(render, b, k))
            continue;
         switch (b->source) {
         case AGX_COEFFICIENT_SOURCE_VARYING:
            set_slot(render, in, p, b->shade_model, b->base_slot + k,
                     to + (is_pair(render->state, b->base_slot) ? k : 0));
            break;
         case AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z:
            *to = plane_of(p->z);
            break;
         case AGX_COEFFICIENT_SOURCE_POINT_COORD:
            *to = plane_of(p->point_coord[k]);
            break;
         case AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID:
            *to = flat_bits(b->shade_model, in->number);
            break;
         case AGX_COEFFICIENT_SOURCE_BARYCENTRIC_COORD:
            break; /* refused by agx_coefficients_check() */
         }
      }
   }
}
