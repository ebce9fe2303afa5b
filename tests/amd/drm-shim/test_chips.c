/* What libdrm finds on each chip, in noop mode. Values: what real devices reported, as published with Mesa's drm-shim
 * (phoenix: chosen). */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <fcntl.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HIGH_END 0xffffffffffe00000

static const struct row {
   const char *name;
   uint32_t device_id, pci_rev, family, external_rev, hw_ip_major, ip_discovery;
   uint32_t se, sa, cus, rbs, rb_mask, gb_addr_config, wave, vgprs, ce_ram_B;
   uint64_t vram_B, visible_B, gtt_B, first_va, high_end;
   uint32_t me, me_feature;
} rows[] = {
   {"vega10",   0x687f, 0xc1, 141,   0x01,       9,         0x90001,    4,        1,        64,  16, 0xffff,
    0x2a114042, 64,     256,  32768, 8573157376, 268435456, 8359135232, 0x200000, HIGH_END, 166, 53},
   {"raven",    0x15d8, 0xc1, 142,   0x42,     9,        0x90100,    1,        1,        10,  2, 3,
    0x24000042, 64,     256,  32768, 67108864, 67108864, 3221225472, 0x200000, HIGH_END, 162, 47},
   {"renoir",   0x15e7, 0xe9, 142,   0xa1,     9,        0x90300,    1,        1,        7,   2, 3,
    0x26010042, 64,     256,  32768, 67108864, 67108864, 4294967296, 0x200000, HIGH_END, 166, 53},
   {"navi10",   0x731f, 0xc1, 143,   0x03,       10,        0xa010a,    2,        2,        40,  16, 0xffff,
    0x00100044, 32,     1024, 65536, 8573157376, 268435456, 8359135232, 0x200000, HIGH_END, 100, 34},
   {"navi21",   0x73bf, 0xc3, 143,   0x29,        10,        0xa0300,     4,        2,        60, 16, 0xff0f,
    0x00000444, 32,     1024, 65536, 17163091968, 268435456, 16746784768, 0x200000, HIGH_END, 64, 42},
   {"vangogh",  0x163f, 0xae, 144,   0x01,       10,         0xa0301,    1,        1,        8,  2, 3,
    0x00000142, 32,     1024, 65536, 1073741824, 1073741824, 8522825728, 0x200000, HIGH_END, 64, 41},
   {"navi31",   0x744c, 0xc8, 145, 0x01,        11,          0xb0000,     6,        2,        96,   24, 0xffffff,
    0x00000545, 32,     1536, 0,   25753026560, 25753026560, 33254252544, 0x200000, HIGH_END, 1486, 29},
   {"phoenix",  0x15bf, 0xc1, 148, 0x01,      11,        0xb0001,     1,       2,        12, 4, 0xf,
    0x00000242, 32,     1024, 0,   536870912, 536870912, 16000000000, 0x10000, HIGH_END, 29, 35},
   {"gfx1150", 0x150e, 0xd1,      150,       0x11,        11,         0xb0500,
    1,         2,      16,        4,         0xf,         0x00000242, 32,
    1024,      0,      536870912, 536870912, 16488497152, 0x10000,    0xffffffffffbfe000,
    29,        35},
   {"krackan", 0x1114, 0xd1,      150,       0x41,        11,         0xb0502,
    1,         2,      8,         2,         0x3,         0x00000242, 32,
    1024,      0,      536870912, 536870912, 16488497152, 0x10000,    0xffffffffffbfe000,
    29,        35},
};

static int
submit(amdgpu_device_handle device, uint32_t ip_type, uint32_t flags)
{
   amdgpu_context_handle context;
   uint64_t seq;
   struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x800000000, .ib_bytes = 32, .ip_type = ip_type, .flags = flags};
   struct drm_amdgpu_cs_chunk chunk = {AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib};
   assert_int_equal(amdgpu_cs_ctx_create(device, &context), 0);
   int error = amdgpu_cs_submit_raw2(device, context, 0, 1, &chunk, &seq);
   amdgpu_cs_ctx_free(context);
   return error;
}

