#include "amd/common/ac_modifier.h"

#include "amd/hw/descriptors.h"
#include "amd/hw/hw_modifiers.h"
#include "amd/hw/registers.h"
#include "util/macros.h"

#define MAX_MODES (AC_MAX_MODIFIERS - 1)

/* One row a generation. Blocks of 256 KiB are of chips with more than 16 pipes. */
static const struct row {
   uint8_t version;
   uint8_t old_version; /* of modes that exchange no address bits: GFX9's places stayed until GFX11 */
   bool banks, packers; /* which GB_ADDR_CONFIG has */
   bool all_packers;    /* also where pipes leave them no address bit */
   uint8_t modes[MAX_MODES];
} rows[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {V_AMD_MODIFIER_GFX9, V_AMD_MODIFIER_GFX9, .banks = true,
                 .modes = {V_SW_64KB_D_X, V_SW_64KB_S_X, V_SW_4KB_D_X, V_SW_64KB_D, V_SW_64KB_S}},
   [AMD_GFX10] = {V_AMD_MODIFIER_GFX10, V_AMD_MODIFIER_GFX9,
                  .modes = {V_SW_64KB_R_X, V_SW_4KB_D_X, V_SW_64KB_D, V_SW_64KB_S}},
   [AMD_GFX10_3] = {V_AMD_MODIFIER_GFX10_RBPLUS, V_AMD_MODIFIER_GFX9, .packers = true,
                    .modes = {V_SW_64KB_R_X, V_SW_4KB_D_X, V_SW_64KB_D, V_SW_64KB_S}},
   [AMD_GFX11] = {V_AMD_MODIFIER_GFX11, V_AMD_MODIFIER_GFX11, .packers = true, .all_packers = true,
                  .modes = {V_SW_256KB_R_X, V_SW_64KB_R_X, V_SW_4KB_D_X, V_SW_64KB_D}},
   [AMD_GFX11_5] = {V_AMD_MODIFIER_GFX11, V_AMD_MODIFIER_GFX11, .packers = true, .all_packers = true,
                    .modes = {V_SW_256KB_R_X, V_SW_64KB_R_X, V_SW_4KB_D_X, V_SW_64KB_D}},
};

static bool
exchanges_bits(uint8_t mode)
{
   return mode >= V_SW_4KB_Z_X;
}

/* Bits of an address in a block that are above 256 bytes. */
static uint32_t
free_bits(uint8_t mode)
{
   return mode == V_SW_4KB_D_X ? 4 : 8;
}

static uint32_t
pipe_bits(const struct row *row, uint32_t config)
{
   /* GFX9 counts the pipes of an engine. */
   return G_GB_ADDR_CONFIG_NUM_PIPES(config) + (row->banks ? G_GB_ADDR_CONFIG_NUM_SHADER_ENGINES(config) : 0);
}

static uint64_t
modifier_of(const struct row *row, uint32_t config, uint8_t mode)
{
   const uint64_t tile = AMD_MODIFIER_VENDOR | S_AMD_MODIFIER_TILE(mode);
   if (!exchanges_bits(mode))
      return tile | S_AMD_MODIFIER_TILE_VERSION(row->old_version);
   const uint32_t pipes = MIN2(pipe_bits(row, config), free_bits(mode)), left = free_bits(mode) - pipes;
   const uint32_t packers = row->packers ? G_GB_ADDR_CONFIG_NUM_PKRS(config) : 0;
   const uint32_t banks = row->banks && mode != V_SW_4KB_D_X ? G_GB_ADDR_CONFIG_NUM_BANKS(config) : 0;
   return tile | S_AMD_MODIFIER_TILE_VERSION(row->version) | S_AMD_MODIFIER_PIPE_XOR_BITS(pipes) |
          S_AMD_MODIFIER_BANK_XOR_BITS(MIN2(banks, left)) |
          S_AMD_MODIFIER_PACKERS(row->all_packers ? packers : MIN2(packers, left));
}

uint32_t
ac_modifiers(enum amd_gen gen, uint32_t gb_addr_config, uint64_t modifiers[AC_MAX_MODIFIERS])
{
   const struct row *row = &rows[gen];
   uint32_t count = 0;
   for (uint32_t i = 0; i < MAX_MODES && row->modes[i]; i++) {
      if (row->modes[i] != V_SW_256KB_R_X || pipe_bits(row, gb_addr_config) > 4)
         modifiers[count++] = modifier_of(row, gb_addr_config, row->modes[i]);
   }
   modifiers[count++] = AMD_MODIFIER_LINEAR;
   return count;
}

bool
ac_modifier_fits(enum amd_gen gen, uint64_t modifier, uint8_t element_B)
{
   if (modifier == AMD_MODIFIER_LINEAR)
      return true;
   /* Places in D of 4 bytes did not stay. */
   const bool renamed = rows[gen].old_version != rows[gen].version && ac_modifier_mode(modifier) == V_SW_64KB_D;
   return element_B <= 8 && !(renamed && element_B == 4);
}

uint8_t
ac_modifier_mode(uint64_t modifier)
{
   return modifier == AMD_MODIFIER_LINEAR ? V_SW_LINEAR : G_AMD_MODIFIER_TILE(modifier);
}
