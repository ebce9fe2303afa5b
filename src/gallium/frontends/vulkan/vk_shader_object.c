#include "gallium/frontends/vulkan/vk_shader_object.h"

#include "compiler/nir/nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* ---- compiling ---- */

struct creation {
   struct vk_device *device;
   struct vk_shader_object *shader;
   struct arena arena;
   enum pipe_result result;
};

static void
compile_compute(void *data)
{
   struct creation *c = data;
   struct pipe_screen *screen = c->device->screen;
   const struct pipe_compute_options options = {
      .layout = &c->shader->layout,
      .dispatch_base = c->shader->flags & VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT,
      .custom_borders = c->device->features.customBorderColors,
   };
   struct nir_shader *nir = vk_shader_to_nir(c->device, &c->arena, &c->shader->source->info);
   c->result = PIPE_INVALID_SHADER;
   if (nir && vk_lower_ycbcr(nir, options.layout))
      c->result = screen->compute_program_create(screen, nir, &options, &c->shader->program);
}

/* So that what cannot be used is known at once. */
static void
translate(void *data)
{
   struct creation *c = data;
   c->result = vk_shader_to_nir(c->device, &c->arena, &c->shader->source->info) ? PIPE_OK : PIPE_INVALID_SHADER;
}

/* Where the driver can compile the stage without what draws bring. */
static enum pipe_result
compile_graphics(struct vk_device *device, struct vk_shader_object *shader)
{
   const struct vk_graphics_state state = {
      .parts = vk_part_of_stage(shader->stage),
      .state = vk_default_states,
   };
   struct vk_graphics_program from = {.device = device, .state = &state, .layout = &shader->layout};
   from.stages[shader->stage] = &shader->source->info;
   return vk_graphics_program_compile(&from, shader->stage, &shader->compiled);
}

static enum pipe_result
compile(struct vk_device *device, struct vk_shader_object *shader)
{
   struct creation c = {.device = device, .shader = shader};
   const struct vk_spirv code = vk_stage_code(&shader->source->info);
   if (!vk_within_memory(&code, 1, shader->stage == NIR_STAGE_COMPUTE ? compile_compute : translate, &c))
      c.result = PIPE_OUT_OF_HOST_MEMORY;
   arena_free(&c.arena);
   if (c.result == PIPE_OK && shader->stage != NIR_STAGE_COMPUTE)
      c.result = compile_graphics(device, shader);
   return c.result;
}

/* ---- what is kept of the description ---- */

static void
keep_layout(struct vk_shader_object *shader, const VkShaderCreateInfoEXT *info)
{
   struct pipe_pipeline_layout *to = &shader->layout;
   to->num_sets = info->setLayoutCount;
   for (uint32_t i = 0; i < info->setLayoutCount; i++) {
      VK_FROM(vk_set_layout, set, info->pSetLayouts[i]);
      to->sets[i] = set ? &set->layout : NULL;
      to->dynamic_base[i] = to->num_dynamic;
      to->num_dynamic += set ? set->layout.num_dynamic : 0;
   }
   for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
      const VkPushConstantRange *range = &info->pPushConstantRanges[i];
      to->push_constant_B = MAX2(to->push_constant_B, range->offset + range->size);
   }
   vk_layout_sets_ref(to);
}

static VkPipelineShaderStageCreateFlags
stage_flags(VkShaderCreateFlagsEXT flags)
{
   return (flags & VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT
              ? VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT
              : 0) |
          (flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT
              ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
              : 0);
}

struct check {
   const VkShaderCreateInfoEXT *info;
   struct arena arena;
   const char *error;
   bool valid;
};

static void
check_spirv(void *data)
{
   struct check *c = data;
   c->valid = c->info->codeSize % 4 == 0 && spirv_check(&c->arena, c->info->pCode, c->info->codeSize / 4, &c->error);
}

static struct vk_stage_copy *
copy_spirv(struct vk_device *device, const VkShaderCreateInfoEXT *info, VkResult *result)
{
   struct check check = {.info = info, .error = "codeSize is not a multiple of 4"};
   const struct vk_spirv code = {info->pCode, info->codeSize / 4};
   bool in_memory = vk_within_memory(&code, 1, check_spirv, &check);
   if (in_memory && !check.valid)
      log_error("vkCreateShadersEXT: %s", check.error);
   arena_free(&check.arena);
   *result = in_memory ? VK_ERROR_INVALID_SHADER_NV : VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!in_memory || !check.valid)
      return NULL;
   const VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .pNext = vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_SHADER_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT),
      .codeSize = info->codeSize,
      .pCode = info->pCode,
   };
   const VkPipelineShaderStageCreateInfo stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .pNext = &module,
      .flags = stage_flags(info->flags),
      .stage = info->stage,
      .pName = info->pName,
      .pSpecializationInfo = info->pSpecializationInfo,
   };
   *result = VK_ERROR_OUT_OF_HOST_MEMORY;
   return vk_stage_copy(device, &stage);
}

