#include "render_try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/chips.h"
#include "asahi/hw/isa.h"
#include "util/macros.h"

enum { MEMORY_B = 32 << 20, STREAM_B = 1 << 20 };
#define BASE_VA UINT64_C(0x1100000000)

const char render_vertex_program[] = "iadd r7, r5, r5\n"
                                     "iadd r4, r7, 1\n"
                                     "load r0_r1_r2_r3, du0, r7, lsl 2, i32, xyzw, a\n"
                                     "load r8_r9_r10_r11, du0, r4, lsl 2, i32, xyzw, a\n"
                                     "wait a\n"
                                     "st_var r0, 0\n"
                                     "st_var r1, 1\n"
                                     "st_var r2, 2\n"
                                     "st_var r3, 3\n"
                                     "st_var r8, 4\n"
                                     "st_var r9, 5\n"
                                     "st_var r10, 6\n"
                                     "st_var r11, 7, last\n"
                                     "stop\n";

const char render_short_vertex_program[] = "iadd r7, r5, r5\n"
                                           "iadd r4, r7, 1\n"
                                           "load r0_r1_r2_r3, du0, r7, lsl 2, i32, xyzw, a\n"
                                           "load r8, du0, r4, lsl 2, i32, x, a\n"
                                           "wait a\n"
                                           "st_var r0, 0\n"
                                           "st_var r1, 1\n"
                                           "st_var r2, 2\n"
                                           "st_var r3, 3\n"
                                           "st_var r8, 4, last\n"
                                           "stop\n";

const char render_colour_program[] = "iter r4_r5_r6_r7, cf1, cf0\n"
                                     "pixwait 12, 0\n"
                                     "st_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw\n"
                                     "stop\n";

static const char clear_program[] = "mov r0, u0\n"
                                    "mov r1, u1\n"
                                    "mov r2, u2\n"
                                    "mov r3, u3\n"
                                    "st_tile r0_r1_r2_r3, 0, 255, 0, u8norm, xyzw\n"
                                    "stop\n";

static _Noreturn void
give_up(const char *what, const char *detail)
{
   fprintf(stderr, "%s: %s\n", what, detail);
   exit(1);
}

uint64_t
render_memory(struct render_try *r, const void *data, uint32_t size_B)
{
   uint32_t at = r->used_B;
   r->used_B = (uint32_t)align_up(at + size_B, 128);
   if (r->used_B > MEMORY_B)
      give_up("render_memory", "full");
   if (data)
      memcpy(r->memory + at, data, size_B);
   return BASE_VA + at;
}

void *
render_host(const struct render_try *r, uint64_t address)
{
   return r->memory + (address - BASE_VA);
}

/* The code of a program; its offset from the base. */
static uint32_t
assemble(struct render_try *r, const char *text)
{
   uint8_t code[2048];
   uint32_t size_B = 0;
   char line[128];
   while (*text) {
      size_t length = strcspn(text, "\n");
      if (length >= sizeof(line))
         give_up("line too long", text);
      memcpy(line, text, length);
      line[length] = '\0';
      text += length + (text[length] == '\n');
      struct agx_inst inst;
      if (!agx_isa_parse(line, &inst) || size_B + AGX_INST_MAX_B > sizeof(code))
         give_up("not an instruction", line);
      size_B += agx_isa_encode(&inst, code + size_B);
   }
   return (uint32_t)(render_memory(r, code, size_B) - BASE_VA);
}

struct binding {
   const char *program;
   uint64_t uniforms[2]; /* addresses: those go to halves 0 and 4 */
   uint64_t texture;     /* 0: none */
   bool sampler;         /* that of texel fetches */
   bool values;          /* uniforms[0]: the address of 8 halves of values */
   bool tile, fragment, early;
};

static uint32_t
shared_layout(const struct render_try *r)
{
   return r->command.utile_height_px == 16 ? AGX_SHARED_LAYOUT_32X16 : AGX_SHARED_LAYOUT_32X32;
}

