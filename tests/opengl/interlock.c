/* Rectangles that overlap, all in one draw, each of which changes an image's texel in a way whose order shows
 * (x * 3 + its number): by GL_ARB_fragment_shader_interlock every texel is what a loop on the CPU gives.
 *
 * usage: gl_interlock [--without]   without interlock, where the picture must be another one; which it is under the
 *                                   schedules that mix waves
 */
#include <stdio.h>
#include <string.h>

#include "gl.h"

enum { SIZE_PX = 64, COUNT = 40, FIRST = 7 };

/* The rectangle's place by its number, in both languages. */
#define LEFT(i) (((i) * 7) % 24)
#define TOP(i) (((i) * 11) % 20)
#define WIDTH(i) (30 + ((i) * 5) % 11)
#define HEIGHT(i) (28 + ((i) * 3) % 17)

static const char vertex[] =
   "flat out uint number;\n"
   "void main() {\n"
   "  int i = gl_InstanceID;\n"
   "  ivec2 low = ivec2(i * 7 % 24, i * 11 % 20), size = ivec2(30 + i * 5 % 11, 28 + i * 3 % 17);\n"
   "  ivec2 corner = low + size * ivec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
   "  number = uint(i);\n"
   "  gl_Position = vec4(vec2(corner) / 32.0 - 1.0, 0, 1);\n"
   "}\n";

#define FRAGMENT(extension, begin, end) \
   "#extension GL_ARB_shader_image_load_store : enable\n" extension \
             "layout(r32ui) uniform coherent uimage2D image;\n" \
             "flat in uint number;\n" \
             "void main() {\n" \
             "  ivec2 at = ivec2(gl_FragCoord.xy);\n" begin \
             "  uint before = imageLoad(image, at).x;\n" \
             "  imageStore(image, at, uvec4(before * 3u + number));\n" end "}\n"

static const char ordered[] =
   FRAGMENT("#extension GL_ARB_fragment_shader_interlock : require\nlayout(pixel_interlock_ordered) in;\n",
            "  beginInvocationInterlockARB();\n", "  endInvocationInterlockARB();\n");
static const char unordered[] = FRAGMENT("", "", "");

static uint32_t
expected(int x, int y)
{
   uint32_t value = FIRST;
   for (int i = 0; i < COUNT; i++) {
      if (x >= LEFT(i) && x < LEFT(i) + WIDTH(i) && y >= TOP(i) && y < TOP(i) + HEIGHT(i))
         value = value * 3 + (uint32_t)i;
   }
   return value;
}

static unsigned
count_wrong(const uint32_t *texels)
{
   unsigned wrong = 0;
   for (int y = 0; y < SIZE_PX; y++) {
      for (int x = 0; x < SIZE_PX; x++)
         wrong += texels[y * SIZE_PX + x] != expected(x, y);
   }
   return wrong;
}

/* The image starts with FIRST everywhere. */
static void
make_image(void)
{
   static uint32_t first[SIZE_PX * SIZE_PX];
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++)
      first[i] = FIRST;
   GLuint image = gl_texture(GL_R32UI, SIZE_PX, SIZE_PX);
   gl.TexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, SIZE_PX, SIZE_PX, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, first);
   gl.BindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
}

int
main(int argc, char **argv)
{
   static uint32_t texels[SIZE_PX * SIZE_PX];
   const bool without = argc > 1 && !strcmp(argv[1], "--without");
   if (argc > 2 || (argc > 1 && !without))
      gl_fail("usage: gl_interlock [--without]");
   const unsigned version = gl_open();
   if (!gl_has("GL_ARB_fragment_shader_interlock"))
      gl_fail("there is no GL_ARB_fragment_shader_interlock");
   const struct gl_source sources[] = {
      {GL_VERTEX_SHADER, vertex}, {GL_FRAGMENT_SHADER, without ? unordered : ordered}, {0}};
   gl.UseProgram(gl_program(version, sources, NULL));
   gl_draw_into(gl_texture(GL_RGBA8, SIZE_PX, SIZE_PX), SIZE_PX, SIZE_PX);
   make_image();
   gl.DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, COUNT);
   gl.MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
   gl.GetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels);
   const unsigned wrong = count_wrong(texels), error = gl.GetError();
   printf("%u of %d texels are wrong, error 0x%x\n", wrong, SIZE_PX * SIZE_PX, error);
   return error || (without ? !wrong : wrong != 0);
}
