/* AMDGPU_INFO: what the device is. */
#include <errno.h>
#include <string.h>

#include "amd/drm-shim/amd_shim.h"
#include "amd/drm-shim/dev_info.h"
#include "drm-shim/user_memory.h"
#include "util/macros.h"

#define HW_IPS 10 /* AMDGPU_HW_IP_NUM of DRM 3.64 */
#define REG_GB_ADDR_CONFIG 0x263e /* in dwords, as the others */

static int
reply(const struct drm_amdgpu_info *info, const void *data, size_t size_B)
{
   return user_write(info->return_pointer, data, MIN2(info->return_size, size_B));
}

static int
reply_u32(const struct drm_amdgpu_info *info, uint32_t value)
{
   return reply(info, &value, sizeof(value));
}

static int
reply_u64(const struct drm_amdgpu_info *info, uint64_t value)
{
   return reply(info, &value, sizeof(value));
}

static int
dev_info(const struct drm_amdgpu_info *info)
{
   const struct amd_chip *chip = amd_device.chip;
   struct amd_dev_info dev = {0};
   dev.base = (struct drm_amdgpu_info_device){
      .device_id = chip->device_id,
      .chip_rev = chip->chip_rev,
      .external_rev = chip->external_rev,
      .pci_rev = chip->pci_rev,
      .family = chip->family,
      .num_shader_engines = chip->num_se,
      .num_shader_arrays_per_engine = chip->num_sa_per_se,
      .gpu_counter_freq = chip->gpu_counter_freq_kHz,
      .max_engine_clock = chip->max_engine_clock_kHz,
      .max_memory_clock = chip->max_memory_clock_kHz,
      .cu_active_number = chip->num_cu_active,
      .enabled_rb_pipes_mask = chip->enabled_rb_pipes_mask,
      .num_rb_pipes = chip->num_rb_pipes,
      .num_hw_gfx_contexts = 8,
      .ids_flags = chip->ids_flags,
      .virtual_address_offset = chip->va_first,
      .virtual_address_max = chip->va_end,
      .virtual_address_alignment = AMD_PAGE_B,
      .pte_fragment_size = 2 << 20,
      .gart_page_size = AMD_PAGE_B,
      .ce_ram_size = chip->ce_ram_B,
      .vram_type = chip->vram_type,
      .vram_bit_width = chip->vram_bit_width,
      .gc_double_offchip_lds_buf = chip->gc_double_offchip_lds_buf,
      .wave_front_size = chip->wave_front_size,
      .num_shader_visible_vgprs = chip->num_shader_visible_vgprs,
      .num_cu_per_sh = chip->num_cu_per_sa,
      .num_tcc_blocks = chip->num_tcc_blocks,
      .gs_vgt_table_depth = 32,
      .gs_prim_buffer_depth = 1792,
      .max_gs_waves_per_vgt = 32,
      .high_va_offset = chip->high_va_first,
      .high_va_max = chip->high_va_end,
      .pa_sc_tile_steering_override = chip->pa_sc_tile_steering_override,
   };
   dev.tcp_cache_KiB = chip->tcp_cache_KiB;
   dev.num_sqc_per_wgp = chip->num_sqc_per_wgp;
   dev.sqc_data_cache_KiB = chip->sqc_data_cache_KiB;
   dev.sqc_inst_cache_KiB = chip->sqc_inst_cache_KiB;
   dev.gl1c_cache_KiB = chip->gl1c_cache_KiB;
   dev.gl2c_cache_KiB = chip->gl2c_cache_KiB;
   dev.mall_B = chip->mall_B;
   memcpy(dev.base.cu_bitmap, chip->cu_bitmap, sizeof(dev.base.cu_bitmap));
   memcpy(dev.base.cu_ao_bitmap, chip->cu_bitmap, sizeof(dev.base.cu_ao_bitmap));
   return reply(info, &dev, sizeof(dev));
}