/* A USC list; its offset from the base. */
static uint32_t
bind(struct render_try *r, const struct binding *b)
{
   uint8_t list[128], *at = list;
   uint32_t code = assemble(r, b->program);
   const struct agx_usc_texture texture = {.start = 0, .count = 1, .buffer = b->texture};
   if (b->texture)
      agx_usc_texture_pack(at, &texture), at += AGX_USC_TEXTURE_SIZE_B;
   static const uint32_t fetch[2] = {0x680e0000, 0x0000001b};
   if (b->sampler) {
      const struct agx_usc_sampler sampler = {.count = 1, .buffer = render_memory(r, fetch, sizeof(fetch))};
      agx_usc_sampler_pack(at, &sampler), at += AGX_USC_SAMPLER_SIZE_B;
   }
   if (b->values) {
      const struct agx_usc_uniform u = {.start = 0, .size = 8, .buffer = b->uniforms[0]};
      agx_usc_uniform_pack(at, &u), at += AGX_USC_UNIFORM_SIZE_B;
   } else {
      uint64_t where = render_memory(r, b->uniforms, sizeof(b->uniforms));
      const struct agx_usc_uniform u = {.start = 0, .size = 8, .buffer = where};
      agx_usc_uniform_pack(at, &u), at += AGX_USC_UNIFORM_SIZE_B;
   }
   struct agx_usc_shared shared = {
      .layout = AGX_SHARED_LAYOUT_VERTEX_COMPUTE, .sample_count = 1, .threadgroup_B = 65536};
   if (b->tile)
      shared = (struct agx_usc_shared){.uses_shared_memory = true,
                                       .layout = (enum agx_shared_layout)shared_layout(r),
                                       .sample_count = r->samples,
                                       .sample_stride_B = r->command.sample_size_B,
                                       .threadgroup_B = r->command.utile_width_px * r->command.utile_height_px *
                                                        r->samples * r->command.sample_size_B};
   agx_usc_shared_pack(at, &shared), at += AGX_USC_SHARED_SIZE_B;
   const struct agx_usc_shader shader = {.unk_10 = b->fragment ? 2 : b->tile ? 0 : 3, .code = code};
   agx_usc_shader_pack(at, &shader), at += AGX_USC_SHADER_SIZE_B;
   const struct agx_usc_registers registers = {
      .registers = 64, .unk_13 = b->fragment, .unk_24 = b->tile && !b->fragment ? 0 : 1};
   agx_usc_registers_pack(at, &registers), at += AGX_USC_REGISTERS_SIZE_B;
   if (b->fragment) {
      const struct agx_usc_fragment_properties p = {
         .early_z_testing = b->early, .unk_9 = true, .unk_12 = 0xf, .unk_16 = 2};
      agx_usc_fragment_properties_pack(at, &p), at += AGX_USC_FRAGMENT_PROPERTIES_SIZE_B;
   }
   const struct agx_usc_no_preshader end = {0};
   agx_usc_no_preshader_pack(at, &end), at += AGX_USC_NO_PRESHADER_SIZE_B;
   return (uint32_t)(render_memory(r, list, (uint32_t)(at - list)) - BASE_VA);
}

/* What the end-of-tile program writes to. */
static struct agx_pbe
target_of(const struct render_try *r)
{
   bool array = r->layers > 1, several = r->samples > 1, linear = !array && !several;
   struct agx_pbe p = {
      .dimension = several ? AGX_TEXTURE_DIMENSION_2D_MS
                   : array ? AGX_TEXTURE_DIMENSION_2D_ARRAY
                           : AGX_TEXTURE_DIMENSION_2D,
      .layout = linear ? AGX_LAYOUT_LINEAR : AGX_LAYOUT_GPU,
      .channels = AGX_CHANNELS_R8G8B8A8,
      .type = AGX_TEXTURE_TYPE_UNORM,
      .swizzle_r = AGX_CHANNEL_R,
      .swizzle_g = AGX_CHANNEL_G,
      .swizzle_b = AGX_CHANNEL_B,
      .swizzle_a = AGX_CHANNEL_A,
      .width_px = r->width_px,
      .height_px = r->height_px,
      .samples = r->samples == 4 ? AGX_SAMPLE_COUNT_4 : AGX_SAMPLE_COUNT_2,
      .address = r->target,
      .levels = 1,
      .layers = r->layers,
   };
   if (linear)
      p.stride_B = (uint32_t)align_up(r->width_px * 4, 16);
   return p;
}

