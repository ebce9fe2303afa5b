/* Subgroup operations on all types, in all lanes and in parts of them, in compute, vertex and fragment shaders. Every
 * invocation tells which subgroup and lane it is and who is active with it; the CPU does the rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(uint_code){
#include "subgroup_uint.inc"
};
CODE(int_code){
#include "subgroup_int.inc"
};
CODE(float_code){
#include "subgroup_float.inc"
};
CODE(double_code){
#include "subgroup_double.inc"
};
CODE(half_code){
#include "subgroup_half.inc"
};
CODE(int64_code){
#include "subgroup_int64.inc"
};
CODE(uint64_code){
#include "subgroup_uint64.inc"
};
CODE(int16_code){
#include "subgroup_int16.inc"
};
CODE(uint16_code){
#include "subgroup_uint16.inc"
};
CODE(int8_code){
#include "subgroup_int8.inc"
};
CODE(uint8_code){
#include "subgroup_uint8.inc"
};
CODE(vertex_code){
#include "subgroup_vert.inc"
};
CODE(fragment_code){
#include "subgroup_frag.inc"
};
CODE(quad_code){
#include "quad.vert.inc"
};

enum { COUNT = 256, MAX_ROWS = 160, MODES = 6, MAX_LANES = 128 };

enum kind { UNSIGNED, SIGNED, FLOATING };

static const struct type {
   const char *name;
   enum kind kind;
   unsigned bits;
   struct vkt_code code;
   bool extended;
} types[] = {
   {"uint", UNSIGNED, 32, VKT_CODE(uint_code), false},    {"int", SIGNED, 32, VKT_CODE(int_code), false},
   {"float", FLOATING, 32, VKT_CODE(float_code), false},  {"double", FLOATING, 64, VKT_CODE(double_code), false},
   {"float16", FLOATING, 16, VKT_CODE(half_code), true},  {"int64", SIGNED, 64, VKT_CODE(int64_code), true},
   {"uint64", UNSIGNED, 64, VKT_CODE(uint64_code), true}, {"int16", SIGNED, 16, VKT_CODE(int16_code), true},
   {"uint16", UNSIGNED, 16, VKT_CODE(uint16_code), true}, {"int8", SIGNED, 8, VKT_CODE(int8_code), true},
   {"uint8", UNSIGNED, 8, VKT_CODE(uint8_code), true},
};

enum operation { ADD, MUL, MIN, MAX, AND, OR, XOR };
static const char *const operation_names[] = {"add", "mul", "min", "max", "and", "or", "xor"};

/* One subgroup: what its lanes gave. */
struct wave {
   unsigned size;
   uint64_t active;
   uint64_t x[MAX_LANES];
   bool odd[MAX_LANES], other[MAX_LANES]; /* other: bit 1 of the input */
   uint32_t input[MAX_LANES];
   unsigned index[MAX_LANES];
};

struct run {
   const struct type *type;
   const char *what;
   const uint64_t *results;
   unsigned count, row, wrong;
};

static bool
is_active(const struct wave *w, unsigned lane)
{
   return lane < w->size && w->active >> lane & 1;
}

static uint64_t
narrow(const struct type *type, uint64_t x)
{
   return type->bits == 64 ? x : x & ((UINT64_C(1) << type->bits) - 1);
}

static double
to_float(const struct type *type, uint64_t bits)
{
   union {
      uint64_t bits;
      double d;
      float f;
      _Float16 h;
   } u = {.bits = bits};
   return type->bits == 64 ? u.d : type->bits == 32 ? (double)u.f : (double)u.h;
}

static uint64_t
from_float(const struct type *type, double x)
{
   union {
      uint64_t bits;
      double d;
      float f;
      _Float16 h;
   } u = {.bits = 0};
   if (type->bits == 64)
      u.d = x;
   else if (type->bits == 32)
      u.f = (float)x;
   else
      u.h = (_Float16)x;
   return u.bits;
}

