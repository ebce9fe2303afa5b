/* Pipelines of modules, whose interfaces say what is around them. */
#include "bench_pipelines.h"

#include <string.h>

#include "compiler/spirv/spirv_to_nir.h"
#include "util/macros.h"
#include "util/read_file.h"

#define SETS 4
#define BINDINGS 64
#define ATTRIBUTES 16
#define COLORS 8
#define MODULE_MAX_B (16 << 20)

static const VkShaderStageFlags stage_bits[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = VK_SHADER_STAGE_VERTEX_BIT,
   [NIR_STAGE_FRAGMENT] = VK_SHADER_STAGE_FRAGMENT_BIT,
   [NIR_STAGE_COMPUTE] = VK_SHADER_STAGE_COMPUTE_BIT,
};

bool
bench_module_load(struct arena *arena, const char *path, struct bench_module *module)
{
   const char *error;
   *module = (struct bench_module){.stage = NIR_STAGES};
   module->words = (uint32_t *)(void *)read_file(path, MODULE_MAX_B, &module->size_B);
   if (module->words)
      module->stage = spirv_find_stage(module->words, module->size_B / 4);
   /* Not every device has residency. */
   const struct spirv_options options = {.stage = module->stage,
                                         .features = SPIRV_FEATURE_ALL & ~SPIRV_FEATURE_RESIDENCY};
   if (module->words && module->stage < NIR_STAGES)
      module->nir = spirv_to_nir(arena, module->words, module->size_B / 4, &options, &error);
   return module->nir;
}

/* ---- layouts ---- */

