/* Renders with one thing wrong each, and the sentence that the model says of it. */
#include <stdio.h>
#include <string.h>

#include "render_try.h"
#include "util/macros.h"

#define COLOURS "iter r2_r3_r4_r5, cf1, cf0\npixwait 12, 0\n"
#define SHOW "st_tile r2_r3_r4_r5, 0, 255, 0, u8norm, xyzw\nstop\n"

struct row {
   void (*spoil)(struct render_try *render, struct render_draw *draw);
   const char *words;
};

/* A field of the command or of the draw that has another value. */
#define COMMAND(name, field, to) \
   static void name(struct render_try *r, struct render_draw *d) \
   { \
      (void)d; \
      r->command.field = (to); \
   }
#define DRAW(name, field, to) \
   static void name(struct render_try *r, struct render_draw *d) \
   { \
      (void)r; \
      d->field = (to); \
   }

COMMAND(no_width, width_px, 0)
COMMAND(too_high, height_px, 16385)
COMMAND(no_layers, layers, 0)
COMMAND(three_samples, samples, 3)
COMMAND(odd_tiles, utile_width_px, 16)
COMMAND(large_samples, sample_size_B, 64)
COMMAND(odd_samples, sample_size_B, 12)
COMMAND(other_samples, sample_size_B, 16)
COMMAND(resolves_depth, zls_ctrl, UINT64_C(1) << 56)
COMMAND(positions_of_64_bits, ppp_multisamplectl, UINT64_C(1) << 40)
COMMAND(no_stream, vdm_ctrl_stream_base, 0x3000000000)
COMMAND(no_background, bg_usc, 0x7ffffff4)
DRAW(wrong_words, words, 7)
DRAW(many_clips, outputs, ((struct agx_output_select){.varyings = true, .clip_distance_9 = true}))
DRAW(clips_without_words, outputs, ((struct agx_output_select){.varyings = true, .clip_distance_0 = true}))
DRAW(barycentric, cf[1].source, AGX_COEFFICIENT_SOURCE_BARYCENTRIC_COORD)
DRAW(barycentric_output, outputs, ((struct agx_output_select){.varyings = true, .barycentric_coordinates = true}))
DRAW(depth_not_selected, cf[1].source, AGX_COEFFICIENT_SOURCE_FRAGCOORD_Z)
DRAW(three_point_coordinates, cf[1].source, AGX_COEFFICIENT_SOURCE_POINT_COORD)
DRAW(number_not_made, cf[1].source, AGX_COEFFICIENT_SOURCE_PRIMITIVE_ID)
DRAW(slots_beyond, cf[1], ((struct agx_cf_binding){.components = 1, .base_slot = 6}))
DRAW(registers_beyond, cf[1].base_coefficient_register, 2)
DRAW(no_size, leave_out, 1u << 27)
DRAW(no_depth_state, leave_out, 4)
DRAW(writes_nothing_known, fragment, COLOURS "st_tile r2_r3_r4_r5, 0, 255, 60, i32, xyzw\nstop\n")
DRAW(tests_twice, fragment, COLOURS "sample_mask 255, 255\nsample_mask 255, 255\n" SHOW)
DRAW(never_tests, fragment, COLOURS "ldimm r0l, 0\nif r5, 1, 1, ieq\nsample_mask 255, 255\npop_exec 1\n" SHOW)
DRAW(coefficient_beyond, fragment, "iter r2, cf5, cf0\n" COLOURS SHOW)
DRAW(vertex_in_fragment, fragment, COLOURS "st_var r2, 0, last\n" SHOW)
DRAW(block_in_fragment, fragment, COLOURS "imgwblk r2l, ts0, r3, 0, 2d, u8norm\n" SHOW)
DRAW(texture_not_bound, fragment, "smpi r2_r3_r4_r5, ts1, ss0, r4, 0, 2d, xyzw, auto_lod, a\nwait a\n" COLOURS SHOW)
DRAW(no_more_registers, fragment, "mov r40, r41\n" COLOURS SHOW)
DRAW(no_such_uniform, fragment, "mov r2, u40\n" COLOURS SHOW)
DRAW(does_not_end, vertex, "mov r1, r5\nst_var r1, 0\nstop\n")
DRAW(no_result, vertex, "st_var r5, 8\nstop\n")
DRAW(after_the_last, vertex, "no_var\nst_var r5, 1\nstop\n")
DRAW(local_memory, fragment, "ldimm r1, 0\nlload r2, r1l, 0, i32, x\n" COLOURS SHOW)
DRAW(a_stack, fragment, "stack_adjust 8\n" COLOURS SHOW)
DRAW(a_trap, fragment, "trap\n" COLOURS SHOW)

