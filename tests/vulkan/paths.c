/* Images of all shapes, formats and layouts, at random: written in one way and read in another. Boxes are copied from
 * buffers and images, cleared, drawn to, stored by programs; read by copies, fetches and loads; rows of linear images
 * lie in mapped memory. The processor does the same to arrays of its own. paths [--seed N] [--count N] [--only N]
 * [--quirks honeykrisp|radv] --only: of the rounds that --seed and --count choose, only this one runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths_image.h"

struct module {
   const uint32_t *code;
   size_t size_B;
};
static const uint32_t fetch_1[] = {
#include "paths_fetch_1.comp.inc"
};
static const uint32_t fetch_2[] = {
#include "paths_fetch_2.comp.inc"
};
static const uint32_t fetch_3[] = {
#include "paths_fetch_3.comp.inc"
};
static const uint32_t fetch_4[] = {
#include "paths_fetch_4.comp.inc"
};
static const uint32_t load_1[] = {
#include "paths_load_1.comp.inc"
};
static const uint32_t load_2[] = {
#include "paths_load_2.comp.inc"
};
static const uint32_t load_3[] = {
#include "paths_load_3.comp.inc"
};
static const uint32_t store_1[] = {
#include "paths_store_1.comp.inc"
};
static const uint32_t store_2[] = {
#include "paths_store_2.comp.inc"
};
static const uint32_t store_3[] = {
#include "paths_store_3.comp.inc"
};

enum operation { FETCH, LOAD, STORE, OPERATIONS };
static const struct module modules[OPERATIONS][4] = {
   [FETCH] = {{fetch_1, sizeof(fetch_1)},
              {fetch_2, sizeof(fetch_2)},
              {fetch_3, sizeof(fetch_3)},
              {fetch_4, sizeof(fetch_4)}},
   [LOAD] = {{load_1, sizeof(load_1)}, {load_2, sizeof(load_2)}, {load_3, sizeof(load_3)}},
   [STORE] = {{store_1, sizeof(store_1)}, {store_2, sizeof(store_2)}, {store_3, sizeof(store_3)}},
};

static struct vkx *vkx;
static struct vkx_buffer staging, texels;
static VkDescriptorSetLayout set_layouts[OPERATIONS];
static VkPipelineLayout layouts[OPERATIONS];
static VkPipeline pipelines[OPERATIONS][4];
static VkDescriptorPool pool;

struct push {
   uint32_t origin[3], samples, size[3];
};

/* ---- programs ---- */