/* ---- commands ---- */

static void
destroy(struct vk_device *device, struct vk_shader_object *shader, const VkAllocationCallbacks *allocator)
{
   vk_shader_sets_forget(device, shader);
   if (shader->program)
      device->screen->program_destroy(device->screen, shader->program);
   vk_compiled_unref(device, shader->compiled);
   vk_stage_copy_unref(device, shader->source);
   vk_layout_sets_unref(device, &shader->layout);
   vk_free(&device->alloc, allocator, shader);
}

static VkResult
create(struct vk_device *device, const VkShaderCreateInfoEXT *info, const VkAllocationCallbacks *allocator,
       struct vk_shader_object **out)
{
   VkResult result;
   const VkPipelineShaderStageCreateInfo asked = {.stage = info->stage, .pName = "vkCreateShadersEXT"};
   if (!vk_device_has_stage(device, &asked))
      return VK_ERROR_FEATURE_NOT_PRESENT;
   struct vk_stage_copy *source = info->codeType == VK_SHADER_CODE_TYPE_BINARY_EXT
                                     ? vk_shader_binary_read(device, info, &result)
                                     : copy_spirv(device, info, &result);
   if (!source)
      return result;
   struct vk_shader_object *shader = vk_alloc(&device->alloc, allocator, sizeof(*shader));
   if (!shader) {
      vk_stage_copy_unref(device, source);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   *shader = (struct vk_shader_object){.stage = vk_shader_stage(info->stage), .flags = info->flags, .source = source};
   keep_layout(shader, info);
   result = vk_result(compile(device, shader));
   if (result != VK_SUCCESS) {
      destroy(device, shader, allocator);
      return result;
   }
   *out = shader;
   return VK_SUCCESS;
}

/* After the first that fails none is created; of linked ones there are all or none. */
VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateShadersEXT(VkDevice _device, uint32_t createInfoCount, const VkShaderCreateInfoEXT *pCreateInfos,
                        const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
   VK_FROM(vk_device, device, _device);
   VkResult result = VK_SUCCESS;
   uint32_t count = 0;
   memset(pShaders, 0, createInfoCount * sizeof(*pShaders));
   for (; count < createInfoCount && result == VK_SUCCESS; count++) {
      struct vk_shader_object *shader = NULL;
      result = create(device, &pCreateInfos[count], pAllocator, &shader);
      pShaders[count] = VK_TO(VkShaderEXT, shader);
   }
   for (uint32_t i = 0; i < count && result != VK_SUCCESS; i++) {
      if (!pShaders[i] || !(pCreateInfos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT))
         continue;
      destroy(device, (struct vk_shader_object *)pShaders[i], pAllocator);
      pShaders[i] = VK_NULL_HANDLE;
   }
   return result;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyShaderEXT(VkDevice _device, VkShaderEXT _shader, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_shader_object, shader, _shader);
   if (shader)
      destroy(device, shader, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetShaderBinaryDataEXT(VkDevice _device, VkShaderEXT _shader, size_t *pDataSize, void *pData)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_shader_object, shader, _shader);
   const size_t size_B = vk_shader_binary_size(shader);
   if (pData && *pDataSize < size_B) {
      *pDataSize = 0;
      return VK_INCOMPLETE;
   }
   *pDataSize = size_B;
   if (pData)
      vk_shader_binary_write(device, shader, pData);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindShadersEXT(VkCommandBuffer commandBuffer, uint32_t stageCount, const VkShaderStageFlagBits *pStages,
                         const VkShaderEXT *pShaders)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < stageCount; i++) {
      VK_FROM(vk_shader_object, shader, pShaders ? pShaders[i] : VK_NULL_HANDLE);
      if (pStages[i] == VK_SHADER_STAGE_COMPUTE_BIT && shader)
         cmd->pipe->bind_program(cmd->pipe, PIPE_BIND_COMPUTE, shader->program);
      if (pStages[i] & NIR_STAGES_GRAPHICS) {
         cmd->shaders[vk_shader_stage(pStages[i])] = shader;
         vk_cmd_bind_shaders(cmd);
      }
   }
}