static void
chip(void **state)
{
   const struct row *r = rows;
   uint32_t major, minor, version, feature;
   amdgpu_device_handle device;
   struct drm_amdgpu_info_device info;
   struct drm_amdgpu_info_hw_ip ip;
   struct drm_amdgpu_memory_info memory;
   struct amdgpu_gpu_info gpu;
   while (strcmp(r->name, getenv("INDIUM_GPU")))
      r++;
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   assert_int_equal(amdgpu_device_initialize(fd, &major, &minor, &device), 0);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_DEV_INFO, sizeof(info), &info), 0);
   assert_int_equal(info.device_id, r->device_id);
   assert_int_equal(info.pci_rev, r->pci_rev);
   assert_int_equal(info.family, r->family);
   assert_int_equal(info.external_rev, r->external_rev);
   assert_int_equal(info.num_shader_engines, r->se);
   assert_int_equal(info.num_shader_arrays_per_engine, r->sa);
   assert_int_equal(info.cu_active_number, r->cus);
   assert_int_equal(info.num_rb_pipes, r->rbs);
   assert_int_equal(info.enabled_rb_pipes_mask, r->rb_mask);
   assert_int_equal(info.wave_front_size, r->wave);
   assert_int_equal(info.num_shader_visible_vgprs, r->vgprs);
   assert_int_equal(info.ce_ram_size, r->ce_ram_B);
   assert_int_equal(info.virtual_address_offset, r->first_va);
   assert_int_equal(info.virtual_address_max, 0x800000000000);
   assert_int_equal(info.high_va_offset, 0xffff800000000000);
   assert_int_equal(info.high_va_max, r->high_end);
   unsigned cus = 0;
   for (unsigned i = 0; i < 16; i++)
      cus += (unsigned)__builtin_popcount(info.cu_bitmap[i / 4][i % 4]);
   assert_int_equal(cus, r->cus);

   assert_int_equal(amdgpu_query_hw_ip_info(device, AMDGPU_HW_IP_GFX, 0, &ip), 0);
   assert_int_equal(ip.hw_ip_version_major, r->hw_ip_major);
   assert_int_equal(ip.available_rings, 1);
   assert_int_equal(ip._pad, r->ip_discovery);
   assert_int_equal(amdgpu_query_hw_ip_info(device, AMDGPU_HW_IP_COMPUTE, 0, &ip), 0);
   assert_int_equal(ip.available_rings, 15);
   assert_int_equal(amdgpu_query_firmware_version(device, AMDGPU_INFO_FW_GFX_ME, 0, 0, &version, &feature), 0);
   assert_int_equal(version, r->me);
   assert_int_equal(feature, r->me_feature);
   assert_int_equal(amdgpu_query_info(device, AMDGPU_INFO_MEMORY, sizeof(memory), &memory), 0);
   assert_int_equal(memory.vram.total_heap_size, r->vram_B);
   assert_int_equal(memory.cpu_accessible_vram.total_heap_size, r->visible_B);
   assert_int_equal(memory.gtt.total_heap_size, r->gtt_B);
   assert_int_equal(amdgpu_query_gpu_info(device, &gpu), 0);
   assert_int_equal(gpu.gb_addr_cfg, r->gb_addr_config);
   assert_int_equal(submit(device, AMDGPU_HW_IP_GFX, 0), 0);
   assert_int_equal(submit(device, AMDGPU_HW_IP_GFX, AMDGPU_IB_FLAG_CE), r->ce_ram_B ? 0 : -EINVAL);
   assert_int_equal(submit(device, AMDGPU_HW_IP_COMPUTE, AMDGPU_IB_FLAG_CE), 0);
   amdgpu_device_deinitialize(device);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(chip)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
