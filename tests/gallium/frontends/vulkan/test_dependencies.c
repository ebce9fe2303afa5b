/* Barriers, events and render passes: what a driver learns of dependencies and images. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "gallium/frontends/vulkan/vk_ycbcr.h"
#include "util/macros.h"

#define MOST_IMAGES 64
#define MOST_BUFFERS 4
#define ALL_STAGES VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
#define SAME VK_QUEUE_FAMILY_IGNORED
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define LAYOUT(name) VK_IMAGE_LAYOUT_##name

/* What has been called since reset(). */
struct calls {
   unsigned barriers, waits, begins;
   unsigned begun_at; /* barriers before the last begin_rendering */
   uint32_t event_stages, event_value;
   struct pipe_barrier last;
   struct pipe_image_barrier images[MOST_IMAGES];
   struct pipe_buffer_barrier buffers[MOST_BUFFERS];
   struct pipe_rendering rendering;
};

static struct calls calls;
static struct vk_device device;
static struct vk_command_pool pool = {.device = &device, .family = 1};
static struct pipe_context context;
static struct vk_command_buffer command_buffer;
static VkCommandBuffer cmd;
static uint32_t seed;

/* ---- what the files under test need of others ---- */

uint32_t
vk_aspects(VkImageAspectFlags aspects)
{
   return (aspects & (COLOR | VK_PLANE_ASPECTS) ? PIPE_ASPECT_COLOR : 0) | (aspects & DEPTH ? PIPE_ASPECT_DEPTH : 0) |
          (aspects & STENCIL ? PIPE_ASPECT_STENCIL : 0);
}

uint32_t
vk_format_aspects(uint32_t format)
{
   return format == VK_FORMAT_D32_SFLOAT_S8_UINT ? PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL : PIPE_ASPECT_COLOR;
}

uint32_t
vk_stored_format(uint32_t format)
{
   return format;
}

/* ---- the driver ---- */

static void
barrier(struct pipe_context *ctx, const struct pipe_barrier *from)
{
   assert_true(from->num_images <= MOST_IMAGES);
   calls.barriers++;
   calls.last = *from;
   calls.last.images = NULL;
   if (from->num_images)
      memcpy(calls.images, from->images, from->num_images * sizeof(*from->images));
   assert_true(from->num_buffers <= MOST_BUFFERS);
   calls.last.buffers = NULL;
   if (from->num_buffers)
      memcpy(calls.buffers, from->buffers, from->num_buffers * sizeof(*from->buffers));
}

static void
event_write(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B, uint32_t value,
            uint32_t stages)
{
   calls.event_stages = stages;
   calls.event_value = value;
}

static void
event_wait(struct pipe_context *ctx, struct pipe_resource *buffer, uint64_t offset_B)
{
   assert_int_equal(calls.barriers, 0);
   calls.waits++;
}

static void
begin_rendering(struct pipe_context *ctx, const struct pipe_rendering *rendering)
{
   calls.begins++;
   calls.begun_at = calls.barriers;
   calls.rendering = *rendering;
}

static void
end_rendering(struct pipe_context *ctx)
{
}

static void
reset(void)
{
   memset(&calls, 0, sizeof(calls));
   command_buffer.result = VK_SUCCESS;
}

static int
set_up(void **state)
{
   device.alloc = vk_default_allocator;
   context = (struct pipe_context){.barrier = barrier,
                                   .event_write = event_write,
                                   .event_wait = event_wait,
                                   .begin_rendering = begin_rendering,
                                   .end_rendering = end_rendering};
   command_buffer = (struct vk_command_buffer){.pool = &pool, .pipe = &context};
   cmd = VK_TO(VkCommandBuffer, &command_buffer);
   seed = 1;
   reset();
   return 0;
}

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

/* ---- images ---- */

/* Handles that nobody looks into. */
static char bodies[8];

static struct vk_image
image_of(unsigned number, uint32_t aspects)
{
   return (struct vk_image){
      .planes = {(struct pipe_resource *)&bodies[number]},
      .num_planes = 1,
      .desc = {.levels = 5, .layers = 7},
      .aspects = aspects,
   };
}

