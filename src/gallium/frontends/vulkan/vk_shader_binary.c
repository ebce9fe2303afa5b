/* Binaries of shader objects. They hold the stage as it was described, with its constants: what a program depends on
 * next to it is not known before a draw. */
#include "compiler/spirv/spirv_to_nir.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/within_memory.h"

#define MAGIC UINT64_C(0x4d55494449564853)

/* After it: code, entries of constants, their data, the name with its end. */
struct header {
   uint64_t magic;
   uint64_t checksum; /* of all after this */
   uint8_t uuid[VK_UUID_SIZE];
   uint32_t version, stage, stage_flags;
   uint32_t subgroup_size; /* 0: any */
   uint32_t code_words, num_entries, data_B, name_B;
};
#define CHECKED_FROM offsetof(struct header, uuid)

struct entry {
   uint32_t id, offset_B;
   uint64_t size_B;
};

const uint8_t *
vk_shader_binary_uuid(const struct pipe_caps *caps)
{
   return caps->driver_uuid;
}

static struct header
header_of(const struct vk_device *device, const struct vk_shader_object *shader)
{
   const struct vk_stage_copy *source = shader->source;
   const VkSpecializationInfo *constants = source->info.pSpecializationInfo;
   struct header header = {
      .magic = MAGIC,
      .version = VK_SHADER_BINARY_VERSION,
      .stage = source->info.stage,
      .stage_flags = source->info.flags,
      .subgroup_size = source->info.pNext ? source->subgroup_size.requiredSubgroupSize : 0,
      .code_words = (uint32_t)vk_stage_code(&source->info).words,
      .num_entries = constants ? constants->mapEntryCount : 0,
      .data_B = constants ? (uint32_t)constants->dataSize : 0,
      .name_B = (uint32_t)strlen(source->info.pName) + 1,
   };
   if (device)
      memcpy(header.uuid, vk_shader_binary_uuid(&device->screen->caps), VK_UUID_SIZE);
   return header;
}

static uint64_t
size_of(const struct header *header)
{
   return sizeof(*header) + 4 * (uint64_t)header->code_words + sizeof(struct entry) * (uint64_t)header->num_entries +
          header->data_B + header->name_B;
}

size_t
vk_shader_binary_size(const struct vk_shader_object *shader)
{
   const struct header header = header_of(NULL, shader);
   return size_of(&header);
}

static char *
put(char *to, const void *from, size_t size_B)
{
   if (size_B)
      memcpy(to, from, size_B);
   return to + size_B;
}

void
vk_shader_binary_write(const struct vk_device *device, const struct vk_shader_object *shader, void *data)
{
   const VkPipelineShaderStageCreateInfo *info = &shader->source->info;
   const VkSpecializationInfo *constants = info->pSpecializationInfo;
   struct header header = header_of(device, shader);
   char *out = (char *)data + sizeof(header);
   out = put(out, vk_stage_code(info).code, 4 * (size_t)header.code_words);
   for (uint32_t i = 0; i < header.num_entries; i++) {
      const VkSpecializationMapEntry *from = &constants->pMapEntries[i];
      const struct entry entry = {from->constantID, from->offset, from->size};
      out = put(out, &entry, sizeof(entry));
   }
   out = put(out, constants ? constants->pData : NULL, header.data_B);
   put(out, info->pName, header.name_B);
   memcpy(data, &header, sizeof(header));
   header.checksum = hash_bytes((char *)data + CHECKED_FROM, size_of(&header) - CHECKED_FROM);
   memcpy(data, &header, sizeof(header));
}

/* ---- reading ---- */

