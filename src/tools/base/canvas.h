/* A list of shapes that becomes an SVG or a PNG file. Units are those of the picture; text is monospace, 6 wide and
 * 10 high. PNG files have two pixels a unit. */
#ifndef INDIUM_TOOLS_CANVAS_H
#define INDIUM_TOOLS_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/dynarray.h"

#define CANVAS_NONE UINT32_MAX /* no colour; others are 0xrrggbb */
#define CANVAS_TEXT_WIDTH 6.0
#define CANVAS_SCALE 2

struct canvas {
   double width, height;
   struct dynarray shapes;
   struct arena arena;
};

enum canvas_kind { CANVAS_RECTANGLE, CANVAS_HATCH, CANVAS_LINE, CANVAS_TEXT };

struct canvas_shape {
   enum canvas_kind kind;
   double x, y, x1, y1;    /* text: x, y of the left end of its baseline */
   uint32_t fill, outline; /* lines and text: fill */
   double line_width;
   const char *text;
};

void canvas_rectangle(struct canvas *canvas, double x, double y, double width, double height, uint32_t fill,
                      uint32_t outline); /* size: coordinates and colours */
/* Diagonal lines. */
void canvas_hatch(struct canvas *canvas, double x, double y, double width, double height, uint32_t colour);
void canvas_line(struct canvas *canvas, double x0, double y0, double x1, double y1, uint32_t colour, double width);
/* size: coordinates and colours */
/* anchor: 0 text starts at x, 0.5 is centred, 1 ends at x; y is the baseline. */
void canvas_text(struct canvas *canvas, double x, double y, double anchor, uint32_t colour, const char *format, ...)
   __attribute__((format(printf, 6, 7)));
/* size: coordinates and colours */

/* Writes FILE.svg or FILE.png; false with a line on stderr when that fails. */
bool canvas_write(const struct canvas *canvas, const char *path);
void canvas_free(struct canvas *canvas);

/* Row y (0 to 6, from the top) of a character of 5 x 7 dots, bit 4 leftmost. */
uint8_t canvas_font_row(char character, unsigned y);

#endif
