/* One small picture or buffer for each stage and for transform feedback, through the core profile: gl_stages. A stage
 * that the version lacks is named and left out; --all makes that an error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl.h"

enum { SIZE_PX = 32, VALUES = 96 };

#define FRAGMENT "out vec4 color;\nvoid main() { color = vec4(1.0, 0.2, 0.4, 0.8); }\n"

static unsigned failures;

static void
check(bool is_right, const char *name, unsigned wrong)
{
   printf("%-20s %s", name, is_right ? "right\n" : "wrong");
   if (!is_right)
      printf(" (%u values)\n", wrong);
   failures += !is_right;
}

/* Pixels that are not (inside) what FRAGMENT writes, and (outside) what was cleared: inside is the left half. */
static unsigned
count_wrong_pixels(void)
{
   static uint8_t pixels[SIZE_PX * SIZE_PX][4];
   static const uint8_t drawn[4] = {255, 51, 102, 204}, cleared[4] = {0, 0, 255, 255};
   unsigned wrong = 0;
   gl.ReadPixels(0, 0, SIZE_PX, SIZE_PX, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++)
      wrong += memcmp(pixels[i], i % SIZE_PX < SIZE_PX / 2 ? drawn : cleared, 4) != 0;
   return wrong;
}

struct drawing {
   const char *name;
   unsigned least; /* the version that has it */
   struct gl_source sources[6];
   GLenum primitive;
   int vertices;
};

static const struct drawing drawings[] = {
   {"vertex",
    32,
    {{GL_VERTEX_SHADER, "void main() { gl_Position = vec4(gl_VertexID & 1, (gl_VertexID & 2), 0, 1)\n"
                        "  - vec4(1, 1, 0, 0); }\n"},
     {GL_FRAGMENT_SHADER, FRAGMENT}},
    GL_TRIANGLE_STRIP,
    4},
   {"geometry",
    32,
    {{GL_VERTEX_SHADER, "void main() { gl_Position = vec4(-1.0 + 0.25 * float(gl_VertexID), -1, 0, 1); }\n"},
     {GL_GEOMETRY_SHADER, "layout(points) in;\nlayout(triangle_strip, max_vertices = 4) out;\n"
                          "void main() {\n"
                          "  for (int i = 0; i < 4; i++) {\n"
                          "    gl_Position = gl_in[0].gl_Position + vec4(0.25 * float(i & 1), float(i & 2), 0, 0);\n"
                          "    EmitVertex();\n"
                          "  }\n"
                          "}\n"},
     {GL_FRAGMENT_SHADER, FRAGMENT}},
    GL_POINTS,
    4},
   {"tessellation",
    40,
    {{GL_VERTEX_SHADER, "void main() { gl_Position = vec4(float(gl_VertexID) - 1.0, 0, 0, 1); }\n"},
     {GL_TESS_CONTROL_SHADER, "layout(vertices = 2) out;\n"
                              "void main() {\n"
                              "  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
                              "  gl_TessLevelOuter = float[](3.0, 5.0, 4.0, 2.0);\n"
                              "  gl_TessLevelInner = float[](4.0, 3.0);\n"
                              "}\n"},
     {GL_TESS_EVALUATION_SHADER, "layout(quads, ccw) in;\n"
                                 "void main() {\n"
                                 "  gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x)\n"
                                 "    + vec4(0, 2.0 * gl_TessCoord.y - 1.0, 0, 0);\n"
                                 "}\n"},
     {GL_FRAGMENT_SHADER, FRAGMENT}},
    GL_PATCHES,
    2},
};

static void
draw(const struct drawing *drawing, unsigned version)
{
   gl.ClearColor(0, 0, 1, 1);
   gl.Clear(GL_COLOR_BUFFER_BIT);
   gl.UseProgram(gl_program(version, drawing->sources, NULL));
   if (drawing->primitive == GL_PATCHES)
      gl.PatchParameteri(GL_PATCH_VERTICES, drawing->vertices);
   gl.DrawArrays(drawing->primitive, 0, drawing->vertices);
   const unsigned wrong = count_wrong_pixels();
   check(!wrong, drawing->name, wrong);
}

/* The buffer's words: i * i + 3. */
static unsigned
count_wrong_values(GLenum target)
{
   static uint32_t values[VALUES];
   unsigned wrong = 0;
   gl.GetBufferSubData(target, 0, sizeof(values), values);
   for (uint32_t i = 0; i < VALUES; i++)
      wrong += values[i] != i * i + 3;
   return wrong;
}

static void
make_buffer(GLenum target)
{
   GLuint buffer;
   gl.GenBuffers(1, &buffer);
   gl.BindBufferBase(target, 0, buffer);
   gl.BufferData(target, VALUES * sizeof(uint32_t), NULL, GL_STATIC_READ);
}

static void
capture(unsigned version)
{
   static const struct gl_source sources[] = {{GL_VERTEX_SHADER, "flat out uint value;\n"
                                                                 "void main() {\n"
                                                                 "  value = uint(gl_VertexID * gl_VertexID + 3);\n"
                                                                 "  gl_Position = vec4(0);\n"
                                                                 "}\n"},
                                              {GL_FRAGMENT_SHADER, FRAGMENT},
                                              {0}};
   gl.UseProgram(gl_program(version, sources, "value"));
   make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER);
   gl.BeginTransformFeedback(GL_POINTS);
   gl.DrawArrays(GL_POINTS, 0, VALUES);
   gl.EndTransformFeedback();
   const unsigned wrong = count_wrong_values(GL_TRANSFORM_FEEDBACK_BUFFER);
   check(!wrong, "transform feedback", wrong);
}

static void
compute(unsigned version)
{
   static const struct gl_source sources[] = {{GL_COMPUTE_SHADER,
                                               "layout(local_size_x = 32) in;\n"
                                               "layout(std430, binding = 0) buffer B { uint values[]; };\n"
                                               "void main() {\n"
                                               "  uint i = gl_GlobalInvocationID.x;\n"
                                               "  values[i] = i * i + 3u;\n"
                                               "}\n"},
                                              {0}};
   gl.UseProgram(gl_program(version, sources, NULL));
   make_buffer(GL_SHADER_STORAGE_BUFFER);
   gl.DispatchCompute(VALUES / 32, 1, 1);
   gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   const unsigned wrong = count_wrong_values(GL_SHADER_STORAGE_BUFFER);
   check(!wrong, "compute", wrong);
}

/* Whether the version has it; says so where it has not. */
static bool
has(unsigned version, unsigned least, const char *name, bool all)
{
   if (version < least)
      printf("%-20s %s\n", name, "not in this version");
   failures += version < least && all;
   return version >= least;
}

int
main(int argc, char **argv)
{
   const bool all = argc > 1 && !strcmp(argv[1], "--all");
   const unsigned version = gl_open();
   gl_draw_into(gl_texture(GL_RGBA8, SIZE_PX, SIZE_PX), SIZE_PX, SIZE_PX);
   for (unsigned i = 0; i < sizeof(drawings) / sizeof(drawings[0]); i++) {
      if (has(version, drawings[i].least, drawings[i].name, all))
         draw(&drawings[i], version);
   }
   capture(version);
   if (has(version, 43, "compute", all))
      compute(version);
   const unsigned error = gl.GetError();
   if (error)
      printf("error 0x%x\n", error);
   return failures || error;
}