static VkImageMemoryBarrier2
change(struct vk_image *image, VkImageAspectFlags aspects, VkImageLayout from, VkImageLayout to)
{
   return (VkImageMemoryBarrier2){
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = SAME,
      .dstQueueFamilyIndex = SAME,
      .image = VK_TO(VkImage, image),
      .subresourceRange = {aspects, 1, 2, 3, 4},
   };
}

static void
record_barriers(const VkImageMemoryBarrier2 *images, uint32_t count)
{
   reset();
   indium_CmdPipelineBarrier2(cmd,
                              &(VkDependencyInfo){.imageMemoryBarrierCount = count, .pImageMemoryBarriers = images});
   assert_int_equal(calls.barriers, 1);
}

/* Rows of the chapter "Image Layouts" in the specification, before and after. */
static void
test_uses(void **state)
{
   enum {
      TESTS = PIPE_USE_DEPTH_STENCIL_READ,
      WRITES = PIPE_USE_DEPTH_STENCIL_READ | PIPE_USE_DEPTH_STENCIL_WRITE,
      READS = PIPE_USE_SAMPLED | PIPE_USE_INPUT,
      LOOPS = READS | PIPE_USE_FEEDBACK_LOOP,
   };
   static const struct {
      VkImageLayout layout;
      VkImageAspectFlags aspect;
      uint32_t uses;
   } rows[] = {
      {LAYOUT(GENERAL), COLOR, PIPE_USE_GENERAL},
      {LAYOUT(GENERAL), STENCIL, PIPE_USE_GENERAL},
      {LAYOUT(COLOR_ATTACHMENT_OPTIMAL), COLOR, PIPE_USE_COLOR},
      {LAYOUT(ATTACHMENT_OPTIMAL), COLOR, PIPE_USE_COLOR},
      {LAYOUT(ATTACHMENT_OPTIMAL), DEPTH, WRITES},
      {LAYOUT(READ_ONLY_OPTIMAL), COLOR, READS},
      {LAYOUT(READ_ONLY_OPTIMAL), STENCIL, READS | TESTS},
      {LAYOUT(SHADER_READ_ONLY_OPTIMAL), DEPTH, READS},
      {LAYOUT(TRANSFER_SRC_OPTIMAL), COLOR, PIPE_USE_TRANSFER_SRC},
      {LAYOUT(TRANSFER_DST_OPTIMAL), STENCIL, PIPE_USE_TRANSFER_DST},
      {LAYOUT(PREINITIALIZED), COLOR, PIPE_USE_HOST},
      {LAYOUT(PRESENT_SRC_KHR), COLOR, PIPE_USE_PRESENT},
      {LAYOUT(SHARED_PRESENT_KHR), COLOR, PIPE_USE_PRESENT | PIPE_USE_GENERAL},
      {LAYOUT(FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR), COLOR, PIPE_USE_SHADING_RATE},
      {LAYOUT(ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT), COLOR, PIPE_USE_COLOR | LOOPS},
      {LAYOUT(ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT), DEPTH, WRITES | LOOPS},
      {LAYOUT(RENDERING_LOCAL_READ), COLOR, PIPE_USE_COLOR | PIPE_USE_INPUT | PIPE_USE_STORAGE | PIPE_USE_LOCAL_READ},
      {LAYOUT(VIDEO_DECODE_DST_KHR), COLOR, PIPE_USE_GENERAL}, /* not offered */
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct vk_image image = image_of(0, vk_aspects(rows[i].aspect));
      VkImageLayout other = rows[i].layout == LAYOUT(GENERAL) ? LAYOUT(TRANSFER_DST_OPTIMAL) : LAYOUT(GENERAL);
      VkImageMemoryBarrier2 both[] = {
         change(&image, rows[i].aspect, LAYOUT(UNDEFINED), rows[i].layout),
         change(&image, rows[i].aspect, rows[i].layout, other),
      };

      record_barriers(both, 2);
      assert_int_equal(calls.last.num_images, 2);
      assert_int_equal(calls.images[0].before, 0);
      assert_int_equal(calls.images[0].after, rows[i].uses);
      assert_true(calls.images[0].discard);
      assert_int_equal(calls.images[1].before, rows[i].uses);
      assert_int_equal(calls.images[1].after, other == LAYOUT(GENERAL) ? PIPE_USE_GENERAL : PIPE_USE_TRANSFER_DST);
      assert_false(calls.images[1].discard);
      assert_ptr_equal(calls.images[0].image, image.planes[0]);
   }
}