static VkDescriptorType
descriptor_type(enum operation operation)
{
   return operation == FETCH ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static void
create_pipelines(void)
{
   for (unsigned o = 0; o < OPERATIONS; o++) {
      const VkDescriptorType types[2] = {descriptor_type(o), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
      set_layouts[o] = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
      layouts[o] = vkx_pipeline_layout_create(vkx, set_layouts[o], VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
      for (unsigned d = 0; d < 4; d++) {
         const struct module *module = &modules[o][d];
         if (module->code)
            pipelines[o][d] =
               vkx_compute_pipeline_create(vkx, layouts[o], vkx_shader_create(vkx, module->code, module->size_B));
      }
   }
   const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                         {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1},
                                         {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &pool), "vkCreateDescriptorPool");
}

static void
destroy_pipelines(void)
{
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   for (unsigned o = 0; o < OPERATIONS; o++) {
      for (unsigned d = 0; d < 4; d++)
         vkDestroyPipeline(vkx->device, pipelines[o][d], NULL);
      vkDestroyPipelineLayout(vkx->device, layouts[o], NULL);
      vkDestroyDescriptorSetLayout(vkx->device, set_layouts[o], NULL);
   }
}

static VkDescriptorSet
create_set(enum operation operation, VkImageView view, VkDeviceSize offset_B)
{
   const struct vkt_descriptor descriptors[2] = {
      {descriptor_type(operation), .view = view, .layout = GENERAL},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = texels.buffer, .offset_B = offset_B}};
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   return vkt_bindings_create(vkx, &pool, set_layouts[operation], 2, descriptors);
}

static void
dispatch(const struct subject *s, enum operation operation, const struct push *push, VkImageView view,
         VkDeviceSize offset_B)
{
   const unsigned dimension = s->info.samples > 1 ? 3 : s->info.imageType;
   const uint32_t threads = push->size[0] * push->size[1] * push->size[2] * push->samples;
   VkDescriptorSet set = create_set(operation, view, offset_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[operation][dimension]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layouts[operation], 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layouts[operation], VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(*push), push);
   vkCmdDispatch(cmd, (threads + 63) / 64, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* Runs over the box of a view of its level, of all layers, or layer by layer if blocks are seen. */
static void
run_program(const struct subject *s, enum operation operation, const struct box *box)
{
   static const VkImageViewType types[] = {VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                           VK_IMAGE_VIEW_TYPE_3D};
   const bool alone = s->format->block_px > 1 && !s->volume;
   for (uint32_t i = 0; i < (alone ? box->layers : 1); i++) {
      const struct push push = {{box->x, box->y, alone ? 0 : box->layer},
                                s->info.samples,
                                {box->width, box->height, alone ? 1 : box->layers}};
      const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                                .usage = operation == FETCH ? VK_IMAGE_USAGE_SAMPLED_BIT
                                                                            : VK_IMAGE_USAGE_STORAGE_BIT};
      const VkImageViewCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
         .pNext = &usage,
         .image = s->image.image,
         .viewType = types[s->info.imageType],
         .format = s->format->view,
         .subresourceRange = {COLOR, box->level, 1, alone ? box->layer + i : 0, alone ? 1 : s->info.arrayLayers}};
      VkImageView view;
      vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
      dispatch(s, operation, &push, view, (VkDeviceSize)16 * i * box->width * box->height);
      vkDestroyImageView(vkx->device, view, NULL);
   }
}

/* ---- ways in ---- */

static void
run_path(void (*record)(VkCommandBuffer cmd, const struct subject *s, const struct box *box), const struct subject *s,
         const struct box *box)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   record(cmd, s, box);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
record_upload(VkCommandBuffer cmd, const struct subject *s, const struct box *box)
{
   const VkBufferImageCopy copy = buffer_copy(s, box);
   vkCmdCopyBufferToImage(cmd, staging.buffer, s->image.image, GENERAL, 1, &copy);
}

static void
record_download(VkCommandBuffer cmd, const struct subject *s, const struct box *box)
{
   const VkBufferImageCopy copy = buffer_copy(s, box);
   vkCmdCopyImageToBuffer(cmd, s->image.image, GENERAL, staging.buffer, 1, &copy);
}

/* Random bytes by a copy from a buffer. */
static void
upload(struct subject *s, const struct box *box)
{
   randomize_box(s, box);
   gather_box(s, box, staging.map);
   run_path(record_upload, s, box);
}

static void
store(struct subject *s, const struct box *box)
{
   randomize_box(s, box);
   unpack_box(s, box, texels.map);
   run_program(s, STORE, box);
}

/* From another image, of the same elements and in another layout. */
static void
copy_in(struct subject *s, const struct box *box)
{
   struct helper helper = helper_create(vkx, s, box);
   randomize_box(s, box);
   gather_box(s, box, staging.map);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &helper.image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdCopyBufferToImage(cmd, staging.buffer, helper.image.image, GENERAL, 1, &helper.whole);
   vkt_barrier(cmd);
   vkCmdCopyImage(cmd, helper.image.image, GENERAL, s->image.image, GENERAL, 1, &helper.in);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_image_destroy(vkx, &helper.image);
}

static void
clear(struct subject *s, const struct box *box)
{
   const VkImageSubresourceRange range = {COLOR, box->level, 1, s->volume ? 0 : box->layer,
                                          s->volume ? 1 : box->layers};
   struct box all = *box;
   VkClearColorValue color;
   all.x = all.y = 0;
   all.width = level_width(s, box->level);
   all.height = level_height(s, box->level);
   if (s->volume) {
      all.layer = 0;
      all.layers = level_layers(s, box->level);
   }
   choose_color(s, &color);
   fill_box(s, &all, &color);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdClearColorImage(cmd, s->image.image, GENERAL, &color, 1, &range);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* The processor copies. Rows and layers may lie apart, which no texel lands between. */
static void
host_write(struct subject *s, const struct box *box)
{
   const struct host_rows rows = host_rows_of(s, box);
   const VkMemoryToImageCopyEXT region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT,
                                          .pHostPointer = staging.map,
                                          .memoryRowLength = rows.length_px,
                                          .memoryImageHeight = rows.height_px,
                                          .imageSubresource = rows.copy.imageSubresource,
                                          .imageOffset = rows.copy.imageOffset,
                                          .imageExtent = rows.copy.imageExtent};
   const VkCopyMemoryToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT,
                                            .dstImage = s->image.image,
                                            .dstImageLayout = GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   randomize_box(s, box);
   memset(staging.map, 0xa5, PATHS_MAX_B);
   gather_rows(s, box, &rows, staging.map);
   vkx_check(VKT_PROC(vkx, vkCopyMemoryToImageEXT)(vkx->device, &info), "vkCopyMemoryToImageEXT");
}

/* The processor writes rows of mapped memory. */
static void
map_write(struct subject *s, const struct box *box)
{
   randomize_box(s, box);
   write_mapped(s, box);
}

/* Some layers of a level are a target: it is cleared or loaded, and rectangles are filled. */
static void
render(struct subject *s, const struct box *box)
{
   const bool clears = vkt_random_below(2);
   struct target target = target_create(vkx, s, box, clears);
   VkClearValue value;
   choose_color(s, &value.color);
   if (clears)
      fill_box(s, box, &value.color);
   const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = target.pass,
                                       .framebuffer = target.framebuffer,
                                       .renderArea = {{(int32_t)box->x, (int32_t)box->y}, {box->width, box->height}},
                                       .clearValueCount = 1,
                                       .pClearValues = &value};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
   for (uint32_t i = vkt_random_below(3); i; i--) {
      struct box part = part_of_box(box);
      VkClearAttachment attachment = {.aspectMask = COLOR};
      choose_color(s, &attachment.clearValue.color);
      fill_box(s, &part, &attachment.clearValue.color);
      vkCmdClearAttachments(cmd, 1, &attachment, 1,
                            &(VkClearRect){{{(int32_t)part.x, (int32_t)part.y}, {part.width, part.height}},
                                           part.layer - box->layer,
                                           part.layers});
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   target_destroy(vkx, &target);
}

/* ---- ways out ---- */

static bool
download(const struct subject *s, const struct box *box)
{
   memset(staging.map, 0xa5, box_B(s, box));
   run_path(record_download, s, box);
   return box_is(s, box, staging.map);
}

static bool
copy_out(const struct subject *s, const struct box *box)
{
   struct helper helper = helper_create(vkx, s, box);
   memset(staging.map, 0xa5, box_B(s, box));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &helper.image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdCopyImage(cmd, s->image.image, GENERAL, helper.image.image, GENERAL, 1, &helper.out);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, helper.image.image, GENERAL, staging.buffer, 1, &helper.whole);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_image_destroy(vkx, &helper.image);
   return box_is(s, box, staging.map);
}

