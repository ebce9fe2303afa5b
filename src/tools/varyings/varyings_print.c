/* The table of words, slots and registers, as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include "compiler/nir/nir_text.h"
#include "tools/varyings/varyings.h"
#include "util/macros.h"

#define POSITION_WORDS 4

static const char *const interp_names[] = {
   [NIR_INTERP_SMOOTH] = "smooth", [NIR_INTERP_FLAT] = "flat", [NIR_INTERP_NOPERSPECTIVE] = "linear"};

static void
name_value(struct varyings_value *v)
{
   if (v->slot >= NIR_SLOT_VAR0 && v->slot <= NIR_SLOT_VAR31)
      snprintf(v->name, sizeof(v->name), "location %u.%c", v->slot - NIR_SLOT_VAR0, "xyzw"[v->component]);
   else if (v->slot >= NIR_SLOT_COUNT)
      snprintf(v->name, sizeof(v->name), "%s.%c", v->slot == AGX_SLOT_PLACE ? "place" : "corner",
               "xyzw"[v->component]);
   else
      snprintf(v->name, sizeof(v->name), "%s.%c", nir_slot_words.words[v->slot], "xyzw"[v->component]);
}

static struct varyings_word
fixed_word(const char *kind, const char *name, unsigned number)
{
   struct varyings_word w = {.count = 1, .kind = kind, .hardware_slot = -1};
   w.values[0].slot = AGX_SLOT_COUNT;
   snprintf(w.values[0].name, sizeof(w.values[0].name), name, number);
   return w;
}

/* A user word: of which values. */
static void
find_values(const struct varyings_view *view, unsigned word, struct varyings_word *w)
{
   const struct agx_vertex_words *v = &view->link.vertex;
   for (unsigned slot = 0; slot < AGX_SLOT_COUNT; slot++) {
      for (unsigned i = 0; i < 4; i++) {
         if (v->word[slot][i] != word)
            continue;
         struct varyings_value *value = &w->values[v->high.slot[slot] >> i & 1];
         *value = (struct varyings_value){
            .slot = (uint8_t)slot, .component = (uint8_t)i, .cf = view->link.fragment.cf[slot][i]};
         for (unsigned k = 0; k < 2; k++)
            value->vertex_cf[k] = view->link.fragment.vertex_cf[k][slot][i];
         name_value(value);
         w->half = v->half.slot[slot] >> i & 1;
         w->kind = interp_names[view->interp[slot]];
         w->count++;
      }
   }
}

struct varyings_word
varyings_word(const struct varyings_view *view, unsigned word)
{
   const struct agx_vertex_words *v = &view->link.vertex;
   if (word < POSITION_WORDS)
      return fixed_word("position", word == 0 ? "x" : word == 1 ? "y" : word == 2 ? "z" : "w", 0);
   if (word == v->point_size)
      return fixed_word("point size", "point size", 0);
   if (word == v->layer_viewport)
      return fixed_word("target", "layer, viewport", 0);
   if (v->clip && word >= v->clip)
      return fixed_word("clip", "clip distance %u", word - v->clip);
   struct varyings_word w = {.hardware_slot = (int)(word - POSITION_WORDS + (view->frag_coord_z ? 2 : 1))};
   for (unsigned i = 0; i < v->num_cull; i++) {
      if (v->cull_word[i] == word) {
         int slot = w.hardware_slot;
         w = fixed_word("linear", "inside of cull distance %u", i);
         w.values[0].cf = view->link.fragment.cull_cf[i];
         w.hardware_slot = slot;
         return w;
      }
   }
   find_values(view, word, &w);
   return w;
}

const char *
varyings_source_name(const struct agx_cf_binding *binding)
{
   switch (binding->source) {
   case AGX_COEFFICIENT_SOURCE_VARYING:
      return binding->base_slot ? "varying" : "W";
   case AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z:
      return "Z";
   case AGX_COEFFICIENT_SOURCE_POINT_COORD:
      return "point coordinate";
   case AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID:
      return "primitive";
   case AGX_COEFFICIENT_SOURCE_BARYCENTRIC_COORD:
      return "barycentric";
   }
   return "?";
}

const char *
varyings_model_name(const struct agx_cf_binding *binding)
{
   switch (binding->shade_model) {
   case AGX_SHADE_MODEL_FLAT_VERTEX_0:
      return "flat, vertex 0";
   case AGX_SHADE_MODEL_FLAT_VERTEX_1:
      return "flat, vertex 1";
   case AGX_SHADE_MODEL_FLAT_VERTEX_2:
      return "flat, vertex 2";
   case AGX_SHADE_MODEL_LINEAR:
      return "linear";
   case AGX_SHADE_MODEL_PERSPECTIVE:
      return "perspective";
   }
   return "?";
}

unsigned
varyings_binding_registers(const struct varyings_view *view, const struct agx_cf_binding *binding)
{
   bool pairs =
      binding->source == AGX_COEFFICIENT_SOURCE_VARYING && binding->base_slot >= view->link.bindings.slots_32;
   return binding->components << pairs;
}

/* ---- text ---- */