/* What is wrong with it, or NULL. */
static const char *
check_header(struct vk_device *device, const VkShaderCreateInfoEXT *info, const struct header *header)
{
   if (header->magic != MAGIC)
      return "no binary of a shader";
   if (header->version != VK_SHADER_BINARY_VERSION)
      return "of another version";
   if (memcmp(header->uuid, vk_shader_binary_uuid(&device->screen->caps), VK_UUID_SIZE) != 0)
      return "of another device";
   if (header->stage != (uint32_t)info->stage)
      return "of another stage";
   if (!header->code_words || !header->name_B || size_of(header) != info->codeSize)
      return "not as long as it says";
   if (hash_bytes((const char *)info->pCode + CHECKED_FROM, info->codeSize - CHECKED_FROM) != header->checksum)
      return "damaged";
   return NULL;
}

struct reading {
   struct vk_device *device;
   const VkShaderCreateInfoEXT *info;
   struct header header;
   struct arena arena;
   const char *error;
   struct vk_stage_copy *copy;
};

/* In aligned copies, as the application's memory need not be. */
static void *
read_aligned(struct arena *arena, const char **in, size_t size_B)
{
   char *out = arena_array(arena, char, size_B + 16);
   out += -(uintptr_t)out & 15;
   if (size_B)
      memcpy(out, *in, size_B);
   *in += size_B;
   return out;
}

static VkSpecializationInfo
take_constants(struct reading *r, const char **in)
{
   const struct entry *entries = read_aligned(&r->arena, in, r->header.num_entries * sizeof(*entries));
   VkSpecializationMapEntry *to = arena_array(&r->arena, VkSpecializationMapEntry, r->header.num_entries + 1);
   for (uint32_t i = 0; i < r->header.num_entries; i++) {
      to[i] = (VkSpecializationMapEntry){entries[i].id, entries[i].offset_B, entries[i].size_B};
      if (entries[i].size_B > 8 || entries[i].offset_B + entries[i].size_B > r->header.data_B)
         r->error = "constants lie outside of it";
   }
   return (VkSpecializationInfo){r->header.num_entries, to, r->header.data_B,
                                 read_aligned(&r->arena, in, r->header.data_B)};
}

static void
read_stage(void *data)
{
   struct reading *r = data;
   const char *in = (const char *)r->info->pCode + sizeof(r->header);
   VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = r->header.subgroup_size,
   };
   VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .pNext = r->header.subgroup_size ? &size : NULL,
      .codeSize = 4 * (size_t)r->header.code_words,
      .pCode = read_aligned(&r->arena, &in, 4 * (size_t)r->header.code_words),
   };
   const VkSpecializationInfo constants = take_constants(r, &in);
   const char *name = read_aligned(&r->arena, &in, r->header.name_B);
   if (name[r->header.name_B - 1])
      r->error = "its name has no end";
   if (r->error || !spirv_check(&r->arena, module.pCode, r->header.code_words, &r->error))
      return;
   const VkPipelineShaderStageCreateInfo stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .pNext = &module,
      .flags = r->header.stage_flags,
      .stage = (VkShaderStageFlagBits)r->header.stage,
      .pName = name,
      .pSpecializationInfo = constants.mapEntryCount ? &constants : NULL,
   };
   r->copy = vk_stage_copy(r->device, &stage);
}

struct vk_stage_copy *
vk_shader_binary_read(struct vk_device *device, const VkShaderCreateInfoEXT *info, VkResult *result)
{
   struct reading r = {.device = device, .info = info};
   *result = VK_INCOMPATIBLE_SHADER_BINARY_EXT;
   if (info->codeSize >= sizeof(r.header))
      memcpy(&r.header, info->pCode, sizeof(r.header));
   r.error = check_header(device, info, &r.header);
   /* Its words need not be aligned, so that nothing looks at them so far. */
   if (!r.error && !within_memory_on_stack(SPIRV_DEEP_STACK_B, read_stage, &r))
      *result = VK_ERROR_OUT_OF_HOST_MEMORY;
   else if (r.error)
      log_error("vkCreateShadersEXT: the binary is %s", r.error);
   else if (!r.copy)
      *result = VK_ERROR_OUT_OF_HOST_MEMORY;
   arena_free(&r.arena);
   return r.copy;
}
