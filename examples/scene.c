/* A picture that uses most of a small driver: 108,000 triangles, indexed and instanced, two mipmapped textures
 * written by compute, depth, four lights, a blended layer, 4x multisampling, offscreen, written as PNG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

static const uint32_t mesh_vertex_code[] = {
#include "mesh.vert.inc"
};
static const uint32_t mesh_fragment_code[] = {
#include "mesh.frag.inc"
};
static const uint32_t glass_vertex_code[] = {
#include "glass.vert.inc"
};
static const uint32_t glass_fragment_code[] = {
#include "glass.frag.inc"
};

#define SAMPLES VK_SAMPLE_COUNT_4_BIT

/* As the uniform block of the shaders. */
struct uniforms {
   float view_projection[16]; /* columns */
   float eye[4];
   float light_position[4][4], light_color[4][4];
};

static void
multiply(float out[16], const float a[16], const float b[16])
{
   for (unsigned column = 0; column < 4; column++) {
      for (unsigned row = 0; row < 4; row++) {
         float sum = 0;
         for (unsigned k = 0; k < 4; k++)
            sum += a[k * 4 + row] * b[column * 4 + k];
         out[column * 4 + row] = sum;
      }
   }
}

static struct uniforms
build_uniforms(VkExtent2D extent)
{
   struct uniforms uniforms = {
      .eye = {0, 11, 27, 1},
      .light_position = {{-12, 7, 6, 30}, {13, 6, 4, 28}, {0, 9, -14, 34}, {2, 4, 18, 22}},
      .light_color = {{1.5f, 0.9f, 0.6f}, {0.5f, 0.8f, 1.6f}, {1.0f, 1.1f, 0.9f}, {1.2f, 0.7f, 0.9f}},
   };
   const float near = 0.5f, far = 120, focal = 1 / tanf(0.5f), aspect = (float)extent.width / (float)extent.height;
   const float pitch = 0.42f, c = cosf(pitch), s = sinf(pitch);
   const float *e = uniforms.eye;
   const float view[16] = {1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, -e[0], -(c * e[1] - s * e[2]), -(s * e[1] + c * e[2]),
                           1};
   const float projection[16] = {
      focal / aspect, 0, 0, 0, 0, -focal, 0, 0, 0, 0, far / (near - far), -1, 0, 0, near * far / (near - far), 0};
   multiply(uniforms.view_projection, projection, view);
   return uniforms;
}

static const VkVertexInputBindingDescription bindings[2] = {
   {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX},
   {1, sizeof(struct instance), VK_VERTEX_INPUT_RATE_INSTANCE},
};
static const VkVertexInputAttributeDescription attributes[5] = {
   {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position)},
   {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal)},
   {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, coord)},
   {3, 1, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct instance, place)},
   {4, 1, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct instance, tint)},
};

struct scene {
   struct vkx vkx;
   VkExtent2D extent;
   struct scene_mesh mesh;
   struct vkx_image textures[2], color, depth, picture;
   struct vkx_buffer uniforms, pixels;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet sets[2]; /* by texture */
   VkPipelineLayout layout;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipeline mesh_pipeline, glass_pipeline;
};