static int
hw_ip_info(const struct drm_amdgpu_info *info)
{
   const struct amd_chip *chip = amd_device.chip;
   struct amd_hw_ip answer = {0};
   struct drm_amdgpu_info_hw_ip *ip = &answer.base;
   if (info->query_hw_ip.ip_instance >= AMDGPU_HW_IP_INSTANCE_MAX_COUNT)
      return -EINVAL;
   switch (info->query_hw_ip.type) {
   case AMDGPU_HW_IP_DMA:
      ip->hw_ip_version_major = chip->sdma_version >> 16;
      ip->hw_ip_version_minor = chip->sdma_version >> 8 & 0xff;
      ip->ib_start_alignment = 256;
      ip->ib_size_alignment = 4;
      ip->available_rings = (1u << chip->sdma_rings) - 1;
      answer.ip_discovery_version = chip->sdma_version;
      return reply(info, &answer, sizeof(answer));
   case AMDGPU_HW_IP_GFX:
   case AMDGPU_HW_IP_COMPUTE:
      ip->hw_ip_version_major = chip->hw_ip_major;
      ip->hw_ip_version_minor = chip->hw_ip_minor;
      ip->ib_start_alignment = ip->ib_size_alignment = 32;
      ip->available_rings =
         (1u << (info->query_hw_ip.type == AMDGPU_HW_IP_GFX ? AMD_GFX_RINGS : AMD_COMPUTE_RINGS)) - 1;
      answer.ip_discovery_version = chip->ip_discovery_version;
      return reply(info, &answer, sizeof(answer));
   default:
      return info->query_hw_ip.type < AMDGPU_HW_IP_NUM ? reply(info, &answer, sizeof(answer)) : -EINVAL;
   }
}

static int
hw_ip_count(const struct drm_amdgpu_info *info)
{
   if (info->query_hw_ip.type >= AMDGPU_HW_IP_NUM)
      return -EINVAL;
   return reply_u32(info, info->query_hw_ip.type <= AMDGPU_HW_IP_DMA);
}

static int
fw_version(const struct drm_amdgpu_info *info)
{
   const struct amd_chip *chip = amd_device.chip;
   struct amd_firmware firmware = {0};
   if (info->query_fw.fw_type == 0 || info->query_fw.fw_type > AMDGPU_INFO_FW_TOC || info->query_fw.ip_instance)
      return -EINVAL;
   if (info->query_fw.fw_type == AMDGPU_INFO_FW_GFX_ME)
      firmware = chip->me;
   else if (info->query_fw.fw_type == AMDGPU_INFO_FW_GFX_PFP)
      firmware = chip->pfp;
   else if (info->query_fw.fw_type == AMDGPU_INFO_FW_GFX_MEC)
      firmware = chip->mec;
   struct drm_amdgpu_info_firmware out = {.ver = firmware.version, .feature = firmware.feature};
   return reply(info, &out, sizeof(out));
}

/* Registers that user space may read; all but the address configuration are status words of an idle GPU. */
static int
read_mmr_reg(const struct drm_amdgpu_info *info)
{
   static const uint32_t status[] = {0x2002, 0x2004, 0x2005, 0x200e, 0x21a0, 0x0393, 0x340d, 0x360d};
   uint32_t values[128] = {0}, count = info->read_mmr_reg.count;
   if (count == 0 || count > ARRAY_SIZE(values))
      return -EINVAL;
   for (uint32_t i = 0; i < count; i++) {
      uint32_t reg = info->read_mmr_reg.dword_offset + i;
      bool known = reg == REG_GB_ADDR_CONFIG;
      if (known)
         values[i] = amd_device.chip->gb_addr_config;
      for (unsigned s = 0; s < ARRAY_SIZE(status); s++)
         known |= reg == status[s];
      if (!known)
         return -EFAULT;
   }
   return reply(info, values, count * sizeof(values[0]));
}