static bool
fetch(const struct subject *s, const struct box *box)
{
   run_program(s, FETCH, box);
   return box_unpacks_to(s, box, texels.map);
}

static bool
load(const struct subject *s, const struct box *box)
{
   run_program(s, LOAD, box);
   return box_unpacks_to(s, box, texels.map);
}

static bool
host_read(const struct subject *s, const struct box *box)
{
   const struct host_rows rows = host_rows_of(s, box);
   const VkImageToMemoryCopyEXT region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT,
                                          .pHostPointer = staging.map,
                                          .memoryRowLength = rows.length_px,
                                          .memoryImageHeight = rows.height_px,
                                          .imageSubresource = rows.copy.imageSubresource,
                                          .imageOffset = rows.copy.imageOffset,
                                          .imageExtent = rows.copy.imageExtent};
   const VkCopyImageToMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT,
                                            .srcImage = s->image.image,
                                            .srcImageLayout = GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   uint8_t *wanted = malloc(PATHS_MAX_B);
   memset(wanted, 0xa5, PATHS_MAX_B);
   memset(staging.map, 0xa5, PATHS_MAX_B);
   gather_rows(s, box, &rows, wanted);
   vkx_check(VKT_PROC(vkx, vkCopyImageToMemoryEXT)(vkx->device, &info), "vkCopyImageToMemoryEXT");
   const bool same = !memcmp(wanted, staging.map, PATHS_MAX_B);
   free(wanted);
   return same;
}