static void
create_targets(struct scene *scene)
{
   struct vkx *vkx = &scene->vkx;
   scene->color = vkx_image_create(vkx, COLOR_FORMAT, scene->extent, 1, SAMPLES, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                   VK_IMAGE_ASPECT_COLOR_BIT);
   scene->depth = vkx_image_create(vkx, DEPTH_FORMAT, scene->extent, 1, SAMPLES,
                                   VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
   scene->picture = vkx_image_create(vkx, COLOR_FORMAT, scene->extent, 1, VK_SAMPLE_COUNT_1_BIT,
                                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                     VK_IMAGE_ASPECT_COLOR_BIT);
   scene->pixels = vkx_buffer_create(vkx, 4ull * scene->extent.width * scene->extent.height,
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   scene->pass = render_pass_create(vkx, SAMPLES);
   const VkImageView views[3] = {scene->color.view, scene->depth.view, scene->picture.view};
   scene->framebuffer = render_framebuffer_create(vkx, scene->pass, 3, views, scene->extent);
}

static void
create_descriptors(struct scene *scene)
{
   struct vkx *vkx = &scene->vkx;
   const VkSamplerCreateInfo sampler_info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .magFilter = VK_FILTER_LINEAR,
      .minFilter = VK_FILTER_LINEAR,
      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
      .maxLod = VK_LOD_CLAMP_NONE,
   };
   vkx_check(vkCreateSampler(vkx->device, &sampler_info, NULL, &scene->sampler), "vkCreateSampler");
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   scene->set_layout =
      vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
   scene->layout = vkx_pipeline_layout_create(vkx, scene->set_layout, 0, 0);
   const VkDescriptorPoolSize sizes[2] = {{types[0], 2}, {types[1], 2}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2, .poolSizeCount = 2, .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &scene->pool), "vkCreateDescriptorPool");
   for (unsigned i = 0; i < 2; i++) {
      const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = scene->pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &scene->set_layout};
      vkx_check(vkAllocateDescriptorSets(vkx->device, &info, &scene->sets[i]), "vkAllocateDescriptorSets");
      const VkDescriptorBufferInfo buffer = {scene->uniforms.buffer, 0, VK_WHOLE_SIZE};
      const VkDescriptorImageInfo image = {scene->sampler, scene->textures[i].view,
                                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
      const VkWriteDescriptorSet writes[2] = {
         {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
          .dstSet = scene->sets[i],
          .dstBinding = 0,
          .descriptorCount = 1,
          .descriptorType = types[0],
          .pBufferInfo = &buffer},
         {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
          .dstSet = scene->sets[i],
          .dstBinding = 1,
          .descriptorCount = 1,
          .descriptorType = types[1],
          .pImageInfo = &image},
      };
      vkUpdateDescriptorSets(vkx->device, 2, writes, 0, NULL);
   }
}

static void
create_pipelines(struct scene *scene)
{
   struct vkx *vkx = &scene->vkx;
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 2,
      .pVertexBindingDescriptions = bindings,
      .vertexAttributeDescriptionCount = 5,
      .pVertexAttributeDescriptions = attributes,
   };
   struct pipeline_info info = {
      .pass = scene->pass,
      .layout = scene->layout,
      .samples = SAMPLES,
      .extent = scene->extent,
      .vertex_input = &input,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .depth_test = true,
      .depth_write = true,
      .cull = VK_CULL_MODE_BACK_BIT,
      .vertex = vkx_shader_create(vkx, mesh_vertex_code, sizeof(mesh_vertex_code)),
      .fragment = vkx_shader_create(vkx, mesh_fragment_code, sizeof(mesh_fragment_code)),
   };
   scene->mesh_pipeline = render_pipeline_create(vkx, &info);
   info.vertex = vkx_shader_create(vkx, glass_vertex_code, sizeof(glass_vertex_code));
   info.fragment = vkx_shader_create(vkx, glass_fragment_code, sizeof(glass_fragment_code));
   info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
   info.depth_write = false;
   info.blend = true;
   info.cull = VK_CULL_MODE_NONE;
   scene->glass_pipeline = render_pipeline_create(vkx, &info);
}