/* "When the old and new layout are equal, the layout values are ignored - data is preserved". */
static void
test_equal_layouts(void **state)
{
   struct vk_image image = image_of(0, PIPE_ASPECT_COLOR);
   VkImageMemoryBarrier2 equal = change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(UNDEFINED));

   record_barriers(&equal, 1);
   assert_int_equal(calls.last.num_images, 0);
   equal.srcQueueFamilyIndex = 0;
   equal.dstQueueFamilyIndex = 1;
   record_barriers(&equal, 1);
   assert_int_equal(calls.last.num_images, 1);
   assert_false(calls.images[0].discard);
   /* An image that nobody has initialised, but whose memory the processor has written. */
   VkImageMemoryBarrier2 preinitialized = change(&image, COLOR, LAYOUT(PREINITIALIZED), LAYOUT(GENERAL));

   record_barriers(&preinitialized, 1);
   assert_false(calls.images[0].discard);
}

static void
test_ranges(void **state)
{
   struct vk_image image = image_of(0, PIPE_ASPECT_COLOR);
   VkImageMemoryBarrier2 changes[] = {
      change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(GENERAL)),
      change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(GENERAL)),
   };

   changes[1].subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
   changes[1].subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
   record_barriers(changes, 2);
   const struct pipe_subresource_range wanted[] = {{PIPE_ASPECT_COLOR, 1, 2, 3, 4}, {PIPE_ASPECT_COLOR, 1, 4, 3, 4}};

   for (unsigned i = 0; i < 2; i++)
      assert_memory_equal(&calls.images[i].range, &wanted[i], sizeof(wanted[i]));
}

/* An entry for each plane; for only one if the aspect says so. */
static void
test_planes(void **state)
{
   struct vk_image image = image_of(0, PIPE_ASPECT_COLOR);
   const VkImageMemoryBarrier2 all = change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(GENERAL));
   const VkImageMemoryBarrier2 one =
      change(&image, VK_IMAGE_ASPECT_PLANE_1_BIT, LAYOUT(UNDEFINED), LAYOUT(TRANSFER_DST_OPTIMAL));
   const VkImageMemoryBarrier2 none = change(&image, COLOR, LAYOUT(GENERAL), LAYOUT(GENERAL));

   image.num_planes = 3;
   image.planes[1] = (struct pipe_resource *)&bodies[1];
   image.planes[2] = (struct pipe_resource *)&bodies[2];
   record_barriers(&all, 1);
   assert_int_equal(calls.last.num_images, 3);
   for (unsigned i = 0; i < 3; i++) {
      assert_ptr_equal(calls.images[i].image, image.planes[i]);
      assert_int_equal(calls.images[i].range.aspects, PIPE_ASPECT_COLOR);
      assert_true(calls.images[i].discard);
   }
   record_barriers(&one, 1);
   assert_int_equal(calls.last.num_images, 1);
   assert_ptr_equal(calls.images[0].image, image.planes[1]);
   assert_int_equal(calls.images[0].after, PIPE_USE_TRANSFER_DST);
   record_barriers(&none, 1);
   assert_int_equal(calls.last.num_images, 0);
}