static int64_t
to_signed(const struct type *type, uint64_t x)
{
   return (int64_t)(x << (64 - type->bits)) >> (64 - type->bits);
}

static uint64_t
apply(const struct type *type, enum operation op, uint64_t a, uint64_t b)
{
   if (type->kind == FLOATING) {
      const double x = to_float(type, a), y = to_float(type, b);
      return from_float(type, op == ADD ? x + y : op == MUL ? x * y : op == MIN ? fmin(x, y) : fmax(x, y));
   }
   const bool less = type->kind == SIGNED ? to_signed(type, a) < to_signed(type, b) : a < b;
   switch (op) {
   case ADD:
      return narrow(type, a + b);
   case MUL:
      return narrow(type, a * b);
   case MIN:
      return less ? a : b;
   case MAX:
      return less ? b : a;
   case AND:
      return a & b;
   case OR:
      return a | b;
   case XOR:
      return a ^ b;
   }
   abort();
}

static uint64_t
identity(const struct type *type, enum operation op)
{
   const uint64_t ones = narrow(type, UINT64_MAX), sign = UINT64_C(1) << (type->bits - 1);
   if (type->kind == FLOATING)
      return from_float(type, op == ADD ? 0 : op == MUL ? 1 : op == MIN ? INFINITY : -INFINITY);
   switch (op) {
   case MUL:
      return 1;
   case MIN:
      return type->kind == SIGNED ? ones ^ sign : ones;
   case MAX:
      return type->kind == SIGNED ? sign : 0;
   case AND:
      return ones;
   case ADD:
   case OR:
   case XOR:
      return 0;
   }
   abort();
}

static uint64_t
combine(const struct type *type, const struct wave *w, enum operation op, const uint64_t *x, unsigned first,
        unsigned end)
{
   uint64_t sum = identity(type, op);
   for (unsigned i = first; i < end; i++)
      sum = is_active(w, i) ? apply(type, op, sum, x[i]) : sum;
   return sum;
}

/* The next row must hold `want` in this lane; floats may differ in the sign of zero. */
static void
expect(struct run *r, const struct wave *w, unsigned lane, bool defined, bool is_value, uint64_t want,
       const char *name)
{
   /* size: a value, and whose it is */
   const uint64_t bits = r->results[r->row++ * COUNT + w->index[lane]], got = is_value ? narrow(r->type, bits) : bits;
   if (!defined || got == want)
      return;
   if (is_value && r->type->kind == FLOATING && to_float(r->type, got) == to_float(r->type, want))
      return;
   if (r->wrong++ < 3)
      printf("   %s, %s: row %u (%s), lane %u of %u, active %#llx: %#llx, not %#llx\n", r->type->name, r->what,
             r->row - 1, name, lane, w->size, (unsigned long long)w->active, (unsigned long long)got,
             (unsigned long long)want);
}

static void
check_arithmetic(struct run *r, const struct wave *w, unsigned lane)
{
   for (enum operation op = ADD; op <= (r->type->kind == FLOATING ? MAX : XOR); op++) {
      expect(r, w, lane, true, true, combine(r->type, w, op, w->x, 0, w->size), operation_names[op]);
      expect(r, w, lane, true, true, combine(r->type, w, op, w->x, 0, lane + 1), operation_names[op]);
      expect(r, w, lane, true, true, combine(r->type, w, op, w->x, 0, lane), operation_names[op]);
      for (unsigned cluster = 1; cluster <= 32; cluster *= 2) {
         const unsigned first = lane & ~(cluster - 1);
         expect(r, w, lane, cluster <= w->size, true, combine(r->type, w, op, w->x, first, first + cluster),
                operation_names[op]);
      }
   }
   static const struct type boolean = {.kind = UNSIGNED, .bits = 1};
   uint64_t odd[MAX_LANES];
   for (unsigned i = 0; i < w->size; i++)
      odd[i] = w->odd[i];
   for (unsigned kind = 0; kind < 4; kind++) {
      const unsigned first = kind == 3 ? lane & ~3u : 0;
      const unsigned ends[4] = {w->size, lane + 1, lane, first + 4};
      for (enum operation op = AND; op <= XOR; op++)
         expect(r, w, lane, true, false, combine(&boolean, w, op, odd, first, ends[kind]), "of booleans");
   }
}

