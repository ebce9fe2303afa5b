#include "random_pipeline.h"

#include <string.h>

static const char topology_letters[][12] = {"points", "lines", "line strip", "triangles", "strip", "fan"};

static void
put(uint8_t *at, VkFormat format, const float *values)
{
   for (unsigned i = 0; i < 4; i++) {
      const float v = values[i];
      const uint32_t code = (uint32_t)(v * 255 + 0.5f);
      switch ((int)format) {
      case VK_FORMAT_R32G32_SFLOAT:
      case VK_FORMAT_R32G32B32_SFLOAT:
      case VK_FORMAT_R32G32B32A32_SFLOAT:
         if (i < 2 || format == VK_FORMAT_R32G32B32A32_SFLOAT || (i == 2 && format == VK_FORMAT_R32G32B32_SFLOAT))
            memcpy(at + i * 4, &v, 4);
         break;
      case VK_FORMAT_R16G16_SFLOAT:
      case VK_FORMAT_R16G16B16A16_SFLOAT:
         if (i < 2 || format == VK_FORMAT_R16G16B16A16_SFLOAT)
            memcpy(at + i * 2, &(_Float16){(_Float16)v}, 2);
         break;
      case VK_FORMAT_R16G16_SNORM:
      case VK_FORMAT_R16G16_SSCALED:
         if (i < 2)
            memcpy(at + i * 2, &(int16_t){(int16_t)v}, 2);
         break;
      case VK_FORMAT_R8G8_SNORM:
         if (i < 2)
            at[i] = (uint8_t)(int8_t)v;
         break;
      case VK_FORMAT_R16G16B16A16_UNORM:
         memcpy(at + i * 2, &(uint16_t){(uint16_t)(code * 257)}, 2);
         break;
      case VK_FORMAT_A2B10G10R10_UNORM_PACK32: {
         uint32_t word;
         memcpy(&word, at, 4);
         word = i ? word : 0;
         word |= i < 3 ? code * 4 << i * 10 : (code >> 6) << 30;
         memcpy(at, &word, 4);
         break;
      }
      default: /* others: bytes */
         if (i == 0 || (i == 1 && format == VK_FORMAT_R8G8_UNORM) || format > VK_FORMAT_R8G8_UNORM)
            at[format == VK_FORMAT_B8G8R8A8_UNORM && i < 3 ? 2 - i : i] = (uint8_t)code;
      }
   }
}

struct attribute_kind {
   VkFormat format;
   uint32_t size_B;
   float scale;
};

static const struct attribute_kind positions[] = {
   {VK_FORMAT_R32G32_SFLOAT, 8, 1},  {VK_FORMAT_R32G32B32_SFLOAT, 12, 1},   {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 1},
   {VK_FORMAT_R16G16_SFLOAT, 4, 1},  {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 1}, {VK_FORMAT_R16G16_SNORM, 4, 32767},
   {VK_FORMAT_R16G16_SSCALED, 4, 1}, {VK_FORMAT_R8G8_SNORM, 2, 127}};
static const struct attribute_kind colors[] = {{VK_FORMAT_R8G8B8A8_UNORM, 4, 1},
                                               {VK_FORMAT_B8G8R8A8_UNORM, 4, 1},
                                               {VK_FORMAT_R8_UNORM, 1, 1},
                                               {VK_FORMAT_A8B8G8R8_UNORM_PACK32, 4, 1},
                                               {VK_FORMAT_R8G8_UNORM, 2, 1},
                                               {VK_FORMAT_R32G32_SFLOAT, 8, 1},
                                               {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 1},
                                               {VK_FORMAT_R32G32B32A32_SFLOAT, 16, 1},
                                               {VK_FORMAT_R16G16B16A16_UNORM, 8, 1},
                                               {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 1}};
static const struct attribute_kind instances[] = {{VK_FORMAT_R32G32B32A32_SFLOAT, 16, 1},
                                                  {VK_FORMAT_R16G16B16A16_SFLOAT, 8, 1}};
static const struct attribute_kind depths[] = {{VK_FORMAT_R32G32_SFLOAT, 8, 1}, {VK_FORMAT_R16G16_SFLOAT, 4, 1}};

static void
attribute_values(struct random_tile *tile, uint32_t attribute, float values[4])
{
   static const float ws[] = {1, 2, 0.5f, 4};
   for (unsigned i = 0; i < 4; i++) {
      switch (attribute) {
      case 0:
         values[i] = (float)rnd(tile, 151) - 75;
         break;
      case 1:
         values[i] = (float)rnd(tile, 256) / 255;
         break;
      case 2:
         values[i] = i == 2 ? (float)rnd(tile, 16) : (float)rnd(tile, 33) - 16;
         break;
      default:
         values[i] = i ? PICK(tile, ws) : (float)rnd(tile, 65);
      }
   }
}