/* Depth and stencil have one entry if the same happens to both. */
static void
test_aspects(void **state)
{
   struct vk_image image = image_of(0, PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL);
   const uint32_t written = PIPE_USE_DEPTH_STENCIL_READ | PIPE_USE_DEPTH_STENCIL_WRITE;
   VkImageMemoryBarrier2 changes[] = {
      change(&image, DEPTH | STENCIL, LAYOUT(UNDEFINED), LAYOUT(DEPTH_STENCIL_ATTACHMENT_OPTIMAL)),
      change(&image, DEPTH | STENCIL, LAYOUT(DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
             LAYOUT(DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL)),
      change(&image, STENCIL, LAYOUT(UNDEFINED), LAYOUT(STENCIL_ATTACHMENT_OPTIMAL)),
   };

   record_barriers(changes, 3);
   assert_int_equal(calls.last.num_images, 4);
   assert_int_equal(calls.images[0].range.aspects, PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL);
   assert_int_equal(calls.images[1].range.aspects, PIPE_ASPECT_DEPTH);
   assert_int_equal(calls.images[1].after, written);
   assert_int_equal(calls.images[2].range.aspects, PIPE_ASPECT_STENCIL);
   assert_int_equal(calls.images[2].before, written);
   assert_false(calls.images[2].after & PIPE_USE_DEPTH_STENCIL_WRITE);
   assert_int_equal(calls.images[3].range.aspects, PIPE_ASPECT_STENCIL);
   assert_true(calls.images[3].discard);
}

static void
test_families(void **state)
{
   static const struct {
      uint32_t src, dst, wanted_src, wanted_dst;
   } rows[] = {
      {0, 1, 0, 1},
      {VK_QUEUE_FAMILY_EXTERNAL, 1, PIPE_FAMILY_EXTERNAL, 1},
      {1, VK_QUEUE_FAMILY_FOREIGN_EXT, 1, PIPE_FAMILY_FOREIGN},
   };
   struct vk_image image = image_of(0, PIPE_ASPECT_COLOR);

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      VkImageMemoryBarrier2 moved = change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(GENERAL));

      moved.srcQueueFamilyIndex = rows[i].src;
      moved.dstQueueFamilyIndex = rows[i].dst;
      record_barriers(&moved, 1);
      assert_int_equal(calls.images[0].src_family, rows[i].wanted_src);
      assert_int_equal(calls.images[0].dst_family, rows[i].wanted_dst);
      assert_true(calls.images[0].discard);
   }
   VkImageMemoryBarrier2 kept = change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(GENERAL));

   record_barriers(&kept, 1);
   assert_int_equal(calls.images[0].src_family, calls.images[0].dst_family);
}

/* ---- the first versions ---- */

#define MOST 3
#define BUFFER_B 100

struct barriers {
   VkPipelineStageFlags src, dst;
   uint32_t num_memory, num_buffers, num_images;
   VkMemoryBarrier memory[MOST];
   VkBufferMemoryBarrier buffers[MOST];
   VkImageMemoryBarrier images[MOST];
};

static void
make_barriers(struct barriers *b, struct vk_image images[2], struct vk_buffer *buffer)
{
   static const VkImageLayout layouts[] = {
      LAYOUT(UNDEFINED),       LAYOUT(GENERAL), LAYOUT(SHADER_READ_ONLY_OPTIMAL), LAYOUT(TRANSFER_DST_OPTIMAL),
      LAYOUT(PRESENT_SRC_KHR),
   };

   *b = (struct barriers){.src = 1u << random_below(17),
                          .dst = 1u << random_below(17),
                          .num_memory = random_below(MOST + 1),
                          .num_buffers = random_below(MOST + 1),
                          .num_images = random_below(MOST + 1)};
   for (unsigned i = 0; i < MOST; i++) {
      uint32_t access[] = {1u << random_below(17), 1u << random_below(17), 1u << random_below(17),
                           1u << random_below(17), 1u << random_below(17), 1u << random_below(17)};

      b->memory[i] = (VkMemoryBarrier){.srcAccessMask = access[0], .dstAccessMask = access[1]};
      const uint32_t offset_B = 4 * random_below(20);
      b->buffers[i] = (VkBufferMemoryBarrier){
         .srcAccessMask = access[2],
         .dstAccessMask = access[3],
         .srcQueueFamilyIndex = random_below(2),
         .dstQueueFamilyIndex = random_below(2),
         .buffer = VK_TO(VkBuffer, buffer),
         .offset = offset_B,
         .size = random_below(2) ? VK_WHOLE_SIZE : 1 + random_below(BUFFER_B - offset_B),
      };
      b->images[i] = (VkImageMemoryBarrier){
         .srcAccessMask = access[4],
         .dstAccessMask = access[5],
         .oldLayout = layouts[random_below(ARRAY_SIZE(layouts))],
         .newLayout = layouts[random_below(ARRAY_SIZE(layouts))],
         .srcQueueFamilyIndex = random_below(2),
         .dstQueueFamilyIndex = random_below(2),
         .image = VK_TO(VkImage, &images[random_below(2)]),
         .subresourceRange = {COLOR, random_below(5), VK_REMAINING_MIP_LEVELS, random_below(3), 1 + random_below(4)},
      };
   }
}