/* The same for reading it back. */
static struct agx_texture
source_of(const struct render_try *r)
{
   const struct agx_pbe p = target_of(r);
   struct agx_texture t = {
      .dimension = p.dimension,
      .layout = p.layout,
      .channels = p.channels,
      .type = p.type,
      .swizzle_r = AGX_CHANNEL_R,
      .swizzle_g = AGX_CHANNEL_G,
      .swizzle_b = AGX_CHANNEL_B,
      .swizzle_a = AGX_CHANNEL_A,
      .width_px = p.width_px,
      .height_px = p.height_px,
      .samples = p.samples,
      .address = p.address,
      .layers = p.layers,
   };
   if (p.layout == AGX_LAYOUT_LINEAR)
      t.stride_B = p.stride_B;
   return t;
}

/* Reads one sample of the pixel back into the tile buffer. */
#define RELOAD(dim, sample, mask)                                                                                    \
   "mov r0l, thread_in_grid_x\n"                                                                                     \
   "mov r0h, thread_in_grid_y\n"                                                                                     \
   "mov r4, r0l\n"                                                                                                   \
   "mov r5, r0h\n" sample "smpi r0_r1_r2_r3, ts0, ss0, r4, 0, " dim ", xyzw, auto_lod, a\n"                         \
   "wait a\n"                                                                                                        \
   "st_tile r0_r1_r2_r3, 0, " mask ", 0, u8norm, xyzw\n"

static void
set_partial_background(struct render_try *r)
{
   static const char *const one = RELOAD("2d", "", "255") "stop\n";
   static const char *const layers = RELOAD("2d_array", "mov r6, threadgroup_in_grid_z\n", "255") "stop\n";
   static const char *const two =
      RELOAD("2d_ms", "ldimm r6, 0\n", "1") RELOAD("2d_ms", "ldimm r6, 1\n", "2") "stop\n";
   static const char *const four = RELOAD("2d_ms", "ldimm r6, 0\n", "1") RELOAD("2d_ms", "ldimm r6, 1\n", "2")
      RELOAD("2d_ms", "ldimm r6, 2\n", "4") RELOAD("2d_ms", "ldimm r6, 3\n", "8") "stop\n";
   uint8_t words[AGX_TEXTURE_SIZE_B];
   const struct agx_texture source = source_of(r);
   agx_texture_pack(words, &source);
   const struct binding b = {.program = r->samples == 4   ? four
                                        : r->samples == 2 ? two
                                        : r->layers > 1   ? layers
                                                          : one,
                             .texture = render_memory(r, words, sizeof(words)),
                             .sampler = true,
                             .tile = true};
   r->command.partial_bg_usc = bind(r, &b) | 4;
   r->command.partial_bg_rsrc_spec = 0x1212;
}

