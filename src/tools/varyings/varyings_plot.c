/* Words, slots and registers as three columns of boxes, with a line from each value to where it goes. */
#include <stdio.h>

#include "tools/base/canvas.h"
#include "tools/varyings/varyings.h"
#include "util/macros.h"

#define TOP 48.0
#define ROW 18.0
#define BOX 15.0
#define WORDS_X 20.0
#define WORDS_WIDTH 250.0
#define SLOTS_X 350.0
#define SLOTS_WIDTH 90.0
#define REGISTERS_X 520.0
#define REGISTERS_WIDTH 200.0

static const uint32_t ink = 0x202020, faint = 0x909090, plain = 0xf2f2f2;

static uint32_t
colour_of(const struct varyings_word *w)
{
   static const uint32_t colours[2][3] = {{0x8ecae6, 0xffd166, 0x95d5b2}, {0xa3c4f3, 0xf7c59f, 0xd0d38f}};
   static const char letters[] = "sfl"; /* smooth, flat, linear */
   for (unsigned i = 0; i < 3 && w->hardware_slot >= 0; i++) {
      if (w->kind[0] == letters[i])
         return colours[w->half][i];
   }
   return plain;
}

static double
row_y(unsigned row)
{
   return TOP + ROW * row;
}

static void
box(struct canvas *canvas, double x, unsigned row, double width, uint32_t colour, const char *text)
{
   canvas_rectangle(canvas, x, row_y(row), width, BOX, colour, faint);
   canvas_text(canvas, x + 6, row_y(row) + 11, 0, ink, "%s", text);
}

static void
draw_line(struct canvas *canvas, double x0, unsigned from, double x1, unsigned to)
{
   canvas_line(canvas, x0, row_y(from) + BOX / 2, x1, row_y(to) + BOX / 2, faint, 1);
}

static void
draw_word(struct canvas *canvas, const struct varyings_view *view, unsigned word)
{
   struct varyings_word w = varyings_word(view, word);
   uint32_t colour = colour_of(&w);
   double width = WORDS_WIDTH / w.count;
   for (unsigned i = 0; i < w.count; i++)
      box(canvas, WORDS_X + width * i, word, width, colour, w.values[i].name);
   canvas_text(canvas, WORDS_X - 3, row_y(word) + 11, 1, faint, "%u", word);
   if (w.hardware_slot < 0)
      return;
   char text[24];
   unsigned slot = (unsigned)w.hardware_slot;
   snprintf(text, sizeof(text), "%u: %s", slot, w.half ? "2 x 16" : "32 bits");
   box(canvas, SLOTS_X, slot, SLOTS_WIDTH, colour, text);
   draw_line(canvas, WORDS_X + WORDS_WIDTH, word, SLOTS_X, slot);
   for (unsigned i = 0; i < w.count; i++) {
      const struct varyings_value *v = &w.values[i];
      const unsigned registers[3] = {v->cf, v->vertex_cf[0], v->vertex_cf[1]};
      for (unsigned k = 0; k < 3 && (!k || registers[k]); k++) {
         char label[48];
         snprintf(label, sizeof(label), "cf%u: %s", registers[k], v->name);
         box(canvas, REGISTERS_X, registers[k], REGISTERS_WIDTH, colour, label);
         draw_line(canvas, SLOTS_X + SLOTS_WIDTH, slot, REGISTERS_X, registers[k]);
      }
   }
}

/* W, Z and what comes from no word. */
static void
draw_fixed(struct canvas *canvas, const struct varyings_view *view)
{
   const struct agx_cf_bindings *b = &view->link.bindings;
   box(canvas, SLOTS_X, 0, SLOTS_WIDTH, plain, "0: W");
   if (view->frag_coord_z)
      box(canvas, SLOTS_X, 1, SLOTS_WIDTH, plain, "1: Z");
   for (unsigned i = 0; i < b->count; i++) {
      const struct agx_cf_binding *binding = &b->binding[i];
      bool of_slot = binding->source == AGX_COEFFICIENT_SOURCE_VARYING;
      if (of_slot && binding->base_slot)
         continue;
      for (unsigned k = 0; k < binding->components; k++) {
         char text[32];
         unsigned cf = binding->base_coefficient_register + k;
         snprintf(text, sizeof(text), "cf%u: %s", cf, varyings_source_name(binding));
         box(canvas, REGISTERS_X, cf, REGISTERS_WIDTH, plain, text);
         if (of_slot || binding->source == AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z)
            draw_line(canvas, SLOTS_X + SLOTS_WIDTH, of_slot ? 0 : 1, REGISTERS_X, cf);
      }
   }
}

bool
varyings_plot(const struct varyings_view *view, const char *path)
{
   unsigned words = view->link.vertex.words, rows = MAX2(words, view->link.fragment.num_cf);
   struct canvas canvas = {.width = REGISTERS_X + REGISTERS_WIDTH + 20, .height = row_y(MAX2(rows, 1u)) + 20};
   canvas_text(&canvas, WORDS_X, 20, 0, ink, "%u words a vertex, %u without 16 bits", words, view->words_32);
   canvas_text(&canvas, WORDS_X, 40, 0, ink, "words of the vertex");
   canvas_text(&canvas, SLOTS_X, 40, 0, ink, "slots");
   canvas_text(&canvas, REGISTERS_X, 40, 0, ink, "coefficient registers");
   draw_fixed(&canvas, view);
   for (unsigned word = 0; word < words; word++)
      draw_word(&canvas, view, word);
   bool ok = canvas_write(&canvas, path);
   canvas_free(&canvas);
   return ok;
}