static struct drm_amdgpu_heap_info
heap(uint64_t total_B, uint64_t used_B)
{
   uint64_t usable_B = total_B - AMD_HEAP_RESERVED_B;
   return (struct drm_amdgpu_heap_info){total_B, usable_B, used_B, usable_B / 4 * 3};
}

static int
memory(const struct drm_amdgpu_info *info)
{
   const struct amd_chip *chip = amd_device.chip;
   struct drm_amdgpu_memory_info out = {
      .vram = heap(chip->vram_B, amd_device.vram_used_B),
      .cpu_accessible_vram = heap(chip->visible_vram_B, amd_device.visible_vram_used_B),
      .gtt = heap(chip->gtt_B, amd_device.gtt_used_B),
   };
   return reply(info, &out, sizeof(out));
}

static int
vram_gtt(const struct drm_amdgpu_info *info)
{
   const struct amd_chip *chip = amd_device.chip;
   struct drm_amdgpu_info_vram_gtt out = {chip->vram_B, chip->visible_vram_B, chip->gtt_B};
   return reply(info, &out, sizeof(out));
}

unsigned
amd_max_ibs(uint32_t ip)
{
   return ip == AMDGPU_HW_IP_GFX ? 192 : ip == AMDGPU_HW_IP_COMPUTE ? 125 : ip == AMDGPU_HW_IP_VCN_JPEG ? 16 : 49;
}

static int
max_ibs(const struct drm_amdgpu_info *info)
{
   uint32_t counts[HW_IPS];
   for (uint32_t i = 0; i < HW_IPS; i++)
      counts[i] = amd_max_ibs(i);
   return reply(info, counts, sizeof(counts));
}

int
amd_info(struct shim_file *file, void *arg)
{
   const struct drm_amdgpu_info *info = arg;
   if (!info->return_size || !info->return_pointer)
      return -EINVAL;
   switch (info->query) {
   case AMDGPU_INFO_ACCEL_WORKING:
      return reply_u32(info, 1);
   case AMDGPU_INFO_HW_IP_INFO:
      return hw_ip_info(info);
   case AMDGPU_INFO_HW_IP_COUNT:
      return hw_ip_count(info);
   case AMDGPU_INFO_TIMESTAMP:
      return reply_u64(info, amd_sim_timestamp(amd_device.chip));
   case AMDGPU_INFO_FW_VERSION:
      return fw_version(info);
   case AMDGPU_INFO_NUM_BYTES_MOVED:
   case AMDGPU_INFO_NUM_EVICTIONS:
   case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:
      return reply_u64(info, 0);
   case AMDGPU_INFO_VRAM_USAGE:
      return reply_u64(info, amd_device.vram_used_B);
   case AMDGPU_INFO_VIS_VRAM_USAGE:
      return reply_u64(info, amd_device.visible_vram_used_B);
   case AMDGPU_INFO_GTT_USAGE:
      return reply_u64(info, amd_device.gtt_used_B);
   case AMDGPU_INFO_GDS_CONFIG:
      return reply(info, &(struct drm_amdgpu_info_gds){0}, sizeof(struct drm_amdgpu_info_gds));
   case AMDGPU_INFO_VRAM_GTT:
      return vram_gtt(info);
   case AMDGPU_INFO_READ_MMR_REG:
      return read_mmr_reg(info);
   case AMDGPU_INFO_DEV_INFO:
      return dev_info(info);
   case AMDGPU_INFO_MEMORY:
      return memory(info);
   case AMDGPU_INFO_VRAM_LOST_COUNTER:
      return reply_u32(info, 0);
   case AMD_INFO_MAX_IBS:
      return max_ibs(info);
   case AMD_INFO_GPUVM_FAULT:
      return reply(info, &amd_file(file)->vm_fault, sizeof(struct amd_vm_fault));
   case AMD_INFO_UQ_FW_AREAS: /* of shadows of graphics, which no chip has here */
      return info->query_hw_ip.type == AMDGPU_HW_IP_GFX ? -EOPNOTSUPP : -EINVAL;
   default:
      return -EINVAL;
   }
}