static void
check_moves(struct run *r, const struct wave *w, unsigned lane)
{
   const unsigned first = (unsigned)__builtin_ctzll(w->active), quad = lane & ~3u;
   /* clang-format off */
   const unsigned from[] = {5, first, (lane * 7 + 3) % w->size, w->input[lane] % w->size, 9, lane ^ 1, lane ^ 13,
                            lane ^ 31, lane - 3, lane + 7, quad, quad + 1, quad + 2, quad + 3, lane ^ 1, lane ^ 2,
                            lane ^ 3, (lane + 1) % w->size};
   /* clang-format on */
   static const char *const names[] = {
      "broadcast", "broadcast first", "shuffle",    "shuffle random", "shuffle 9", "xor 1",
      "xor 13",    "xor 31",          "up",         "down",           "quad 0",    "quad 1",
      "quad 2",    "quad 3",          "horizontal", "vertical",       "diagonal",  "shuffle vector"};
   for (unsigned i = 0; i < sizeof(from) / sizeof(*from); i++)
      expect(r, w, lane, is_active(w, from[i]), true, is_active(w, from[i]) ? w->x[from[i]] : 0, names[i]);
}

static void
check_ballots(struct run *r, const struct wave *w, unsigned lane)
{
   const uint64_t all = w->size == 64 ? UINT64_MAX : (UINT64_C(1) << w->size) - 1, bit = UINT64_C(1) << lane;
   const uint64_t pattern = UINT64_C(0x8765a5a55a5a1234);
   uint64_t odd = 0;
   bool equal = true;
   const unsigned first = (unsigned)__builtin_ctzll(w->active);
   for (unsigned i = 0; i < w->size; i++) {
      odd |= (uint64_t)(is_active(w, i) && w->odd[i]) << i;
      equal &= !is_active(w, i) || w->x[i] == w->x[first];
   }
   expect(r, w, lane, true, false, odd == w->active, "all");
   expect(r, w, lane, true, false, odd != 0, "any");
   expect(r, w, lane, true, false, 1, "all of true");
   expect(r, w, lane, true, false, 0, "any of false");
   expect(r, w, lane, true, false, equal, "all equal");
   expect(r, w, lane, true, false, odd == w->active || !odd, "all equal of booleans");
   expect(r, w, lane, true, false, 1, "all equal of a constant");
   expect(r, w, lane, true, false, odd, "ballot");
   expect(r, w, lane, true, false, pattern >> lane & 1, "inverse ballot");
   expect(r, w, lane, true, false, pattern >> lane * 5 % w->size & 1, "bit extract");
   expect(r, w, lane, true, false, (uint64_t)__builtin_popcountll(odd), "bit count");
   expect(r, w, lane, true, false, (uint64_t)__builtin_popcountll(odd & (bit | (bit - 1))), "inclusive bit count");
   expect(r, w, lane, true, false, (uint64_t)__builtin_popcountll(odd & (bit - 1)), "exclusive bit count");
   expect(r, w, lane, true, false, first, "find LSB");
   expect(r, w, lane, true, false, 63 - (uint64_t)__builtin_clzll(w->active), "find MSB");
   expect(r, w, lane, true, false, lane == first, "elect");
   expect(r, w, lane, true, false, bit, "eq mask");
   expect(r, w, lane, true, false, all & ~(bit - 1), "ge mask");
   expect(r, w, lane, true, false, all & ~(bit - 1) & ~bit, "gt mask");
   expect(r, w, lane, true, false, bit | (bit - 1), "le mask");
   expect(r, w, lane, true, false, bit - 1, "lt mask");
}

