/* What packets write to registers of a generation: only what it has, compared with what RADV has programmed there. */
#ifndef INDIUM_TESTS_SI_WRITTEN_H
#define INDIUM_TESTS_SI_WRITTEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/macros.h"

static enum amd_gen written_gen;
static uint32_t values[0x40000 / 4];
static bool written[ARRAY_SIZE(values)];

static inline uint32_t
start_of(uint32_t opcode)
{
   return opcode == PKT3_SET_CONTEXT_REG ? AMD_CONTEXT_REG_START
          : opcode == PKT3_SET_SH_REG    ? AMD_SH_REG_START
                                         : AMD_UCONFIG_REG_START;
}

static inline void
write_register(uint32_t reg, uint32_t value)
{
   const struct amd_reg *known = amd_reg_find(written_gen, reg, NULL);

   if (!known)
      fail_msg("there is no register at 0x%x", reg);
   if (value != UINT32_MAX && value & amd_reg_unknown_bits(written_gen, known))
      fail_msg("%s: 0x%08x has bits that nobody knows", known->name, value);
   values[reg / 4] = value;
   written[reg / 4] = true;
}

static inline void
run_packet(const uint32_t *dw)
{
   uint32_t opcode = G_PKT3_OPCODE(dw[0]);

   assert_true(opcode == PKT3_SET_CONTEXT_REG || opcode == PKT3_SET_SH_REG || opcode == PKT3_SET_UCONFIG_REG);
   for (unsigned n = 0; n < G_PKT3_COUNT(dw[0]); n++)
      write_register(start_of(opcode) + 4 * (dw[1] + n), dw[2 + n]);
}

static inline void
collect_writes(const uint32_t *dw, unsigned count)
{
   memset(written, 0, sizeof(written));
   for (unsigned i = 0; i < count; i += 2 + G_PKT3_COUNT(dw[i]))
      run_packet(dw + i);
}

static inline void
expect(const char *name, uint32_t value)
{
   unsigned index;
   const struct amd_reg *reg = amd_reg_by_name(name, &index);

   assert_non_null(reg);
   uint32_t at = (reg->gen[written_gen].offset_B + index * reg->gen[written_gen].step_B) / 4;
   if (!written[at] || values[at] != value)
      fail_msg("%s: 0x%08x, RADV has 0x%08x", name, written[at] ? values[at] : 0, value);
}

/* The driver on that chip, whose registers are looked at from now on. */
static inline struct si_screen *
screen_of(const char *chip)
{
   fake_chip = chip;
   written_gen = amd_chip_by_name(chip)->gen;
   struct pipe_screen *screen = fake_screen_create();

   assert_non_null(screen);
   return si_screen(screen);
}

#endif