static void
set_programs(struct render_try *r)
{
   static const char *const ends[] = {"ldimm r0, 0\nimgwblk r0l, ts0, r0, 0, 2d, u8norm\nstop\n",
                                      "ldimm r0, 0\nimgwblk r0l, ts0, r0, 0, 2d_ms, u8norm\nstop\n",
                                      ("ldimm r0, 0\nmov r1, threadgroup_in_grid_z\n"
                                       "imgwblk r0l, ts0, r1, 0, 2d_array, u8norm\nstop\n")};
   static const float clear[4] = {0.2f, 0.4f, 0.6f, 1.0f};
   uint8_t pbe[AGX_PBE_SIZE_B];
   const struct agx_pbe target = target_of(r);
   agx_pbe_pack(pbe, &target);
   const struct binding background = {
      .program = clear_program, .values = true, .uniforms[0] = render_memory(r, clear, sizeof(clear)), .tile = true};
   const struct binding end = {.program = ends[r->samples > 1  ? 1
                                               : r->layers > 1 ? 2
                                                               : 0],
                               .texture = render_memory(r, pbe, sizeof(pbe)),
                               .tile = true};
   r->command.bg_usc = bind(r, &background) | 4;
   r->command.eot_usc = bind(r, &end) | 4;
   r->command.bg_rsrc_spec = r->command.eot_rsrc_spec = 0x1012;
   r->command.partial_eot_usc = r->command.eot_usc;
   r->command.partial_eot_rsrc_spec = 0x1012;
   set_partial_background(r);
}

void
render_begin(struct render_try *r, uint32_t width_px, uint32_t height_px, uint32_t samples, uint32_t layers)
{
   static const uint32_t positions[] = {[1] = 0x88, [2] = 0x44cc, [4] = 0xeaa26e26};
   *r = (struct render_try){
      .width_px = width_px, .height_px = height_px, .samples = samples, .layers = layers, .threads = 1};
   r->vm = sim_vm_create();
   r->memory = calloc(1, MEMORY_B);
   if (!r->vm || !r->memory ||
       !sim_vm_map(r->vm, sim_va(BASE_VA), MEMORY_B, r->memory, SIM_READ | SIM_WRITE | SIM_EXECUTE))
      give_up("render_begin", "no memory");
   r->target = render_memory(r, NULL, 4 << 20);
   r->stream = render_memory(r, NULL, STREAM_B);
   r->command = (struct agx_render_command){
      .flag_process_empty_tiles = true,
      .isp_zls_pixels = (width_px - 1) | (height_px - 1) << 15,
      .vdm_ctrl_stream_base = r->stream,
      .isp_scissor_base = render_memory(r, NULL, 0x10000),
      .isp_dbias_base = render_memory(r, NULL, 0x10000),
      .isp_oclqry_base = render_memory(r, NULL, 0x1000),
      .ppp_multisamplectl = positions[samples],
      .ppp_ctrl = 0x202,
      .width_px = width_px,
      .height_px = height_px,
      .layers = layers,
      .utile_width_px = 32,
      .utile_height_px = samples == 4 ? 16 : 32,
      .samples = samples,
      .sample_size_B = 8,
      .isp_bgobjdepth = 0x3f800000,
      .isp_bgobjvals = 0x300,
   };
   set_programs(r);
}

void
render_free(struct render_try *r)
{
   sim_vm_destroy(r->vm);
   free(r->memory);
}

struct render_draw
render_draw(const struct render_try *r)
{
   float w = (float)r->width_px, h = (float)r->height_px;
   return (struct render_draw){
      .vertex = render_vertex_program,
      .fragment = render_colour_program,
      .primitive = AGX_PRIMITIVE_TRIANGLES,
      .count = 3,
      .instances = 1,
      .words = 8,
      .varyings = {.smooth = 4},
      .outputs = {.varyings = true},
      .cf_count = 2,
      .cf_slots = 5,
      .cf_registers = 5,
      .cf = {{.components = 1, .shade_model = AGX_SHADE_MODEL_LINEAR},
             {.components = 4,
              .shade_model = AGX_SHADE_MODEL_PERSPECTIVE,
              .base_slot = 1,
              .base_coefficient_register = 1}},
      .control = {.unk_9 = true, .scissor_enable = true},
      .face = {.line_width_px = 1.0f, .disable_depth_write = true, .depth_function = AGX_ZS_FUNC_ALWAYS},
      .face_2 = {.disable_depth_write = true,
                 .conservative_depth = AGX_CONSERVATIVE_DEPTH_UNCHANGED,
                 .depth_function = AGX_ZS_FUNC_ALWAYS},
      .stencil = {.write_mask = 0xff, .read_mask = 0xff, .compare = AGX_ZS_FUNC_ALWAYS},
      .cull = {.flat_shading_vertex = AGX_PPP_VERTEX_0, .depth_clip = true, .front_face_ccw = true},
      .cull_2 = {.clamp_w = true},
      .early = true,
      .viewport_count = 1,
      .viewports = {{w / 2, w / 2, h / 2, h / 2, 0.0f, 1.0f}},
      .scissors = {{r->width_px, 0, r->height_px, 0, 0.0f, 1.0f}},
   };
}