static void
flat_disagrees(struct render_try *r, struct render_draw *d)
{
   (void)r;
   d->varyings = (struct agx_varying_counts_32){.flat = 4};
   d->cf[1].shade_model = AGX_SHADE_MODEL_FLAT_VERTEX_2;
}

static void
program_depth_too_late(struct render_try *r, struct render_draw *d)
{
   (void)r;
   d->early = true;
   d->fragment = COLOURS "ldimm r7, 0\nzs_emit 255, r7\n" SHOW;
}

static void
depth_nowhere(struct render_try *r, struct render_draw *d)
{
   (void)d;
   r->command.zls_ctrl = UINT64_C(1) << 19;
   r->command.depth_base = 0x3000000000;
   r->command.depth_stride = 1;
}

static void
query_nowhere(struct render_try *r, struct render_draw *d)
{
   d->control.visibility_mode = AGX_VISIBILITY_MODE_COUNTING;
   r->command.isp_oclqry_base = 0x3000000000;
}

static const struct row rows[] = {
   {no_width, "width and height are from 1 to 16384"},
   {too_high, "width and height are from 1 to 16384"},
   {no_layers, "layers are from 1 to 2048"},
   {three_samples, "samples are 1, 2 or 4"},
   {odd_tiles, "tiles are of 32x32, 32x16 or 16x16 pixels"},
   {large_samples, "less than 32 KiB together"},
   {odd_samples, "multiples of 8 bytes"},
   {other_samples, "its program is bound for 1 samples of 8 bytes, tiles have 1 of 16"},
   {resolves_depth, "does not resolve depth and stencil"},
   {positions_of_64_bits, "bit 40 is set, which nobody knows"},
   {no_stream, "a stream at 0x3000000000: nothing is bound"},
   {no_background, "a USC list at "},
   {wrong_words, "make 8 words of a vertex, OUTPUT_SIZE says 7"},
   {many_clips, "the model clips by 8 distances, not by number 9"},
   {clips_without_words, "make 9 words of a vertex, OUTPUT_SIZE says 8"},
   {barycentric, "the model does not have barycentric coordinates"},
   {barycentric_output, "the model does not have barycentric coordinates"},
   {depth_not_selected, "a CF_BINDING takes Z, which OUTPUT_SELECT does not ask for"},
   {three_point_coordinates, "point coordinates have two components"},
   {number_not_made, "a CF_BINDING takes the primitive's number"},
   {slots_beyond, "a CF_BINDING takes slot 6 of 5"},
   {registers_beyond, "a CF_BINDING fills coefficient registers 2 to 5 of 5"},
   {flat_disagrees, "flat shading is of vertex 2 to CF_BINDING"},
   {no_size, "since the render began"},
   {no_depth_state, "since the render began"},
   {writes_nothing_known, "bytes 60 to "},
   {tests_twice, "were tested already"},
   {never_tests, "are neither tested nor killed"},
   {coefficient_beyond, "coefficient register 5 of 5"},
   {vertex_in_fragment, "a result of a vertex in another stage"},
   {block_in_fragment, "there are no tiles in this stage"},
   {texture_not_bound, "nothing is bound to texture state 1"},
   {no_more_registers, "above the 64 halves allocated"},
   {no_such_uniform, "names half "},
   {does_not_end, "ends without st_var that says last"},
   {no_result, "result 8 of a vertex that has 8"},
   {after_the_last, "a result after the last one"},
   {local_memory, "of 0 bytes of threadgroup memory"},
   {a_stack, "a stack, and the program has no private memory"},
   {a_trap, "trap ["},
   {program_depth_too_late, "the tests are over when it starts"},
   {depth_nowhere, "at unmapped address 0x3000000000"},
   {query_nowhere, "result of occlusion query 0 at unmapped address"},
};