static bool
map_read(const struct subject *s, const struct box *box)
{
   return mapped_is(s, box);
}

/* ---- between images, by the processor ---- */

/* A second image like the first takes its texels, by boxes and as they lie in memory, and gives them back. */
static void
test_host_images(struct subject *s)
{
   const VkImageUsageFlags host = VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
   struct vkt_image twin;
   if (!(s->info.usage & host))
      return;
   twin = vkt_image_create(vkx, s->info, false);
   for (uint32_t level = 0; level < s->info.mipLevels; level++) {
      const struct box all = whole_level(s, level);
      const VkBufferImageCopy whole = buffer_copy(s, &all);
      const VkHostImageLayoutTransitionInfoEXT transition = {
         .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO_EXT,
         .image = twin.image,
         .oldLayout = level ? GENERAL : VK_IMAGE_LAYOUT_UNDEFINED,
         .newLayout = GENERAL,
         .subresourceRange = {COLOR, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
      const VkImageCopy2 copy = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = whole.imageSubresource,
                                 .dstSubresource = whole.imageSubresource,
                                 .extent = whole.imageExtent};
      VkCopyImageToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO_EXT,
                                        .srcImage = s->image.image,
                                        .srcImageLayout = GENERAL,
                                        .dstImage = twin.image,
                                        .dstImageLayout = GENERAL,
                                        .regionCount = 1,
                                        .pRegions = &copy};
      vkx_check(VKT_PROC(vkx, vkTransitionImageLayoutEXT)(vkx->device, 1, &transition), "vkTransitionImageLayoutEXT");
      vkx_check(VKT_PROC(vkx, vkCopyImageToImageEXT)(vkx->device, &info), "vkCopyImageToImageEXT");
      const struct vkt_image own = s->image;
      s->image = twin;
      vkt_expect(download(s, &all), "%s: level %u of an image that the processor has copied", s->text, level);
      s->image = own;
      host_as_it_lies(vkx, s, &twin, level);
      vkt_expect(download(s, &all), "%s: level %u, as it lay in memory", s->text, level);
   }
   vkt_image_destroy(vkx, &twin);
}

/* ---- writers and readers ---- */

