/* Names of immediates, GFX10.3 (RDNA 2 ISA: s_waitcnt, s_sendmsg, hardware registers, ds_swizzle, buffer formats). */
#include "amd/hw/isa_print_names.h"

#include <stdarg.h>
#include <stdio.h>

#include "amd/hw/isa_private.h"

static const char *const hwreg_names[64] = {
   [1] = "HW_REG_MODE", [2] = "HW_REG_STATUS", [3] = "HW_REG_TRAPSTS", [5] = "HW_REG_GPR_ALLOC",
   [6] = "HW_REG_LDS_ALLOC", [7] = "HW_REG_IB_STS", [15] = "HW_REG_SH_MEM_BASES", [16] = "HW_REG_TBA_LO",
   [17] = "HW_REG_TBA_HI", [18] = "HW_REG_TMA_LO", [19] = "HW_REG_TMA_HI", [20] = "HW_REG_FLAT_SCR_LO",
   [21] = "HW_REG_FLAT_SCR_HI", [23] = "HW_REG_HW_ID1", [24] = "HW_REG_HW_ID2", [25] = "HW_REG_POPS_PACKER",
   [29] = "HW_REG_SHADER_CYCLES",
};

static const char *const message_names[16] = {
   [1] = "MSG_INTERRUPT", [2] = "MSG_GS", [3] = "MSG_GS_DONE", [4] = "MSG_SAVEWAVE",
   [5] = "MSG_STALL_WAVE_GEN", [6] = "MSG_HALT_WAVES",
   [7] = "MSG_ORDERED_PS_DONE", [8] = "MSG_EARLY_PRIM_DEALLOC", [9] = "MSG_GS_ALLOC_REQ", [10] = "MSG_GET_DOORBELL",
   [11] = "MSG_GET_DDID",
};

/* simm16: id 5:0, offset 10:6, size - 1 15:11. */
void
isa_print_hwreg(unsigned simm16, char *text, size_t size)
{
   unsigned id = simm16 & 63, offset = simm16 >> 6 & 31, bits = (simm16 >> 11) + 1;
   char number[8];
   snprintf(number, sizeof(number), "%u", id);
   const char *name = hwreg_names[id] ? hwreg_names[id] : number;
   if (offset || bits != 32)
      snprintf(text, size, "hwreg(%s, %u, %u)", name, offset, bits);
   else
      snprintf(text, size, "hwreg(%s)", name);
}

void
isa_print_literal32(uint32_t literal, char *text, size_t size)
{
   static const uint32_t floats[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000,
                                     0xc0800000, 0x3e22f983};
   static const char *const names[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};
   for (unsigned i = 0; i < 9; i++) {
      if (literal == floats[i]) {
         snprintf(text, size, "%s", names[i]);
         return;
      }
   }
   int32_t value = (int32_t)literal;
   if (value >= -16 && value <= 64)
      snprintf(text, size, "%d", value);
   else
      snprintf(text, size, "0x%x", literal);
}

struct counter {
   const char *name;
   unsigned value, max;
};

/* Counters below their maximum; all of them if none is. */
static void
print_counters(const struct counter *counters, unsigned count, char *text, size_t size)
{
   bool all = true;
   for (unsigned i = 0; i < count; i++)
      all &= counters[i].value == counters[i].max;
   size_t length = 0;
   for (unsigned i = 0; i < count && length < size; i++)
      if (all || counters[i].value != counters[i].max)
         length += (size_t)snprintf(text + length, size - length, "%s%s(%u)", length ? " " : "", counters[i].name,
                                    counters[i].value);
}

static void
print_waitcnt(unsigned w, char *text, size_t size)
{
   const struct counter counters[] = {
      {"vmcnt", (w & 15) | (w >> 14 & 3) << 4, 63},
      {"expcnt", w >> 4 & 7, 7},
      {"lgkmcnt", w >> 8 & 63, 63},
   };
   print_counters(counters, 3, text, size);
}

static void
print_depctr(unsigned w, char *text, size_t size)
{
   const struct counter counters[] = {
      {"depctr_hold_cnt", w >> 7 & 1, 1}, {"depctr_sa_sdst", w & 1, 1},       {"depctr_va_vdst", w >> 12 & 15, 15},
      {"depctr_va_sdst", w >> 9 & 7, 7},  {"depctr_va_ssrc", w >> 8 & 1, 1}, {"depctr_va_vcc", w >> 1 & 1, 1},
      {"depctr_vm_vsrc", w >> 2 & 7, 7},
   };
   if (w & 0x60)
      snprintf(text, size, "0x%x", w);
   else
      print_counters(counters, 7, text, size);
}

/* Message 3:0, operation 6:4, stream 9:8. */
static void
print_message(unsigned w, char *text, size_t size)
{
   static const char *const operations[4] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
   static const char *const system_operations[4] = {"ECC_ERR_INTERRUPT", "REG_RD", NULL, "TTRACE_PC"};
   unsigned id = w & 15, op = w >> 4 & 7, stream = w >> 8 & 3;
   bool gs = id == 2 || id == 3;
   if (message_names[id] && gs && op >= 1 && op <= 3)
      snprintf(text, size, "sendmsg(%s, %s, %u)", message_names[id], operations[op], stream);
   else if (id == 3 && op == 0 && stream == 0)
      snprintf(text, size, "sendmsg(%s, %s)", message_names[id], operations[0]);
   else if (id == 15 && op >= 1 && op <= 4 && op != 3 && !stream)
      snprintf(text, size, "sendmsg(MSG_SYSMSG, SYSMSG_OP_%s)", system_operations[op - 1]);
   else if (message_names[id] && !gs && op == 0 && stream == 0)
      snprintf(text, size, "sendmsg(%s)", message_names[id]);
   else if (w & ~0x37fu)
      snprintf(text, size, "%u", w);
   else
      snprintf(text, size, "sendmsg(%u, %u, %u)", id, op, stream);
}