/* Each as a command of the second version: the contract's bits add up. */
static struct calls
sum_of_second(const struct barriers *b)
{
   struct calls sum = {0};

   for (unsigned i = 0; i <= b->num_memory + b->num_buffers + b->num_images; i++) {
      VkMemoryBarrier2 memory = {.srcStageMask = b->src, .dstStageMask = b->dst};
      VkImageMemoryBarrier2 image = {.srcStageMask = b->src, .dstStageMask = b->dst};
      VkDependencyInfo info = {.memoryBarrierCount = 1, .pMemoryBarriers = &memory};

      if (i < b->num_memory) {
         memory.srcAccessMask = b->memory[i].srcAccessMask;
         memory.dstAccessMask = b->memory[i].dstAccessMask;
      } else if (i < b->num_memory + b->num_buffers) {
         memory.srcAccessMask = b->buffers[i - b->num_memory].srcAccessMask;
         memory.dstAccessMask = b->buffers[i - b->num_memory].dstAccessMask;
      } else if (i < b->num_memory + b->num_buffers + b->num_images) {
         const VkImageMemoryBarrier *from = &b->images[i - b->num_memory - b->num_buffers];

         image.srcAccessMask = from->srcAccessMask;
         image.dstAccessMask = from->dstAccessMask;
         image.oldLayout = from->oldLayout;
         image.newLayout = from->newLayout;
         image.srcQueueFamilyIndex = from->srcQueueFamilyIndex;
         image.dstQueueFamilyIndex = from->dstQueueFamilyIndex;
         image.image = from->image;
         image.subresourceRange = from->subresourceRange;
         info = (VkDependencyInfo){.imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &image};
      }
      reset();
      indium_CmdPipelineBarrier2(cmd, &info);
      sum.last.src_stages |= calls.last.src_stages;
      sum.last.dst_stages |= calls.last.dst_stages;
      sum.last.src_access |= calls.last.src_access;
      sum.last.dst_access |= calls.last.dst_access;
      if (calls.last.num_images)
         sum.images[sum.last.num_images++] = calls.images[0];
   }
   return sum;
}

static void
check_sum(const struct calls *wanted, const struct barriers *b)
{
   assert_int_equal(calls.barriers, 1);
   assert_int_equal(calls.last.src_stages, wanted->last.src_stages);
   assert_int_equal(calls.last.dst_stages, wanted->last.dst_stages);
   assert_int_equal(calls.last.src_access, wanted->last.src_access);
   assert_int_equal(calls.last.dst_access, wanted->last.dst_access);
   assert_int_equal(calls.last.num_images, wanted->last.num_images);
   for (unsigned i = 0; i < b->num_buffers; i++) {
      const VkBufferMemoryBarrier *from = &b->buffers[i];
      const struct pipe_buffer_barrier *to = &calls.buffers[i];

      assert_ptr_equal(to->buffer, (struct pipe_resource *)&bodies[0]);
      assert_int_equal(to->offset_B, from->offset);
      assert_int_equal(to->size_B, from->size == VK_WHOLE_SIZE ? BUFFER_B - from->offset : from->size);
      assert_int_equal(to->src_family, from->srcQueueFamilyIndex);
      assert_int_equal(to->dst_family, from->dstQueueFamilyIndex);
   }
   assert_int_equal(calls.last.num_buffers, b->num_buffers);
   for (unsigned i = 0; i < wanted->last.num_images; i++) {
      const struct pipe_image_barrier *a = &calls.images[i], *w = &wanted->images[i];

      assert_ptr_equal(a->image, w->image);
      assert_memory_equal(&a->range, &w->range, sizeof(a->range));
      assert_int_equal(a->before, w->before);
      assert_int_equal(a->after, w->after);
      assert_int_equal(a->discard, w->discard);
      assert_int_equal(a->src_family, w->src_family);
      assert_int_equal(a->dst_family, w->dst_family);
   }
}