static void
record(struct scene *scene, VkCommandBuffer cmd)
{
   const struct scene_mesh *mesh = &scene->mesh;
   const VkClearValue clears[2] = {{.color = {.float32 = {0.30f, 0.38f, 0.50f, 1}}}, {.depthStencil = {1, 0}}};
   const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = scene->pass,
      .framebuffer = scene->framebuffer,
      .renderArea = {{0, 0}, scene->extent},
      .clearValueCount = 2,
      .pClearValues = clears,
   };
   const VkBuffer buffers[2] = {mesh->vertices.buffer, mesh->instances.buffer};
   const VkDeviceSize offsets[2] = {0, 0};
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
   vkCmdBindIndexBuffer(cmd, mesh->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->mesh_pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->layout, 0, 1, &scene->sets[0], 0, NULL);
   vkCmdDrawIndexed(cmd, mesh->ground_indices, 1, mesh->ground_first_index, 0, mesh->ground_instance);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->layout, 0, 1, &scene->sets[1], 0, NULL);
   vkCmdDrawIndexed(cmd, mesh->ring_indices, mesh->num_rings, 0, 0, 0);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->glass_pipeline);
   vkCmdDraw(cmd, 4, mesh->num_glass, 0, mesh->first_glass);
   vkCmdEndRenderPass(cmd);
   render_read_back(cmd, &scene->picture, &scene->pixels);
}

static void
destroy(struct scene *scene)
{
   VkDevice device = scene->vkx.device;
   vkDestroyPipeline(device, scene->mesh_pipeline, NULL);
   vkDestroyPipeline(device, scene->glass_pipeline, NULL);
   vkDestroyPipelineLayout(device, scene->layout, NULL);
   vkDestroyFramebuffer(device, scene->framebuffer, NULL);
   vkDestroyRenderPass(device, scene->pass, NULL);
   vkDestroyDescriptorPool(device, scene->pool, NULL);
   vkDestroyDescriptorSetLayout(device, scene->set_layout, NULL);
   vkDestroySampler(device, scene->sampler, NULL);
   vkx_buffer_destroy(&scene->vkx, &scene->uniforms);
   vkx_buffer_destroy(&scene->vkx, &scene->pixels);
   struct vkx_image *images[] = {&scene->textures[0], &scene->textures[1], &scene->color, &scene->depth,
                                 &scene->picture};
   for (unsigned i = 0; i < sizeof(images) / sizeof(images[0]); i++)
      vkx_image_destroy(&scene->vkx, images[i]);
   scene_mesh_destroy(&scene->vkx, &scene->mesh);
   vkx_destroy(&scene->vkx);
}

int
main(int argc, char **argv)
{
   static const char usage[] = "scene [--width N] [--height N] [-o FILE.png], N from 1 to 4096";
   vkx_expect_options(argc, argv, (const char *const[]){"--width", "--height", "-o", NULL}, usage);
   struct scene scene = {0};
   scene.extent.width = (uint32_t)strtoul(vkx_option(argc, argv, "--width", "1280"), NULL, 0);
   scene.extent.height = (uint32_t)strtoul(vkx_option(argc, argv, "--height", "720"), NULL, 0);
   if (!scene.extent.width || !scene.extent.height || scene.extent.width > 4096 || scene.extent.height > 4096) {
      fprintf(stderr, "usage: %s\n", usage);
      return 2;
   }
   scene.vkx = vkx_create("scene");
   const double start = vkx_seconds();
   scene.mesh = scene_mesh_create(&scene.vkx);
   for (unsigned i = 0; i < 2; i++)
      scene.textures[i] = scene_texture_create(&scene.vkx, i);
   scene.uniforms = vkx_buffer_create(&scene.vkx, sizeof(struct uniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, true);
   *(struct uniforms *)scene.uniforms.map = build_uniforms(scene.extent);
   create_targets(&scene);
   create_descriptors(&scene);
   create_pipelines(&scene);
   const double ready = vkx_seconds();
   VkCommandBuffer cmd = vkx_begin(&scene.vkx);
   record(&scene, cmd);
   vkx_submit_and_wait(&scene.vkx, cmd);
   const double done = vkx_seconds();
   printf("%u triangles: setup %.3f s, frame %.3f s\n",
          scene.mesh.num_rings * scene.mesh.ring_indices / 3 + 2 + 2 * scene.mesh.num_glass, ready - start,
          done - ready);
   vkx_expect_device(&scene.vkx);
   vkx_write_png(vkx_option(argc, argv, "-o", "scene.png"), scene.extent.width, scene.extent.height,
                 scene.pixels.map);
   destroy(&scene);
   return 0;
}