bool
isa_print_simm16(enum amd_op op, unsigned simm16, char *text, size_t size)
{
   switch ((int)op) {
   case AMD_OP_s_waitcnt:
      print_waitcnt(simm16, text, size);
      return true;
   case AMD_OP_s_waitcnt_depctr:
      print_depctr(simm16, text, size);
      return true;
   case AMD_OP_s_sendmsg:
   case AMD_OP_s_sendmsghalt:
      print_message(simm16, text, size);
      return true;
   case AMD_OP_s_getreg_b32:
      isa_print_hwreg(simm16, text, size);
      return true;
   case AMD_OP_s_barrier:
   case AMD_OP_s_wakeup:
   case AMD_OP_s_icache_inv:
   case AMD_OP_s_code_end:
   case AMD_OP_s_endpgm_ordered_ps_done:
   case AMD_OP_s_wait_idle:
      return false;
   case AMD_OP_s_endpgm:
      snprintf(text, size, "%u", simm16);
      return simm16 != 0;
   case AMD_OP_s_nop:
   case AMD_OP_s_sleep:
   case AMD_OP_s_sethalt:
   case AMD_OP_s_setprio:
   case AMD_OP_s_setkill:
   case AMD_OP_s_denorm_mode:
      snprintf(text, size, simm16 <= 64 ? "%u" : "0x%x", simm16);
      return true;
   default:
      snprintf(text, size, isa_ops[op].flags & AMD_FLAG_BRANCH ? "%u" : "0x%x", simm16);
      return true;
   }
}

static bool
is_power(unsigned n)
{
   return n && !(n & (n - 1));
}

void
isa_print_swizzle(unsigned offset, char *text, size_t size)
{
   unsigned and = offset & 31, or = offset >> 5 & 31, xor = offset >> 10 & 31, group = 32 - and;
   text[0] = 0;
   if (!offset)
      return;
   if (offset >> 8 == 0x80)
      snprintf(text, size, " offset:swizzle(QUAD_PERM,%u,%u,%u,%u)", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
               offset >> 6 & 3);
   else if (offset >> 15)
      snprintf(text, size, " offset:%u", offset);
   else if (!or && and == 31 && is_power(xor))
      snprintf(text, size, " offset:swizzle(SWAP,%u)", xor);
   else if (!or && and == 31 && xor && is_power(xor + 1))
      snprintf(text, size, " offset:swizzle(REVERSE,%u)", xor + 1);
   else if (group > 1 && is_power(group) && or < group && !xor)
      snprintf(text, size, " offset:swizzle(BROADCAST,%u,%u)", group, or);
   else {
      char letters[6] = "";
      for (unsigned i = 0; i < 5; i++) {
         unsigned bit = 4 - i, zero = (or ^ xor) >> bit & 1, one = ((and | or) ^ xor) >> bit & 1;
         letters[i] = "0pi1"[zero * 2 + one];
      }
      snprintf(text, size, " offset:swizzle(BITMASK_PERM,\"%s\")", letters);
   }
}

/* Layouts of the unified buffer formats and their numeric kinds, in order of the numbers (from 1). */
static const struct {
   const char *layout;
   uint8_t kinds; /* bit 0 UNORM, 1 SNORM, 2 USCALED, 3 SSCALED, 4 UINT, 5 SINT, 6 FLOAT */
} buffer_layouts[] = {
   {"8", 0x3f}, {"16", 0x7f}, {"8_8", 0x3f}, {"32", 0x70}, {"16_16", 0x7f}, {"10_11_11", 0x7f}, {"11_11_10", 0x7f},
   {"10_10_10_2", 0x3f}, {"2_10_10_10", 0x3f}, {"8_8_8_8", 0x3f}, {"32_32", 0x70}, {"16_16_16_16", 0x7f},
   {"32_32_32", 0x70}, {"32_32_32_32", 0x70},
};

bool
isa_print_buffer_format(unsigned format, char *text, size_t size)
{
   static const char *const kinds[7] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "FLOAT"};
   if (format == 1) /* the assembler's default */
      return false;
   if (!format) {
      snprintf(text, size, " format:[BUF_FMT_INVALID]");
      return true;
   }
   unsigned number = 0;
   for (unsigned i = 0; i < sizeof(buffer_layouts) / sizeof(buffer_layouts[0]); i++) {
      for (unsigned kind = 0; kind < 7; kind++) {
         if (buffer_layouts[i].kinds >> kind & 1 && ++number == format) {
            snprintf(text, size, " format:[BUF_FMT_%s_%s]", buffer_layouts[i].layout, kinds[kind]);
            return true;
         }
      }
   }
   snprintf(text, size, " format:%u", format);
   return true;
}