static const struct {
   const char *name;
   VkImageUsageFlags needs;
   bool one_sample;
   enum { ANY, VIEWED, TEXELS, MAPPED } kind; /* blocks too; if views show them; not; linear */
   void (*write)(struct subject *s, const struct box *box);
} writers[] = {
   {"a copy from a buffer", VK_IMAGE_USAGE_TRANSFER_DST_BIT, true, ANY, upload},
   {"a copy from an image", VK_IMAGE_USAGE_TRANSFER_DST_BIT, true, ANY, copy_in},
   {"a clear", VK_IMAGE_USAGE_TRANSFER_DST_BIT, false, TEXELS, clear},
   {"a rendering", VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, false, TEXELS, render},
   {"stores", VK_IMAGE_USAGE_STORAGE_BIT, true, VIEWED, store},
   {"the processor", VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT, true, ANY, host_write},
   {"mapped memory", VK_IMAGE_USAGE_TRANSFER_SRC_BIT, true, MAPPED, map_write},
};
static const struct {
   const char *name;
   VkImageUsageFlags needs;
   bool one_sample;
   int kind;
   bool (*read)(const struct subject *s, const struct box *box);
} readers[] = {
   {"a copy to a buffer", VK_IMAGE_USAGE_TRANSFER_SRC_BIT, true, ANY, download},
   {"a copy to an image", VK_IMAGE_USAGE_TRANSFER_SRC_BIT, true, ANY, copy_out},
   {"fetches", VK_IMAGE_USAGE_SAMPLED_BIT, false, VIEWED, fetch},
   {"loads", VK_IMAGE_USAGE_STORAGE_BIT, true, VIEWED, load},
   {"the processor", VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT, true, ANY, host_read},
   {"mapped memory", VK_IMAGE_USAGE_TRANSFER_SRC_BIT, true, MAPPED, map_read},
};

_Static_assert(ARRAY_SIZE(writers) == PATHS_WRITERS && ARRAY_SIZE(readers) == PATHS_READERS, "as paths_table says");

static bool
may(const struct subject *s, VkImageUsageFlags needs, bool one_sample, int kind)
{
   return s->info.usage & needs && (!one_sample || s->info.samples == 1) &&
          (kind == ANY || (kind == MAPPED && s->info.tiling == VK_IMAGE_TILING_LINEAR) ||
           (kind == VIEWED && s->viewed) || (kind == TEXELS && is_texels(s->format)));
}

static bool
may_write(const struct subject *s, unsigned writer)
{
   return may(s, writers[writer].needs, writers[writer].one_sample, writers[writer].kind);
}

static bool
may_read(const struct subject *s, unsigned reader)
{
   return may(s, readers[reader].needs, readers[reader].one_sample, readers[reader].kind);
}

/* ---- choices ---- */

enum { STEPS = 5, ENOUGH = 120 /* rounds for all pairs of choices */, FIRST_UPLOAD = 0, FIRST_CLEAR = 2 };

struct plan {
   unsigned image[PATHS_IMAGE_CHOICES], writers[STEPS], readers[STEPS];
};

static struct choices images = {.table = paths_table, .count = PATHS_IMAGE_CHOICES};
/* What the device can do, what the plans have, and what was done. */
static struct choices possible = {.table = paths_table, .count = PATHS_CHOICES};
static struct choices planned = {.table = paths_table, .count = PATHS_CHOICES};
static struct choices done = {.table = paths_table, .count = PATHS_CHOICES, .possible = &possible};

static void
set_use(struct choices *c, const unsigned image[PATHS_IMAGE_CHOICES], unsigned writer, unsigned reader)
{
   memcpy(c->now, image, PATHS_IMAGE_CHOICES * sizeof(image[0]));
   c->now[PATHS_WRITER] = writer;
   c->now[PATHS_READER] = reader;
}

static void
count_possible(void)
{
   unsigned image[PATHS_IMAGE_CHOICES] = {0}, step = 0;
   while (step < PATHS_IMAGE_CHOICES) {
      struct subject s;
      const bool offered = subject_describe(vkx, &s, image);
      for (unsigned i = 0; offered && i < PATHS_WRITERS * PATHS_READERS; i++) {
         if (!may_write(&s, i / PATHS_READERS) || !may_read(&s, i % PATHS_READERS))
            continue;
         set_use(&possible, image, i / PATHS_READERS, i % PATHS_READERS);
         choices_count(&possible);
      }
      for (step = 0; step < PATHS_IMAGE_CHOICES && ++image[step] == paths_table[step].values; step++)
         image[step] = 0;
   }
}

