/* Coefficient registers: planes of what varies over a primitive, as the pixel program's bindings ask for them. */
#include <string.h>

#include "asahi/sim/draw/pipeline.h"

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

/* Three places say which vertex flat shading takes. */
static bool
check_flat(const struct agx_render *render, const struct agx_cf_binding *b)
{
   const struct agx_draw_state *s = render->state;
   unsigned cf = flat_vertex(b->shade_model), cull = (unsigned)s->cull.flat_shading_vertex - 1;
   unsigned vdm = (unsigned)s->vertex_unknown.flat_shading_control;
   if (b->source != AGX_COEFFICIENT_SOURCE_VARYING || render->draw->primitive == AGX_PRIMITIVE_POINTS)
      return true;
   return (cf == cull && cf == vdm) ||
          agx_draw_fault(render, "flat shading is of vertex %u to CF_BINDING, %u to CULL and %u to the VDM", cf, cull,
                         vdm);
}

static bool
check_binding(const struct agx_render *render, const struct agx_cf_binding *b)
{
   const struct agx_draw_state *s = render->state;
   const struct agx_cf_binding_header *header = &s->cf->header;
   if (b->base_coefficient_register + b->components > header->coefficient_registers)
      return agx_draw_fault(render, "a CF_BINDING fills coefficient registers %u to %u of %u",
                            b->base_coefficient_register, b->base_coefficient_register + b->components - 1,
                            header->coefficient_registers);
   switch (b->source) {
   case AGX_COEFFICIENT_SOURCE_VARYING:
      /* Components beyond the slots: see agx_coefficients_set(). */
      if (b->base_slot >= user_base(s) + render->layout.user_words || b->base_slot >= header->slots_dw)
         return agx_draw_fault(render, "a CF_BINDING takes slots from %u on, of %u", b->base_slot, header->slots_dw);
      return !is_flat(b->shade_model) || check_flat(render, b);
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

bool
agx_coefficients_check(const struct agx_render *render)
{
   const struct agx_draw_state *s = render->state;
   for (unsigned i = 0; s->cf && i < s->cf->count; i++) {
      if (!check_binding(render, &s->cf->bindings[i]))
         return false;
   }
   return true;
}

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

/* The value stands in c; that of vertex 1, which drivers ask for in fans alone, in b [seen: what programs read]. */
static struct agx_wave_coefficients
flat(const struct agx_render *render, const struct agx_prim_in *in, enum agx_shade_model model, uint32_t word)
{
   struct agx_wave_coefficients v = {0};
   unsigned vertex = flat_vertex(model);
   if (vertex > in->last)
      vertex = in->last;
   float value = agx_vertex(render, in->vertex[vertex])[word];
   if (model == AGX_SHADE_MODEL_FLAT_VERTEX_1)
      v.b = value;
   else
      v.c = value;
   return v;
}

static struct agx_wave_coefficients
varying(const struct agx_render *render, const struct agx_prim_in *in, const struct agx_prim_planes *p,
        enum agx_shade_model model, uint32_t slot)
{
   const double ones[3] = {1.0, 1.0, 1.0};
   uint32_t base = user_base(render->state);
   if (slot == 0)
      return weigh(p, ones);
   if (slot < base)
      return plane_of(p->z);
   uint32_t word = render->layout.user + slot - base;
   if (is_flat(model))
      return flat(render, in, model, word);
   double weight[3];
   for (unsigned i = 0; i < 3; i++) {
      weight[i] = (double)agx_vertex(render, in->vertex[i])[word];
      if (model == AGX_SHADE_MODEL_LINEAR)
         weight[i] *= p->w[i];
   }
   return weigh(p, weight);
}

void
agx_coefficients_set(const struct agx_render *render, const struct agx_prim_in *in, const struct agx_prim_planes *p,
                     struct agx_wave_coefficients *out)
{
   const struct agx_cf_list *cf = render->state->cf;
   uint32_t slots = user_base(render->state) + render->layout.user_words;
   struct agx_wave_coefficients number = {0};
   memcpy(&number.c, &in->number, 4);
   for (unsigned i = 0; cf && i < cf->count; i++) {
      const struct agx_cf_binding *b = &cf->bindings[i];
      for (uint32_t k = 0; k < b->components; k++) {
         struct agx_wave_coefficients *to = &out[b->base_coefficient_register + k];
         switch (b->source) {
         case AGX_COEFFICIENT_SOURCE_VARYING:
            if (b->base_slot + k >= slots)
               break; /* nobody knows what is there, and no program should look */
            *to = varying(render, in, p, b->shade_model, b->base_slot + k);
            break;
         case AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z:
            *to = plane_of(p->z);
            break;
         case AGX_COEFFICIENT_SOURCE_POINT_COORD:
            *to = plane_of(p->point_coord[k]);
            break;
         case AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID:
            *to = number;
            break;
         case AGX_COEFFICIENT_SOURCE_BARYCENTRIC_COORD:
            break; /* refused by agx_coefficients_check() */
         }
      }
   }
}