static bool
should_run(const uint32_t *input, unsigned mode, unsigned lane, unsigned i)
{
   switch (mode) {
   case 0:
      return true;
   case 1:
      return lane % 3 != 1;
   case 2:
      return !(input[2 * i] & 2);
   case 3:
      return lane == 11;
   case 4:
      return lane % 4 != lane / 8 % 3;
   default:
      return lane > 36;
   }
}

/* Collects the waves that wrote and checks each lane. Returns how many invocations ran. */
static unsigned
check(struct run *r, const uint32_t *input, unsigned count, unsigned mode)
{
   unsigned ran = 0;
   bool done[COUNT + 1] = {false};
   for (unsigned i = 0; i < count; i++) {
      const uint32_t id = (uint32_t)r->results[i];
      if (!id || id > COUNT || done[id])
         continue;
      done[id] = true;
      struct wave w = {.size = (unsigned)r->results[2 * COUNT + i]};
      uint64_t ballot = r->results[COUNT + i];
      for (unsigned j = i; j < count; j++) {
         const unsigned lane = (unsigned)(r->results[j] >> 32);
         if ((uint32_t)r->results[j] != id || lane >= w.size)
            continue;
         w.active |= UINT64_C(1) << lane;
         w.x[lane] = narrow(r->type, input[2 * j] | (uint64_t)input[2 * j + 1] << 32);
         w.odd[lane] = input[2 * j] & 1;
         w.input[lane] = input[2 * j];
         w.index[lane] = j;
         r->wrong += !should_run(input, mode, lane, j);
      }
      r->wrong +=
         !vkt_expect(ballot == w.active && w.size >= 4, "%s, %s: a subgroup of %u, ballot %#llx, but %#llx wrote",
                     r->type->name, r->what, w.size, (unsigned long long)ballot, (unsigned long long)w.active);
      for (unsigned lane = 0; lane < w.size; lane++) {
         if (!is_active(&w, lane))
            continue;
         ran++;
         r->row = 3;
         check_arithmetic(r, &w, lane);
         check_moves(r, &w, lane);
         check_ballots(r, &w, lane);
      }
   }
   return ran;
}

static void
fill(const struct type *type, uint32_t *input)
{
   for (unsigned i = 0; i < COUNT; i++) {
      uint64_t x = vkt_random() | (uint64_t)vkt_random() << 32;
      /* Sums and products of floats are exact in any order. */
      if (type->kind == FLOATING)
         x = from_float(type, i % 16 == 5 ? 2 : i % 16 == 9 ? 0.5 : x & 4 ? 1 : -1);
      input[2 * i] = (uint32_t)x;
      input[2 * i + 1] = (uint32_t)(x >> 32);
   }
}

struct buffers {
   struct vkx_buffer all[3];
};

static struct buffers
create_buffers(struct vkx *vkx, const struct type *type)
{
   struct buffers b = {{vkt_buffer_create(vkx, COUNT * 8, 0), vkt_buffer_create(vkx, MAX_ROWS * COUNT * 8, 0),
                        vkt_buffer_create(vkx, 64, 0)}};
   fill(type, b.all[0].map);
   return b;
}

static void
finish(struct vkx *vkx, struct buffers *b, const struct type *type, const char *what, unsigned count, unsigned mode)
{
   struct run r = {type, what, b->all[1].map, .count = count};
   const unsigned ran = check(&r, b->all[0].map, count, mode);
   vkt_expect(!r.wrong && (ran == count || (mode && (ran || mode == 3 || mode == 5))),
              "%s, %s: %u wrong results, %u of %u invocations", type->name, what, r.wrong, ran, count);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &b->all[i]);
}