/* Images, writers and readers such that pairs meet which did not in plans before. */
static struct plan
make_plan(uint32_t number)
{
   struct plan plan;
   struct subject s;
   uint64_t state = number;
   subject_choose(vkx, &images, number);
   choices_count(&images);
   memcpy(plan.image, images.now, sizeof(plan.image));
   subject_describe(vkx, &s, plan.image);
   for (unsigned step = 0; step < STEPS; step++) {
      unsigned most = 0;
      for (unsigned found = 0; found < 16;) {
         const unsigned writer = choices_below(&state, PATHS_WRITERS), reader = choices_below(&state, PATHS_READERS);
         if (!may_write(&s, writer) || !may_read(&s, reader))
            continue;
         set_use(&planned, plan.image, writer, reader);
         const unsigned count = choices_new_pairs(&planned);
         if (!found++ || count > most) {
            most = count;
            plan.writers[step] = writer;
            plan.readers[step] = reader;
         }
      }
      set_use(&planned, plan.image, plan.writers[step], plan.readers[step]);
      choices_count(&planned);
   }
   return plan;
}

/* ---- rounds ---- */

static void
check(const struct subject *s, const struct plan *plan, const struct box *box, unsigned writer, unsigned reader)
{
   if (!may_read(s, reader))
      return;
   set_use(&done, plan->image, writer, reader);
   choices_count(&done);
   vkt_expect(readers[reader].read(s, box), "%s: level %u, %u %u %u + %u %u %u: %s after %s", s->text, box->level,
              box->x, box->y, box->layer, box->width, box->height, box->layers, readers[reader].name,
              writers[writer].name);
}

static void
run_round(const struct plan *plan, uint32_t number)
{
   struct subject s;
   vkt_seed(number);
   subject_create(vkx, &s, plan->image);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &s.image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   unsigned writer = s.info.samples > 1 ? FIRST_CLEAR : FIRST_UPLOAD;
   for (uint32_t level = 0; level < s.info.mipLevels; level++) {
      const struct box all = whole_level(&s, level);
      writers[writer].write(&s, &all);
   }
   for (unsigned i = 0; i < STEPS; i++) {
      struct box box = choose_box(&s);
      writer = plan->writers[i];
      writers[writer].write(&s, &box);
      if (vkt_random_below(2))
         box = choose_box(&s);
      check(&s, plan, &box, writer, plan->readers[i]);
   }
   for (uint32_t i = 0; i < s.info.mipLevels * ARRAY_SIZE(readers); i++) {
      const struct box all = whole_level(&s, i / ARRAY_SIZE(readers));
      check(&s, plan, &all, writer, i % ARRAY_SIZE(readers));
   }
   test_host_images(&s);
   subject_destroy(vkx, &s);
}

int
main(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){"--seed", "--count", "--only", "--quirks", NULL},
                      "paths [--seed N] [--count N] [--only N] [--quirks honeykrisp|radv]");
   const uint32_t first = (uint32_t)atoi(vkx_option(argc, argv, "--seed", "1"));
   const uint32_t count = (uint32_t)atoi(vkx_option(argc, argv, "--count", "150"));
   const uint32_t only = (uint32_t)atoi(vkx_option(argc, argv, "--only", "0"));
   const char *quirks = vkx_option(argc, argv, "--quirks", "");
   paths_honeykrisp = !strcmp(quirks, "honeykrisp");
   paths_radv = !strcmp(quirks, "radv");
   struct vkx device = vkt_create("paths");
   vkx = &device;
   staging = vkt_buffer_create(vkx, PATHS_MAX_B, 0);
   texels = vkt_buffer_create(vkx, 16 * PATHS_MAX_SAMPLES, 0);
   create_pipelines();
   count_possible();
   for (uint32_t i = 0; i < count; i++) {
      const struct plan plan = make_plan(first + i);
      if (!only || only == first + i)
         run_round(&plan, first + i);
   }
   vkt_expect(only || count < ENOUGH || !choices_missing(&done, stdout), "a pair of choices is in no use");
   destroy_pipelines();
   vkx_buffer_destroy(vkx, &staging);
   vkx_buffer_destroy(vkx, &texels);
   return vkt_finish(vkx);
}