/* Words of the stream and bytes of the vertex program's USC list that are turned. */
enum { IN_STREAM, IN_LIST };
enum { VERTEX_SHADER_1 = 3, VERTEX_OUTPUTS = 4, PPP_STATE = 6, INDEX_LIST = 8 };  /* words of the stream */
enum { UNIFORM = 0, SHARED = 8, SHADER = 12, REGISTERS = 18, NO_PRESHADER = 22 }; /* bytes of the list */

static const struct turn {
   unsigned in, at;
   uint32_t bits;
   const char *words;
} turns[] = {
   {IN_STREAM, INDEX_LIST, 1u << 25, "parts of an index list that nobody knows"},
   {IN_STREAM, INDEX_LIST, 1u << 27, "parts of an index list that nobody knows"},
   {IN_STREAM, INDEX_LIST, 1u << 24, "a direct draw without a count, instances or a start"},
   {IN_STREAM, INDEX_LIST, 1u << 31, "begins no block that is known"},
   {IN_STREAM, INDEX_LIST, 0xc1c00600, "the model has no tessellation by the hardware"},
   {IN_STREAM, VERTEX_OUTPUTS, 1, "VDM_VERTEX_OUTPUTS says 9 and 8 words of a vertex"},
   {IN_STREAM, PPP_STATE, 1u << 8, "words, and its header announces"},
   {IN_STREAM, VERTEX_SHADER_1, 1u << 31, "a USC list at"},
   {IN_LIST, UNIFORM, 0x77 ^ 0x1d, "begins no record that is known"},
   {IN_LIST, UNIFORM, 60 << 8, "uniforms beyond those that the program has (68 of 64)"},
   {IN_LIST, UNIFORM, 0x1d ^ 0x3d, "uniforms beyond those that the program has (264 of 64)"},
   {IN_LIST, UNIFORM, (0x1d ^ 0xdd) | 8 << 8, "texture states beyond those that the program has (16 of 8)"},
   {IN_LIST, UNIFORM, 0x1d ^ 0x9d, "sampler states beyond those that the program has (8 of 0)"},
   {IN_LIST, SHARED, (0x24 ^ 0x2f) << 10, "USC_SHARED has the layout of another kind of program"},
   {IN_LIST, UNIFORM, 0x1d ^ 0x88, "the list lacks USC_SHADER, USC_REGISTERS or USC_SHARED"},
   {IN_LIST, REGISTERS, 1u << 18, "the command has no helper program for it"},
   {IN_LIST, REGISTERS, 1u << 14, "bit 14 is set, which nobody knows"},
   {IN_LIST, NO_PRESHADER, 0x88 ^ 0x58, "USC_FRAGMENT_PROPERTIES"},
};

static void
turn_bits(struct render_try *r, const struct turn *turn)
{
   uint32_t *stream = render_host(r, r->stream), word;
   struct agx_vdm_vertex_shader_1 shader;
   agx_vdm_vertex_shader_1_unpack(&shader, &stream[VERTEX_SHADER_1]);
   uint8_t *at = turn->in == IN_STREAM ? (uint8_t *)&stream[turn->at] : r->memory + shader.pipeline + turn->at;
   memcpy(&word, at, 4);
   word ^= turn->bits;
   memcpy(at, &word, 4);
}

static bool
says(const struct row *row, const struct turn *turn)
{
   struct render_try r;
   static const float data[24] = {-1, -1, 0, 1, 0, 0, 0, 0, 1, -1, 0, 1, 0, 0, 0, 0, -1, 1, 0, 1};
   render_begin(&r, 64, 64, 1, 1);
   struct render_draw d = render_draw(&r);
   d.data = data, d.data_count = 24;
   const struct agx_render_command good = r.command;
   if (row)
      row->spoil(&r, &d);
   const struct agx_render_command command = r.command;
   r.command = good; /* programs fit that */
   render_add(&r, &d);
   r.command = command;
   if (turn)
      turn_bits(&r, turn);
   const char *words = row ? row->words : turn ? turn->words : NULL;
   bool ok = render_run(&r), right = words ? !ok && strstr(r.fault.message, words) : ok;
   if (!right)
      printf("%s: %s\n", words ? words : "nothing is wrong", ok ? "no fault" : r.fault.message);
   render_free(&r);
   return right;
}

int
main(void)
{
   unsigned failures = !says(NULL, NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
      failures += !says(&rows[i], NULL);
   for (unsigned i = 0; i < ARRAY_SIZE(turns); i++)
      failures += !says(NULL, &turns[i]);
   return failures != 0;
}