static void
run_compute(struct vkx *vkx, const struct type *type, unsigned group_size, unsigned mode, unsigned subgroup_size)
{
   const unsigned groups = COUNT / group_size > 2 ? 2 : COUNT / group_size;
   const uint32_t constants[3] = {group_size, mode, COUNT};
   char what[64];
   snprintf(what, sizeof(what), "compute, groups of %u, mode %u, subgroups of %u", group_size, mode, subgroup_size);
   struct buffers b = create_buffers(vkx, type);
   vkt_dispatch(vkx, &(struct vkt_dispatch){type->code, 3, b.all, 3, constants, .groups = groups,
                                            .subgroup_size = subgroup_size});
   finish(vkx, &b, type, what, groups * group_size, mode);
}

/* The vertices of 200 points, or the pixels of a picture of 16 x 16. */
static void
run_draw(struct vkx *vkx, bool vertex, unsigned mode)
{
   struct buffers b = create_buffers(vkx, &types[0]);
   const VkShaderStageFlags stages = VKT_QUAD_STAGES;
   const VkDescriptorType descriptors[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 3, descriptors, stages);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, stages, sizeof(struct vkt_quad));
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, descriptors[0], &b.all[0]);
   for (unsigned i = 1; i < 3; i++) {
      const VkDescriptorBufferInfo info = {b.all[i].buffer, 0, VK_WHOLE_SIZE};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .dstBinding = i,
                                          .descriptorCount = 1,
                                          .descriptorType = descriptors[0],
                                          .pBufferInfo = &info};
      vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   }
   const uint32_t constants[3] = {64, mode, COUNT};
   const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
   const VkSpecializationInfo specialization = {3, entries, 12, constants};
   const VkExtent2D extent = {16, 16};
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkt_pipeline_info info = {
      .pass = target.pass, .layout = layout, .specialization = &specialization, .points = vertex};
   info.vertex = vertex ? VKT_CODE(vertex_code) : VKT_CODE(quad_code);
   if (!vertex)
      info.fragment = VKT_CODE(fragment_code);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &info);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   /* Half of a quad of twice the size: a triangle over all pixels has no helper invocations. */
   const struct vkt_quad quad = {-1, -1, 3, 3, {0}, 0};
   vkCmdPushConstants(cmd, layout, stages, 0, sizeof(quad), &quad);
   vkCmdDraw(cmd, vertex ? 200 : 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   char what[64];
   snprintf(what, sizeof(what), "%s, mode %u", vertex ? "vertices" : "fragments", mode);
   finish(vkx, &b, &types[0], what, vertex ? 200 : 256, mode);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_target_destroy(vkx, &target);
}

static bool
is_offered(const struct type *type)
{
   if (type->kind == FLOATING && type->bits == 64)
      return vkt_features.shaderFloat64;
   if (!type->extended)
      return true;
   if (!vkt_has("VK_KHR_shader_subgroup_extended_types"))
      return false;
   return type->kind == FLOATING ? vkt_float16
          : type->bits == 64     ? vkt_features.shaderInt64
          : type->bits == 16     ? vkt_features.shaderInt16
                                 : vkt_int8;
}

int
main(void)
{
   struct vkx vkx = vkt_create("subgroup");
   for (unsigned i = 0; i < sizeof(types) / sizeof(*types); i++) {
      if (!is_offered(&types[i])) {
         vkt_skip(types[i].name);
         continue;
      }
      for (unsigned mode = 0; mode < MODES; mode++)
         run_compute(&vkx, &types[i], mode == 1 ? 128 : 64, mode, 0);
      run_compute(&vkx, &types[i], 40, 2, 0);
      run_compute(&vkx, &types[i], 13, 0, 0);
      for (unsigned mode = 0; mode < MODES; mode++) {
         if (vkt_offers_lanes(&vkx, 32))
            run_compute(&vkx, &types[i], 64, mode, 32);
         if (vkt_offers_lanes(&vkx, 64))
            run_compute(&vkx, &types[i], 72, mode, 64);
      }
   }
   for (unsigned mode = 0; mode < MODES; mode++) {
      run_draw(&vkx, false, mode);
      run_draw(&vkx, true, mode);
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
