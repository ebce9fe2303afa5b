/* A random draw: all state of its pipeline, its vertices and its command. */
#ifndef RANDOM_PIPELINE_H
#define RANDOM_PIPELINE_H

#include "random_tile.h"
#include "vkt_draw.h"

/* Types of the targets: floats, unsigned, signed, all in turn (random.frag). */
enum { TYPES_FLOAT, TYPES_UINT, TYPES_SINT, TYPES_ALL };

/* What the pass has. */
struct random_targets {
   uint32_t types, colors;
   VkFormat formats[8], depth;
   VkSampleCountFlagBits samples;
   bool input; /* the second subpass reads colour 0 and writes the others */
   VkExtent2D extent;
   VkRect2D area;
};

/* Modules of random.vert and random.frag; three of each of the types. */
enum { SHADER_FRAGMENTS, SHADER_DUAL = 12, SHADER_INPUT, SHADER_VERTEX, SHADER_CLIP, SHADERS };
extern const struct vkt_code random_shaders[SHADERS];

#define RANDOM_VERTICES 24u
#define RANDOM_DRAWS 4u
#define RANDOM_DRAW_B 16384u /* of vertices, of indices and of commands each */

struct random_push {
   float scale[4], misc[4], clip[2][4], fragment[4];
};

struct random_draw {
   VkVertexInputBindingDescription bindings[4];
   VkVertexInputBindingDivisorDescriptionEXT divisor;
   VkVertexInputAttributeDescription attributes[4];
   VkDeviceSize offsets_B[4]; /* of the bindings, in the buffer of vertices */
   uint32_t num_bindings;
   VkPipelineInputAssemblyStateCreateInfo assembly;
   VkPipelineRasterizationStateCreateInfo raster;
   VkPipelineMultisampleStateCreateInfo multisample;
   VkSampleMask sample_mask;
   VkPipelineDepthStencilStateCreateInfo depth;
   bool provokes_last;
   unsigned depth_clip;        /* 0: as depth is not clamped; 1: no, 2: yes */
   VkBool32 colors_written[8]; /* VK_EXT_color_write_enable, if one is not */
   bool bresenham;
   VkPipelineColorBlendAttachmentState blends[8];
   VkPipelineColorBlendStateCreateInfo blend;
   VkViewport viewport;
   VkRect2D scissor;
   VkDynamicState dynamic[9];
   uint32_t num_dynamic;
   int32_t mode;
   unsigned vertex_shader, fragment_shader;
   struct random_push push;
   enum { UNCONDITIONAL, CONDITION_HOLDS, CONDITION_FAILS } condition;
   bool condition_inverted;
   bool generated; /* where the device can */
   VkPipelineCreateFlags pipeline_flags;
   bool indexed, indirect;
   VkIndexType index_type;
   VkDeviceSize index_offset_B, command_offset_B;
   uint32_t count, instances, first, first_instance, commands, command_stride_B;
   int32_t vertex_offset;
};

/* Chooses all of it and fills the buffers of vertices, indices and commands. */
void random_draw_choose(struct vkx *vkx, struct random_tile *tile, struct random_draw *draw,
                        const struct random_targets *targets, uint32_t subpass, uint8_t *const maps[3]);

/* Parts of it: attributes and their values; the draw itself, its indices. */
void random_vertices(struct vkx *vkx, struct random_tile *tile, struct random_draw *draw, bool plain,
                     uint8_t *vertices);
void random_command(struct random_tile *tile, struct random_draw *draw, uint8_t *indices, uint8_t *commands);

/* layout: stages of VKT_QUAD_STAGES. */
VkPipeline random_pipeline_create(struct vkx *vkx, const struct random_draw *draw, VkPipelineLayout layout,
                                  VkRenderPass pass, uint32_t subpass);

/* Binds all that it needs, and sets what is dynamic; then it is drawn. Buffers of vertices, indices and commands. */
void random_draw_bind(VkCommandBuffer cmd, const struct random_draw *draw, VkPipelineLayout layout,
                      VkPipeline pipeline, const struct vkx_buffer buffers[3]);
void random_draw_record(VkCommandBuffer cmd, const struct random_draw *draw, const struct vkx_buffer buffers[3]);

#endif
