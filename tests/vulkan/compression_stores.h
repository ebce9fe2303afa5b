/* Shaders that store to images which hardware may compress, for compression.c: values to some texels of a box, texels
 * of another image, and atomics where views show the texels as words. */

static const uint32_t store_comp[] = {
#include "compression_store.comp.inc"
};
static const uint32_t move_comp[] = {
#include "compression_move.comp.inc"
};
static const uint32_t turn_comp[] = {
#include "compression_turn.comp.inc"
};

enum store_kind { STORE, MOVE, TURN, STORE_KINDS };

struct store_push {
   int32_t first[3];
   uint32_t stored; /* bit per hash */
   int32_t size[3];
   uint32_t second;
   int32_t from[4];
   float values[2][4];
};

static VkDescriptorSetLayout store_set_layout;
static VkPipelineLayout store_layout;
static VkPipeline store_pipelines[STORE_KINDS];
static VkDescriptorPool store_pools[MAX_OBJECTS];
static unsigned num_store_pools;

static bool
can_store(const struct pair *pair)
{
   return pair->info.usage & VK_IMAGE_USAGE_STORAGE_BIT && store_layout;
}

/* Whether views may show texels as words. */
static bool
can_turn(const struct pair *pair)
{
   return can_store(pair) && pair->words;
}

static void
create_stores(void)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   static const uint32_t *const codes[] = {store_comp, move_comp, turn_comp};
   static const size_t sizes[] = {sizeof(store_comp), sizeof(move_comp), sizeof(turn_comp)};
   if (!vkt_features.shaderStorageImageReadWithoutFormat || !vkt_features.shaderStorageImageWriteWithoutFormat)
      return;
   store_set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   store_layout =
      vkx_pipeline_layout_create(vkx, store_set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct store_push));
   for (unsigned i = 0; i < STORE_KINDS; i++)
      store_pipelines[i] = vkx_compute_pipeline_create(vkx, store_layout, vkx_shader_create(vkx, codes[i], sizes[i]));
}

static void
destroy_stores(void)
{
   for (unsigned i = 0; i < STORE_KINDS && store_layout; i++)
      vkDestroyPipeline(vkx->device, store_pipelines[i], NULL);
   vkDestroyPipelineLayout(vkx->device, store_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, store_set_layout, NULL);
}

/* When the commands have run. */
static void
finish_stores(void)
{
   for (unsigned i = 0; i < num_store_pools; i++)
      vkDestroyDescriptorPool(vkx->device, store_pools[i], NULL);
   num_store_pools = 0;
}

static VkImageView
add_store_view(const struct pair *pair, uint32_t level, VkFormat format)
{
   const VkImageViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = handle(pair),
      .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
      .format = format,
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, pair->info.arrayLayers}};
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &views[num_views]), "vkCreateImageView");
   return views[num_views++];
}

static VkDescriptorSet
add_store_set(VkImageView to, VkImageView from)
{
   const struct vkt_descriptor images[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = to},
                                            {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = from}};
   VkDescriptorPool *pool = &store_pools[num_store_pools++];
   *pool = VK_NULL_HANDLE;
   return vkt_bindings_create(vkx, pool, store_set_layout, 2, images);
}

static void
dispatch_store(VkCommandBuffer cmd, enum store_kind kind, VkDescriptorSet set, const struct store_push *push)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, store_pipelines[kind]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, store_layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, store_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(*push), push);
   vkCmdDispatch(cmd, ((uint32_t)push->size[0] + 7) / 8, ((uint32_t)push->size[1] + 7) / 8, (uint32_t)push->size[2]);
}

static struct store_push
push_of_box(const struct box *box)
{
   return (struct store_push){
      .first = {(int32_t)box->x, (int32_t)box->y, (int32_t)box->layer},
      .stored = chance(50) ? 0xff : 1 + vkt_random_below(255),
      .size = {(int32_t)box->width, (int32_t)box->height, (int32_t)box->layers},
      .second = chance(30) ? 0 : vkt_random_below(256),
   };
}

/* What the shader does, texel by texel; from: where MOVE reads. */
static void
expect_store(const struct pair *pair, const struct box *box, enum store_kind kind, const struct store_push *push,
             const struct value values[2], const struct pair *from, const struct box *read)
{
   /* size: fields of an image */
   const struct plane *plane = &pair->planes[0];
   for (uint32_t n = 0; n < box->width * box->height * box->layers; n++) {
      const uint32_t x = n % box->width, y = n / box->width % box->height, z = n / box->width / box->height;
      const uint32_t hash = 1u << (x * 3 + y * 5 + z) % 8;
      uint8_t *texel = texel_at(pair, plane, box->level, box->layer + z, box->x + x, box->y + y);
      if (!(push->stored & hash))
         continue;
      if (kind == STORE)
         memcpy(texel, values[push->second & hash ? 1 : 0].texel, plane->texel_B);
      else if (kind == MOVE)
         memcpy(texel, texel_at(from, &from->planes[0], read->level, read->layer + z, read->x + x, read->y + y),
                plane->texel_B);
      for (unsigned i = 0; kind == TURN && i < plane->texel_B; i++)
         texel[i] ^= ((const uint8_t *)&push->values[0][0])[i];
   }
}

static void
store_box(VkCommandBuffer cmd, const struct pair *pair, bool turn)
{
   const struct box box = choose_box(pair);
   const struct value values[2] = {choose_value(pair, &pair->planes[0]), choose_value(pair, &pair->planes[0])};
   struct store_push push = push_of_box(&box);
   for (unsigned i = 0; i < 2; i++)
      memcpy(push.values[i], values[i].clear.color.float32, sizeof(push.values[i]));
   if (turn)
      push.values[0][0] = 1.0f + (float)vkt_random_below(1u << 23) / (1u << 23);
   const enum store_kind kind = turn ? TURN : STORE;
   const VkImageView view = add_store_view(pair, box.level, turn ? VK_FORMAT_R32_UINT : pair->info.format);
   dispatch_store(cmd, kind, add_store_set(view, view), &push);
   expect_store(pair, &box, kind, &push, values, NULL, NULL);
}

static bool
move_box(VkCommandBuffer cmd, const struct pair *from, const struct pair *to)
{
   struct box src, dst;
   if (!choose_boxes(from, to, &src, &dst))
      return false;
   struct store_push push = push_of_box(&dst);
   push.from[0] = (int32_t)src.x, push.from[1] = (int32_t)src.y, push.from[2] = (int32_t)src.layer;
   const VkImageView source = add_store_view(from, src.level, from->info.format);
   dispatch_store(cmd, MOVE, add_store_set(add_store_view(to, dst.level, to->info.format), source), &push);
   expect_store(to, &dst, MOVE, &push, NULL, from, &src);
   return true;
}