static void
stream_put(struct render_try *r, const void *words, uint32_t size_B)
{
   memcpy((uint32_t *)render_host(r, r->stream) + r->stream_dw, words, size_B);
   r->stream_dw += size_B / 4;
}

struct ppp_writer {
   uint8_t bytes[1024], *at;
   uint32_t leave_out;
};

#define PUT(w, bit, record, RECORD, ...)                                                                             \
   ((w)->leave_out & 1u << (bit) ? (void)0                                                                           \
                                 : (agx_##record##_pack((w)->at, &(const struct agx_##record)__VA_ARGS__),           \
                                    (void)((w)->at += AGX_##RECORD##_SIZE_B)))

/* The like records differ by name. */
#define SAME(type, value) (*(const struct type *)(const void *)(value))

static void
put_faces(struct ppp_writer *w, const struct render_draw *d)
{
   struct agx_fragment_control_2 none = {.unk_9 = true};
   if (!(w->leave_out & 1))
      agx_fragment_control_pack(w->at, &d->control), w->at += 4;
   if (!(w->leave_out & 2))
      agx_fragment_control_2_pack(w->at, &none), w->at += 4;
   for (unsigned side = 0; side < 2; side++) {
      if (!(w->leave_out & 4u << side * 3))
         agx_front_face_pack(w->at, &d->face), w->at += 4;
      if (!(w->leave_out & 8u << side * 3))
         agx_front_face_2_pack(w->at, &d->face_2), w->at += 4;
      if (!(w->leave_out & 16u << side * 3))
         agx_front_stencil_pack(w->at, &d->stencil), w->at += 4;
   }
}

/* Entries of the arrays that belong to this draw, by number. */
static struct agx_depth_bias_scissor
put_arrays(struct render_try *r, const struct render_draw *d, uint32_t number)
{
   uint8_t *scissor = (uint8_t *)render_host(r, r->command.isp_scissor_base) + number * 4 * AGX_SCISSOR_SIZE_B;
   for (uint32_t i = 0; i < d->viewport_count; i++)
      agx_scissor_pack(scissor + i * AGX_SCISSOR_SIZE_B, &d->scissors[i]);
   agx_depth_bias_pack((uint8_t *)render_host(r, r->command.isp_dbias_base) + number * AGX_DEPTH_BIAS_SIZE_B,
                       &d->bias);
   return (struct agx_depth_bias_scissor){.scissor = number * 4, .depth_bias = number};
}

static void
put_viewports(struct ppp_writer *w, const struct render_try *r, const struct render_draw *d)
{
   uint32_t wide = (uint32_t)div_round_up(r->width_px, 32), high = (uint32_t)div_round_up(r->height_px, 32);
   for (uint32_t i = 0; i < d->viewport_count; i++)
      PUT(w, 10, region_clip, REGION_CLIP, {.max_x_tl = wide, .max_y_tl = high, .enable = true});
   PUT(w, 11, viewport_control, VIEWPORT_CONTROL, {0});
   for (uint32_t i = 0; i < d->viewport_count; i++)
      agx_viewport_pack(w->at, &d->viewports[i]), w->at += AGX_VIEWPORT_SIZE_B;
}

static struct agx_fragment_shader
fragment_shader(struct render_try *r, const struct render_draw *d, uint64_t extra)
{
   if (!d->fragment)
      return (struct agx_fragment_shader){.uniforms = 64, .textures = 8};
   uint32_t list[9];
   const struct agx_cf_binding_header header = {.slots_dw = d->cf_slots, .coefficient_registers = d->cf_registers};
   agx_cf_binding_header_pack(list, &header);
   for (uint32_t i = 0; i < d->cf_count; i++)
      agx_cf_binding_pack(&list[1 + i], &d->cf[i]);
   const struct binding b = {.program = d->fragment,
                             .texture = d->texture,
                             .uniforms = {0, extra},
                             .tile = true,
                             .fragment = true,
                             .early = d->early};
   uint64_t cf = render_memory(r, list, 4 + d->cf_count * 4);
   return (struct agx_fragment_shader){.uniforms = 64,
                                       .textures = 8,
                                       .cf_bindings_count = d->cf_count,
                                       .pipeline = bind(r, &b),
                                       .cf_bindings = d->cf_count ? cf - BASE_VA : 0};
}

static void
put_record(struct render_try *r, const struct render_draw *d, uint32_t number, uint64_t extra)
{
   struct ppp_writer w = {.leave_out = d->leave_out};
   const struct agx_depth_bias_scissor arrays = put_arrays(r, d, number);
   const struct agx_fragment_shader shader = fragment_shader(r, d, extra);
   uint32_t header = 0x1fef0dffu & ~d->leave_out;
   header |= (d->viewport_count - 1) << 12;
   memcpy(w.bytes, &header, 4);
   w.at = w.bytes + 4;
   put_faces(&w, d);
   if (!(w.leave_out & 1u << 8))
      agx_depth_bias_scissor_pack(w.at, &arrays), w.at += 4;
   put_viewports(&w, r, d);
   PUT(&w, 16, w_clamp, W_CLAMP, {.w_clamp = 1e-10f});
   agx_output_select_pack(w.at, &d->outputs), w.at += 4;
   agx_varying_counts_32_pack(w.at, &d->varyings), w.at += 4;
   agx_varying_counts_16_pack(w.at, &d->pairs), w.at += 4;
   if (!(w.leave_out & 1u << 21))
      agx_cull_pack(w.at, &d->cull), w.at += 4;
   agx_cull_2_pack(w.at, &d->cull_2), w.at += 4;
   agx_fragment_shader_pack(w.at, &shader), w.at += AGX_FRAGMENT_SHADER_SIZE_B;
   PUT(&w, 24, occlusion_query, OCCLUSION_QUERY, {.index = d->query});
   PUT(&w, 25, occlusion_query_2, OCCLUSION_QUERY_2, {0});
   PUT(&w, 26, output_unknown, OUTPUT_UNKNOWN, {0});
   PUT(&w, 27, output_size, OUTPUT_SIZE, {.count_dw = d->words});
   PUT(&w, 28, varying_2, VARYING_2, {0});
   uint32_t size_B = (uint32_t)(w.at - w.bytes);
   uint64_t record = render_memory(r, w.bytes, size_B);
   const struct agx_vdm_ppp_state state = {
      .pointer_hi = (uint32_t)(record >> 32), .size_dw = size_B / 4, .pointer_lo = (uint32_t)record};
   uint8_t words[AGX_VDM_PPP_STATE_SIZE_B];
   agx_vdm_ppp_state_pack(words, &state);
   stream_put(r, words, sizeof(words));
}

static void
put_vertex_state(struct render_try *r, const struct render_draw *d, uint64_t data, uint64_t extra)
{
   const struct binding b = {.program = d->vertex, .uniforms = {data, extra}};
   const struct agx_vdm_state head = {.restart_index_present = true,
                                      .vertex_shader_word_0_present = true,
                                      .vertex_shader_word_1_present = true,
                                      .vertex_outputs_present = true,
                                      .vertex_unknown_present = true};
   const struct agx_vdm_restart_index restart = {.value = d->restart_index};
   const struct agx_vdm_vertex_shader_0 word_0 = {.uniforms = 64, .textures = 8};
   const struct agx_vdm_vertex_shader_1 word_1 = {.pipeline = bind(r, &b)};
   const struct agx_vdm_vertex_outputs outputs = {.count_1_dw = d->words, .count_2_dw = d->words};
   uint32_t words[6];
   agx_vdm_state_pack(&words[0], &head);
   agx_vdm_restart_index_pack(&words[1], &restart);
   agx_vdm_vertex_shader_0_pack(&words[2], &word_0);
   agx_vdm_vertex_shader_1_pack(&words[3], &word_1);
   agx_vdm_vertex_outputs_pack(&words[4], &outputs);
   agx_vdm_vertex_unknown_pack(&words[5], &d->vertex_unknown);
   stream_put(r, words, sizeof(words));
}

static void
put_index_list(struct render_try *r, const struct render_draw *d)
{
   uint64_t indices = d->indices ? render_memory(r, d->indices, d->count * d->index_size_B) : 0;
   struct agx_vdm_index_list head = {
      .primitive = d->primitive, .index_count_present = true, .instance_count_present = true, .start_present = true};
   if (d->indices) {
      head.index_buffer_hi = (uint32_t)(indices >> 32);
      head.restart_enable = d->restart;
      head.index_size = d->index_size_B == 1   ? AGX_INDEX_SIZE_U8
                        : d->index_size_B == 2 ? AGX_INDEX_SIZE_U16
                                               : AGX_INDEX_SIZE_U32;
      head.index_buffer_present = head.index_buffer_size_present = true;
   }
   uint32_t words[6];
   agx_vdm_index_list_pack(&words[0], &head);
   uint32_t n = 1;
   if (d->indices)
      words[n++] = (uint32_t)indices;
   words[n++] = d->count;
   words[n++] = d->instances;
   words[n++] = d->start;
   if (d->indices)
      words[n++] = (d->count * d->index_size_B + 3) / 4;
   stream_put(r, words, n * 4);
}

void
render_add(struct render_try *r, const struct render_draw *d)
{
   static uint32_t number;
   uint64_t data = render_memory(r, d->data, d->data_count * 4);
   uint64_t extra = d->extra_B ? render_memory(r, d->extra, d->extra_B) : 0;
   put_vertex_state(r, d, data, extra);
   put_record(r, d, number++ % 256, extra);
   put_index_list(r, d);
}

bool
render_run(struct render_try *r)
{
   uint8_t bytes[AGX_RENDER_COMMAND_SIZE_B], end[AGX_VDM_STREAM_TERMINATE_SIZE_B];
   const struct agx_vdm_stream_terminate terminate = {0};
   struct agx_sim_command command;
   agx_vdm_stream_terminate_pack(end, &terminate);
   uint32_t stream_dw = r->stream_dw;
   stream_put(r, end, sizeof(end));
   r->stream_dw = stream_dw; /* more may follow */
   agx_render_command_pack(bytes, &r->command);
   r->fault = (struct sim_fault){0};
   struct agx_sim *sim = agx_sim_create(agx_chip_by_name("m1"), r->threads);
   if (!sim)
      give_up("render_run", "no memory");
   agx_sim_set_schedule(sim, &r->schedule);
   bool ok =
      agx_sim_command_read(&command, true, bytes, &r->fault) && agx_sim_run(sim, r->vm, BASE_VA, &command, &r->fault);
   agx_sim_destroy(sim);
   return ok;
}

uint32_t
render_pixel(const struct render_try *r, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample)
{
   uint32_t words[6], texel;
   const struct agx_pbe target = target_of(r);
   struct agx_surface surface;
   struct sim_fault fault = {0};
   agx_pbe_pack(words, &target);
   if (!agx_surface_of_pbe(&surface, words, &fault) || !agx_surface_map(&surface, r->vm, SIM_READ, &fault) ||
       agx_surface_read_bytes(&surface, r->vm, &(struct agx_surface_place){x, y, layer, 0, sample}, &texel, &fault))
      give_up("render_pixel", fault.message);
   return texel;
}