static void
test_first_versions(void **state)
{
   struct vk_image images[] = {image_of(0, PIPE_ASPECT_COLOR), image_of(1, PIPE_ASPECT_COLOR)};
   struct vk_event body[2] = {{0}};
   const VkEvent events[] = {VK_TO(VkEvent, &body[0]), VK_TO(VkEvent, &body[1])};
   struct vk_buffer buffer = {.resource = (struct pipe_resource *)&bodies[0], .size_B = BUFFER_B};
   struct barriers b;

   for (unsigned i = 0; i < 500; i++) {
      make_barriers(&b, images, &buffer);
      struct calls wanted = sum_of_second(&b);

      reset();
      indium_CmdPipelineBarrier(cmd, b.src, b.dst, 0, b.num_memory, b.memory, b.num_buffers, b.buffers, b.num_images,
                                b.images);
      check_sum(&wanted, &b);
      reset();
      indium_CmdWaitEvents(cmd, 2, events, b.src, b.dst, b.num_memory, b.memory, b.num_buffers, b.buffers,
                           b.num_images, b.images);
      check_sum(&wanted, &b);
      assert_int_equal(calls.waits, 2);
   }
}

/* Events are written after the same stages that a barrier waits for; the end of the pipe is all of them. */
static void
test_events(void **state)
{
   struct vk_event body = {0};
   const VkEvent event = VK_TO(VkEvent, &body);
   const VkMemoryBarrier2 memory = {.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT};

   indium_CmdSetEvent(cmd, event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
   assert_int_equal(calls.event_stages, PIPE_STAGE_COMPUTE);
   assert_int_equal(calls.event_value, 1);
   indium_CmdSetEvent2(cmd, event, &(VkDependencyInfo){.memoryBarrierCount = 1, .pMemoryBarriers = &memory});
   assert_int_equal(calls.event_stages, PIPE_STAGE_TRANSFER);
   indium_CmdResetEvent(cmd, event, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
   assert_int_equal(calls.event_stages, PIPE_STAGE_ALL);
   assert_int_equal(calls.event_value, 0);
   indium_CmdSetEvent(cmd, event, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
   assert_int_equal(calls.event_stages, 0);
}

static void *VKAPI_PTR
no_memory(void *data, size_t size_B, size_t alignment_B, VkSystemAllocationScope scope)
{
   return NULL;
}

/* Few barriers need no memory. */
static void
test_no_memory(void **state)
{
   struct vk_image image = image_of(0, PIPE_ASPECT_COLOR);
   VkImageMemoryBarrier2 images[MOST_IMAGES];
   VkMemoryBarrier memory[MOST_IMAGES] = {{0}};
   VkDependencyInfo info = {.imageMemoryBarrierCount = 1, .pImageMemoryBarriers = images};

   for (unsigned i = 0; i < MOST_IMAGES; i++)
      images[i] = change(&image, COLOR, LAYOUT(UNDEFINED), LAYOUT(GENERAL));
   device.alloc.pfnAllocation = no_memory;
   indium_CmdPipelineBarrier2(cmd, &info);
   indium_CmdPipelineBarrier(cmd, ALL_STAGES, ALL_STAGES, 0, 1, memory, 0, NULL, 0, NULL);
   assert_int_equal(command_buffer.result, VK_SUCCESS);
   assert_int_equal(calls.barriers, 2);
   reset();
   info.imageMemoryBarrierCount = MOST_IMAGES;
   indium_CmdPipelineBarrier2(cmd, &info);
   assert_int_equal(command_buffer.result, VK_ERROR_OUT_OF_HOST_MEMORY);
   assert_int_equal(calls.barriers, 0);
   reset();
   indium_CmdPipelineBarrier(cmd, ALL_STAGES, ALL_STAGES, 0, MOST_IMAGES, memory, 0, NULL, 0, NULL);
   assert_int_equal(command_buffer.result, VK_ERROR_OUT_OF_HOST_MEMORY);
   assert_int_equal(calls.barriers, 0);
   device.alloc = vk_default_allocator;
}

/* ---- render passes ---- */

#define ATTACHMENTS 4

/* Three subpasses: 0 is written, then 1, which may share its memory; 2 is depth and stencil, read at the end. Nobody
 * uses 3. */
struct pass {
   VkRenderPassCreateInfo2 info;
   VkAttachmentDescription2 attachments[ATTACHMENTS];
   VkAttachmentDescriptionStencilLayout stencil;
   VkAttachmentReference2 colors[2], depth[2], input;
   VkAttachmentReferenceStencilLayout stencil_write;
   VkSubpassDescription2 subpasses[3];
   VkSubpassDependency2 dependency;
};

static void
describe_pass(struct pass *p)
{
   *p = (struct pass){.stencil = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,
                                  .stencilInitialLayout = LAYOUT(STENCIL_READ_ONLY_OPTIMAL),
                                  .stencilFinalLayout = LAYOUT(STENCIL_READ_ONLY_OPTIMAL)},
                      .stencil_write = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT,
                                        .stencilLayout = LAYOUT(STENCIL_READ_ONLY_OPTIMAL)}};
   for (unsigned i = 0; i < ATTACHMENTS; i++)
      p->attachments[i] = (VkAttachmentDescription2){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                     .samples = 1,
                                                     .initialLayout = LAYOUT(UNDEFINED),
                                                     .finalLayout = LAYOUT(PRESENT_SRC_KHR)};
   p->attachments[2].format = VK_FORMAT_D32_SFLOAT_S8_UINT;
   p->attachments[2].pNext = &p->stencil;
   p->attachments[2].finalLayout = LAYOUT(DEPTH_READ_ONLY_OPTIMAL);
   p->attachments[3].initialLayout = LAYOUT(GENERAL);
   p->attachments[3].finalLayout = LAYOUT(GENERAL);
   for (unsigned i = 0; i < 2; i++)
      p->colors[i] = (VkAttachmentReference2){.attachment = i, .layout = LAYOUT(COLOR_ATTACHMENT_OPTIMAL)};
   p->depth[0] = (VkAttachmentReference2){
      .attachment = 2, .layout = LAYOUT(DEPTH_ATTACHMENT_OPTIMAL), .pNext = &p->stencil_write};
   p->depth[1] = (VkAttachmentReference2){.attachment = 2, .layout = LAYOUT(DEPTH_STENCIL_READ_ONLY_OPTIMAL)};
   p->input = (VkAttachmentReference2){
      .attachment = 2, .layout = LAYOUT(DEPTH_STENCIL_READ_ONLY_OPTIMAL), .aspectMask = DEPTH};
   p->subpasses[0] = (VkSubpassDescription2){
      .colorAttachmentCount = 1, .pColorAttachments = &p->colors[0], .pDepthStencilAttachment = &p->depth[0]};
   p->subpasses[1] = (VkSubpassDescription2){
      .colorAttachmentCount = 1, .pColorAttachments = &p->colors[1], .pDepthStencilAttachment = &p->depth[0]};
   p->subpasses[2] = (VkSubpassDescription2){.inputAttachmentCount = 1,
                                             .pInputAttachments = &p->input,
                                             .colorAttachmentCount = 1,
                                             .pColorAttachments = &p->colors[1],
                                             .pDepthStencilAttachment = &p->depth[1]};
   p->dependency = (VkSubpassDependency2){.srcSubpass = VK_SUBPASS_EXTERNAL,
                                          .srcStageMask = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                          .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT};
   p->info = (VkRenderPassCreateInfo2){.attachmentCount = ATTACHMENTS,
                                       .pAttachments = p->attachments,
                                       .subpassCount = 3,
                                       .pSubpasses = p->subpasses,
                                       .dependencyCount = 1,
                                       .pDependencies = &p->dependency};
}

static void
check_image(unsigned index, unsigned attachment, uint32_t aspects, uint32_t before, uint32_t after)
{
   const struct pipe_image_barrier *image = &calls.images[index];

   assert_true(index < calls.last.num_images);
   assert_ptr_equal(image->image, (struct pipe_resource *)&bodies[attachment]);
   assert_int_equal(image->range.aspects, aspects);
   assert_int_equal(image->range.base_layer, attachment);
   assert_int_equal(image->before, before);
   assert_int_equal(image->after, after);
   assert_int_equal(image->discard, !before);
   assert_int_equal(image->src_family, image->dst_family);
}

static void
test_render_pass(void **state)
{
   enum {
      TESTED = PIPE_USE_DEPTH_STENCIL_READ | PIPE_USE_SAMPLED | PIPE_USE_INPUT,
      WRITTEN = PIPE_USE_DEPTH_STENCIL_READ | PIPE_USE_DEPTH_STENCIL_WRITE,
   };
   struct vk_image images[ATTACHMENTS];
   struct vk_image_view views[ATTACHMENTS];
   struct vk_framebuffer *framebuffer = malloc(sizeof(*framebuffer) + ATTACHMENTS * sizeof(void *));
   struct pass p;
   VkRenderPass pass;

   assert_non_null(framebuffer);
   *framebuffer = (struct vk_framebuffer){.layers = 1, .num_attachments = ATTACHMENTS};
   describe_pass(&p);
   for (unsigned i = 0; i < ATTACHMENTS; i++) {
      images[i] = image_of(i, vk_format_aspects(p.attachments[i].format));
      views[i] = (struct vk_image_view){
         .planes = {(struct pipe_image_view *)&bodies[i]},
         .num_planes = 1,
         .image = &images[i],
         .range = {images[i].aspects, 0, 1, i, 1},
      };
      framebuffer->attachments[i] = &views[i];
   }
   assert_int_equal(indium_CreateRenderPass2(VK_TO(VkDevice, &device), &p.info, NULL, &pass), VK_SUCCESS);
   indium_CmdBeginRenderPass2(
      cmd, &(VkRenderPassBeginInfo){.renderPass = pass, .framebuffer = VK_TO(VkFramebuffer, framebuffer)}, NULL);
   assert_int_equal(calls.begun_at, 1);
   assert_int_equal(calls.last.src_stages, PIPE_STAGE_COMPUTE);
   assert_int_equal(calls.last.num_images, 2);
   check_image(0, 0, PIPE_ASPECT_COLOR, 0, PIPE_USE_COLOR);
   check_image(1, 2, PIPE_ASPECT_DEPTH, 0, WRITTEN); /* not stencil, whose layout stays */
   assert_int_equal(calls.rendering.colors[0].uses, PIPE_USE_COLOR);
   assert_int_equal(calls.rendering.depth_uses, WRITTEN);
   assert_int_equal(calls.rendering.stencil_uses, TESTED);
   calls.barriers = 0;
   indium_CmdNextSubpass2(cmd, NULL, NULL);
   assert_int_equal(calls.begins, 2);
   assert_int_equal(calls.begun_at, 2); /* that between subpasses comes first */
   assert_int_equal(calls.last.num_images, 1);
   check_image(0, 1, PIPE_ASPECT_COLOR, 0, PIPE_USE_COLOR);
   calls.barriers = 0;
   calls.last.num_images = 0;
   indium_CmdNextSubpass2(cmd, NULL, NULL);
   assert_int_equal(calls.begun_at, 2);
   assert_int_equal(calls.rendering.depth_uses, TESTED);
   indium_CmdEndRenderPass2(cmd, NULL);
   assert_int_equal(calls.last.src_stages, 0);
   assert_int_equal(calls.last.num_images, 3);
   check_image(0, 0, PIPE_ASPECT_COLOR, PIPE_USE_COLOR, PIPE_USE_PRESENT);
   check_image(1, 1, PIPE_ASPECT_COLOR, PIPE_USE_COLOR, PIPE_USE_PRESENT);
   check_image(2, 2, PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL, TESTED, TESTED);
   indium_DestroyRenderPass(VK_TO(VkDevice, &device), pass, NULL);
   free(framebuffer);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_uses, set_up),           cmocka_unit_test_setup(test_equal_layouts, set_up),
      cmocka_unit_test_setup(test_ranges, set_up),         cmocka_unit_test_setup(test_aspects, set_up),
      cmocka_unit_test_setup(test_planes, set_up),         cmocka_unit_test_setup(test_families, set_up),
      cmocka_unit_test_setup(test_first_versions, set_up), cmocka_unit_test_setup(test_events, set_up),
      cmocka_unit_test_setup(test_no_memory, set_up),      cmocka_unit_test_setup(test_render_pass, set_up),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