/* Images that are not combined with samplers are storage images where the shader has no samplers. */
static VkDescriptorType
descriptor_type(const struct nir_variable *var, const struct nir_type *type, bool has_samplers)
{
   if (var->mode == NIR_VAR_UBO)
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
   if (var->mode == NIR_VAR_SSBO)
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   if (type->base == NIR_TYPE_SAMPLER)
      return VK_DESCRIPTOR_TYPE_SAMPLER;
   if (type->base == NIR_TYPE_SAMPLED_IMAGE)
      return type->dim == NIR_DIM_BUF ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                      : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   if (has_samplers)
      return type->dim == NIR_DIM_BUF ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
   return type->dim == NIR_DIM_BUF ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

/* What modules of a pipeline share is there once. */
static void
add_binding(VkDescriptorSetLayoutBinding *bindings, uint32_t *count, const VkDescriptorSetLayoutBinding *more)
{
   for (uint32_t i = 0; i < *count; i++) {
      if (bindings[i].binding == more->binding) {
         bindings[i].stageFlags |= more->stageFlags;
         return;
      }
   }
   if (*count < BINDINGS)
      bindings[(*count)++] = *more;
}

static void
add_bindings(VkDescriptorSetLayoutBinding *bindings, uint32_t *count, const struct bench_module *module, unsigned set)
{
   bool has_samplers = false;
   nir_foreach_variable(var, module->nir)
      has_samplers |= var->mode == NIR_VAR_UNIFORM && var->type->base == NIR_TYPE_SAMPLER;
   nir_foreach_variable(var, module->nir) {
      const bool is_resource = var->mode == NIR_VAR_UBO || var->mode == NIR_VAR_SSBO || var->mode == NIR_VAR_UNIFORM;
      uint32_t elements = 1;
      const struct nir_type *type = var->type;
      if (!is_resource || var->set != set)
         continue;
      for (; type->base == NIR_TYPE_ARRAY; type = type->element)
         elements *= MAX2(type->length, 1u);
      const VkDescriptorSetLayoutBinding more = {.binding = var->binding,
                                                 .descriptorType = descriptor_type(var, type, has_samplers),
                                                 .descriptorCount = elements,
                                                 .stageFlags = stage_bits[module->stage]};
      add_binding(bindings, count, &more);
   }
}

static VkPipelineLayout
pipeline_layout(struct vkx *vkx, const struct bench_module *modules, unsigned count)
{
   const VkPushConstantRange push = {VK_SHADER_STAGE_ALL, 0, 128};
   VkDescriptorSetLayout sets[SETS];
   VkPipelineLayout layout;
   for (unsigned i = 0; i < SETS; i++) {
      VkDescriptorSetLayoutBinding bindings[BINDINGS];
      uint32_t used = 0;
      for (unsigned m = 0; m < count; m++)
         add_bindings(bindings, &used, &modules[m], i);
      const VkDescriptorSetLayoutCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = used, .pBindings = bindings};
      vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &sets[i]), "vkCreateDescriptorSetLayout");
   }
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = SETS,
                                            .pSetLayouts = sets,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &push};
   vkx_check(vkCreatePipelineLayout(vkx->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

/* ---- attributes and targets ---- */

static const struct nir_type *
innermost(const struct nir_type *type)
{
   while (type->base == NIR_TYPE_ARRAY)
      type = type->element;
   return type;
}

static VkFormat
format_of(const struct nir_type *type, VkFormat floats)
{
   const enum nir_base_type base = innermost(type)->base;
   return base == NIR_TYPE_INT    ? VK_FORMAT_R32G32B32A32_SINT
          : base == NIR_TYPE_UINT ? VK_FORMAT_R32G32B32A32_UINT
                                  : floats;
}

struct inputs {
   VkVertexInputBindingDescription bindings[ATTRIBUTES];
   VkVertexInputAttributeDescription attributes[ATTRIBUTES];
   uint32_t count;
};

static void
find_inputs(const struct bench_module *vertex, struct inputs *in)
{
   nir_foreach_variable(var, vertex->nir) {
      const unsigned slots = var->mode == NIR_VAR_SHADER_IN ? nir_type_slots(var->type) : 0;
      for (unsigned i = 0; i < slots && var->location >= NIR_SLOT_VAR0 && in->count < ATTRIBUTES; i++) {
         const uint32_t n = in->count++, location = (uint32_t)var->location - NIR_SLOT_VAR0 + i;
         in->bindings[n] = (VkVertexInputBindingDescription){.binding = n, .stride = 16};
         in->attributes[n] = (VkVertexInputAttributeDescription){
            .location = location, .binding = n, .format = format_of(var->type, VK_FORMAT_R32G32B32A32_SFLOAT)};
      }
   }
}

/* Targets of one sample for what the fragment shader writes. */
static VkRenderPass
render_pass(struct vkx *vkx, const struct bench_module *fragment, uint32_t *count)
{
   VkAttachmentDescription attachments[COLORS] = {{0}};
   VkAttachmentReference references[COLORS];
   VkRenderPass pass;
   *count = 0;
   for (uint32_t i = 0; i < COLORS; i++) {
      attachments[i] = (VkAttachmentDescription){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
      references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   }
   nir_foreach_variable(var, fragment->nir) {
      const unsigned slots = var->mode == NIR_VAR_SHADER_OUT ? nir_type_slots(var->type) : 0;
      for (unsigned i = 0; i < slots && var->location >= NIR_SLOT_FRAG_DATA0; i++) {
         const uint32_t n = (uint32_t)var->location - NIR_SLOT_FRAG_DATA0 + i;
         if (n >= COLORS)
            break;
         attachments[n].format = format_of(var->type, VK_FORMAT_R8G8B8A8_UNORM);
         *count = MAX2(*count, n + 1);
      }
   }
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = *count,
                                         .pColorAttachments = references};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = *count,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* ---- pipelines ---- */

static VkPipelineShaderStageCreateInfo
stage_of(struct vkx *vkx, const struct bench_module *module)
{
   return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = (VkShaderStageFlagBits)stage_bits[module->stage],
                                            .module = vkx_shader_create(vkx, module->words, module->size_B),
                                            .pName = "main"};
}

static VkPipeline
create_graphics(struct vkx *vkx, const struct bench_pipeline *p)
{
   VkPipelineColorBlendAttachmentState blends[COLORS];
   const VkViewport viewport = {0, 0, 64, 64, 0, 1};
   const VkRect2D scissor = {{0, 0}, {64, 64}};
   for (unsigned i = 0; i < COLORS; i++)
      blends[i] = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
   struct inputs in = {.count = 0};
   find_inputs(&p->modules[0], &in);
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = in.count,
                                                       .pVertexBindingDescriptions = in.bindings,
                                                       .vertexAttributeDescriptionCount = in.count,
                                                       .pVertexAttributeDescriptions = in.attributes};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                   .viewportCount = 1,
                                                   .pViewports = &viewport,
                                                   .scissorCount = 1,
                                                   .pScissors = &scissor};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = p->colors,
                                                      .pAttachments = blends};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
                                              .stageCount = 2,
                                              .pStages = p->stages,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &assembly,
                                              .pViewportState = &view,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
                                              .pColorBlendState = &blend,
                                              .layout = p->layout,
                                              .renderPass = p->pass};
   VkPipeline pipeline = VK_NULL_HANDLE;
   const VkResult result = vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
   return result == VK_SUCCESS ? pipeline : VK_NULL_HANDLE;
}

void
bench_pipeline_init(struct vkx *vkx, struct bench_pipeline *p)
{
   p->layout = pipeline_layout(vkx, p->modules, p->count);
   for (unsigned i = 0; i < p->count; i++)
      p->stages[i] = stage_of(vkx, &p->modules[i]);
   if (p->count == 2)
      p->pass = render_pass(vkx, &p->modules[1], &p->colors);
}

VkPipeline
bench_pipeline_create(struct vkx *vkx, const struct bench_pipeline *p)
{
   if (p->count == 2)
      return create_graphics(vkx, p);
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
                                             .stage = p->stages[0],
                                             .layout = p->layout};
   VkPipeline pipeline = VK_NULL_HANDLE;
   const VkResult result = vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
   return result == VK_SUCCESS ? pipeline : VK_NULL_HANDLE;
}