/* Bindings of three or fewer attributes, at any numbers; the attribute of instances has its own. */
void
random_vertices(struct vkx *vkx, struct random_tile *tile, struct random_draw *draw, bool plain, uint8_t *vertices)
{
   const bool shared = chance(tile, 50);
   uint32_t numbers[4], offset_B[4] = {rnd(tile, 8) * 4}, size_B[4];
   for (unsigned i = 0; i < 4; i++)
      numbers[i] = rnd(tile, 4) * 4 + i;
   draw->num_bindings = 0;
   for (uint32_t a = 0; a < 4; a++) {
      const struct attribute_kind kind = a == 0   ? PICK(tile, positions)
                                         : a == 1 ? plain ? colors[0] : PICK(tile, colors)
                                         : a == 2 ? PICK(tile, instances)
                                                  : PICK(tile, depths);
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(vkx->physical, kind.format, &properties);
      need(tile, properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT);
      if (a == 0)
         draw->push.scale[0] = kind.scale;
      const bool own = a == 0 || a == 2 || !shared;
      const uint32_t b = own ? draw->num_bindings++ : 0;
      if (own) {
         draw->bindings[b] = (VkVertexInputBindingDescription){
            numbers[b], 0, a == 2 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
         draw->offsets_B[b] = rnd(tile, 16) * 4 + b * (RANDOM_DRAW_B / 4);
      }
      const uint32_t attribute_B = b == 0 ? offset_B[0] : rnd(tile, 5) * 4;
      draw->attributes[a] =
         (VkVertexInputAttributeDescription){a, draw->bindings[b].binding, kind.format, attribute_B};
      offset_B[0] += b == 0 ? (kind.size_B + 3) / 4 * 4 + rnd(tile, 3) * 4 : 0;
      size_B[a] = kind.size_B;
      draw->bindings[b].stride = b == 0 ? offset_B[0] : attribute_B + (size_B[a] + 3) / 4 * 4 + rnd(tile, 4) * 4;
      if (a && b && chance(tile, 5))
         draw->bindings[b].stride = 0;
   }
   const bool has_divisor = vkt_has("VK_EXT_vertex_attribute_divisor");
   uint32_t which = shared ? 1 : 2;
   draw->divisor = (VkVertexInputBindingDivisorDescriptionEXT){draw->bindings[which].binding, 1};
   if (chance(tile, 30) && need(tile, has_divisor))
      draw->divisor.divisor = rnd(tile, 4);
   for (uint32_t a = 0; a < 4; a++) {
      uint32_t b = 0;
      while (draw->bindings[b].binding != draw->attributes[a].binding)
         b++;
      for (uint32_t v = 0; v < RANDOM_VERTICES; v++) {
         float values[4];
         attribute_values(tile, a, values);
         put(vertices + draw->offsets_B[b] + draw->bindings[b].stride * v + draw->attributes[a].offset,
             draw->attributes[a].format, values);
      }
   }
}

void
random_command(struct random_tile *tile, struct random_draw *draw, uint8_t *indices, uint8_t *commands)
{
   static const uint32_t instance_counts[] = {1, 1, 1, 2, 3, 7};
   const bool list = draw->assembly.topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
                     draw->assembly.topology <= VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
   draw->indexed = chance(tile, 50);
   draw->count = chance(tile, 5) ? 1 + rnd(tile, 3) : 3 + rnd(tile, 10);
   draw->first = rnd(tile, 12);
   draw->instances = PICK(tile, instance_counts);
   draw->first_instance = chance(tile, 30) ? rnd(tile, 5) : 0;
   draw->vertex_offset = draw->indexed ? (int32_t)rnd(tile, 9) - 4 : 0;
   draw->indirect = chance(tile, 40);
   draw->commands = draw->indirect ? 1 + rnd(tile, 3) : 1;
   draw->assembly.primitiveRestartEnable = !list && draw->indexed && chance(tile, 60);
   static const VkIndexType types[] = {VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32, VK_INDEX_TYPE_UINT8_EXT};
   draw->index_type = PICK(tile, types);
   const bool bytes = draw->index_type == VK_INDEX_TYPE_UINT8_EXT;
   need(tile, !draw->indexed || !bytes || vkt_has("VK_EXT_index_type_uint8"));
   const uint32_t size_B = bytes ? 1 : draw->index_type == VK_INDEX_TYPE_UINT16 ? 2 : 4;
   draw->index_offset_B = rnd(tile, 9) * size_B;
   if (tile->strict && draw->indirect)
      draw->index_offset_B = 0; /* lavapipe forgets it */
   for (uint32_t i = 0; i < 64; i++) {
      const uint32_t restart = 0xffffffffu;
      const uint32_t vertex = draw->assembly.primitiveRestartEnable && chance(tile, 15)
                                 ? restart
                                 : 4 + rnd(tile, RANDOM_VERTICES - 8) - (uint32_t)draw->vertex_offset;
      memcpy(indices + draw->index_offset_B + i * size_B, &vertex, size_B);
   }
   draw->command_offset_B = rnd(tile, 9) * 4;
   draw->command_stride_B = (draw->indexed ? 20 : 16) + rnd(tile, 4) * 4;
   for (uint32_t i = 0; i < 3; i++) {
      const VkDrawIndexedIndirectCommand with = {draw->count, i ? rnd(tile, 3) : draw->instances, draw->first + i,
                                                 draw->vertex_offset, draw->first_instance};
      const VkDrawIndirectCommand without = {with.indexCount, with.instanceCount, with.firstIndex,
                                             with.firstInstance};
      const size_t at = draw->command_offset_B + i * draw->command_stride_B;
      memcpy(commands + at, draw->indexed ? (const void *)&with : &without, draw->indexed ? 20 : 16);
   }
   say(tile, " %s%s%s %u+%u x%u+%u", topology_letters[draw->assembly.topology], draw->indexed ? " indexed" : "",
       draw->assembly.primitiveRestartEnable ? " restart" : "", draw->count, draw->first, draw->instances,
       draw->first_instance);
   if (draw->indexed)
      say(tile, " base %d i%u", draw->vertex_offset, size_B * 8);
   if (draw->indirect)
      say(tile, " indirect %u", draw->commands);
   if (draw->divisor.divisor != 1)
      say(tile, " divisor %u", draw->divisor.divisor);
}