static void
print_words(const struct varyings_view *view)
{
   printf("word  slot  register  bits  kind        value\n");
   for (unsigned word = 0; word < view->link.vertex.words; word++) {
      struct varyings_word w = varyings_word(view, word);
      for (unsigned i = 0; i < w.count; i++) {
         char slot[16] = "-", cf[24] = "-", number[16] = "";
         if (w.hardware_slot >= 0) {
            snprintf(slot, sizeof(slot), "%d", w.hardware_slot);
            snprintf(cf, sizeof(cf), "cf%u", w.values[i].cf);
            for (unsigned k = 0; k < 2 && w.values[i].vertex_cf[k]; k++)
               snprintf(cf + strlen(cf), sizeof(cf) - strlen(cf), " %u", w.values[i].vertex_cf[k]);
         }
         if (i == 0)
            snprintf(number, sizeof(number), "%u", word);
         printf("%4s  %4s  %8s  %4u  %-10s  %s\n", number, i == 0 ? slot : "", cf, w.half ? 16 : 32, w.kind,
                w.values[i].name);
      }
   }
}

void
varyings_print(const struct varyings_view *view)
{
   const struct agx_vertex_words *v = &view->link.vertex;
   const struct agx_cf_bindings *b = &view->link.bindings;
   print_words(view);
   printf("\n%u words a vertex", v->words);
   if (view->words_32 != v->words)
      printf(", %u without 16 bits", view->words_32);
   printf("\nVARYING_COUNTS_32 smooth %u, flat %u, linear %u\n", v->counts_32.smooth, v->counts_32.flat,
          v->counts_32.linear);
   printf("VARYING_COUNTS_16 smooth %u, flat %u, linear %u\n", v->counts_16.smooth, v->counts_16.flat,
          v->counts_16.linear);
   printf("CF_BINDING_HEADER %u slots of 32 bits, %u registers\n", b->slots_32, view->link.fragment.num_cf);
   for (unsigned i = 0; i < b->count; i++) {
      const struct agx_cf_binding *binding = &b->binding[i];
      unsigned first = binding->base_coefficient_register, count = varyings_binding_registers(view, binding);
      printf("CF_BINDING cf%u", first);
      if (count > 1)
         printf(" to cf%u", first + count - 1);
      printf(": %s", varyings_source_name(binding));
      if (binding->base_slot && binding->source == AGX_COEFFICIENT_SOURCE_VARYING)
         printf(", %u slot%s from %u", binding->components, binding->components > 1 ? "s" : "", binding->base_slot);
      printf(", %s\n", varyings_model_name(binding));
   }
}

/* ---- JSON ---- */

static void
print_json_word(const struct varyings_view *view, unsigned word)
{
   struct varyings_word w = varyings_word(view, word);
   printf("{\"word\": %u, \"kind\": \"%s\", \"bits\": %u", word, w.kind, w.half ? 16 : 32);
   if (w.hardware_slot >= 0)
      printf(", \"slot\": %d", w.hardware_slot);
   printf(", \"values\": [");
   for (unsigned i = 0; i < w.count; i++) {
      printf("%s{\"name\": \"%s\"", i ? ", " : "", w.values[i].name);
      if (w.hardware_slot >= 0)
         printf(", \"register\": %u", w.values[i].cf);
      if (w.values[i].vertex_cf[0]) {
         printf(", \"other_vertices\": [%u", w.values[i].vertex_cf[0]);
         if (w.values[i].vertex_cf[1])
            printf(", %u", w.values[i].vertex_cf[1]);
         printf("]");
      }
      printf("}");
   }
   printf("]}");
}

void
varyings_print_json(const struct varyings_view *view)
{
   const struct agx_vertex_words *v = &view->link.vertex;
   const struct agx_cf_bindings *b = &view->link.bindings;
   printf("{\"words\": %u, \"words_without_16_bits\": %u, \"words_if_relaxed\": %u, \"slots_32\": %u, \"registers\": "
          "%u,\n",
          v->words, view->words_32, view->words_16, b->slots_32, view->link.fragment.num_cf);
   printf(" \"counts_32\": [%u, %u, %u], \"counts_16\": [%u, %u, %u],\n \"vertex\": [", v->counts_32.smooth,
          v->counts_32.flat, v->counts_32.linear, v->counts_16.smooth, v->counts_16.flat, v->counts_16.linear);
   for (unsigned word = 0; word < v->words; word++) {
      printf("%s\n  ", word ? "," : "");
      print_json_word(view, word);
   }
   printf("],\n \"bindings\": [");
   for (unsigned i = 0; i < b->count; i++) {
      const struct agx_cf_binding *binding = &b->binding[i];
      printf("%s\n  {\"source\": \"%s\", \"model\": \"%s\", \"slot\": %u, \"slots\": %u, \"register\": %u, "
             "\"registers\": %u}",
             i ? "," : "", varyings_source_name(binding), varyings_model_name(binding), binding->base_slot,
             binding->components, binding->base_coefficient_register, varyings_binding_registers(view, binding));
   }
   printf("]}\n");
}
