/* Denormals that MODE flushes, and operations that do not follow it. That the others do: LLVM, both isCanonicalized()
 * of SIISelLowering.cpp. */
#include "oracle.h"

/* names: how operations begin. */
static const struct {
   const char *names;
   enum oracle_denormals denormals;
   const char *source;
} exceptions[] = {
   {"v_exp_f32 v_log_f32 v_exp_legacy_f32 v_log_legacy_f32 v_rcp_f32 v_rsq_f32 v_sqrt_f32", ORACLE_FLUSHED,
    "\"RDNA 3.5\" ISA, notes of these operations: denormals are flushed"},
   {"v_rcp_iflag_f32", ORACLE_FLUSHED, "measured by others on gfx1200: as v_rcp_f32"},
   {"v_mad_f32 v_mac_f32 v_madmk_f32 v_madak_f32 v_mad_legacy_f32 v_mac_legacy_f32", ORACLE_FLUSHED,
    "\"RDNA\" ISA, V_MAD_F32; enum fp_denorm of ACO (Mesa 25)"},
   {"v_mad_mix", ORACLE_FLUSHED, "ACO (Mesa 25), aco_optimizer.cpp: halves, too"},
   {"v_dot2_f32_f16 v_dot2c_f32_f16", ORACLE_FLUSHED_SINGLES, "LLVM, performFMACombine() of SIISelLowering.cpp"},
   {"v_cmp_class v_cmpx_class", ORACLE_KEPT, "LLVM selects them for llvm.is.fpclass, which no mode changes"},
   {"v_dot2_f16_f16 v_dot2_f32_bf16", ORACLE_UNKNOWN, "nothing known"},
   {"v_mad_f16 v_mac_f16 v_madmk_f16 v_madak_f16 v_mad_legacy_f16", ORACLE_UNKNOWN,
    "nothing known of a product that is denormal"},
};

enum oracle_denormals
oracle_denormals(enum amd_op op)
{
   const char *name = amd_isa_op_name(op);
   for (unsigned i = 0; i < ARRAY_SIZE(exceptions); i++)
      for (const char *at = exceptions[i].names; *at; at += strcspn(at, " "), at += *at == ' ')
         if (!strncmp(name, at, strcspn(at, " ")))
            return exceptions[i].denormals;
   return ORACLE_BY_MODE;
}

static uint64_t
without_denormal(uint64_t bits, unsigned exponent_bits, unsigned mantissa_bits, unsigned at)
{
   uint64_t exponent = bits >> (at + mantissa_bits) & ((1ull << exponent_bits) - 1);
   return exponent ? bits : bits & ~(((1ull << mantissa_bits) - 1) << at);
}

uint64_t
oracle_without_denormals(enum amd_type type, uint64_t bits)
{
   switch ((int)type) {
   case AMD_TYPE_F64:
      return without_denormal(bits, 11, 52, 0);
   case AMD_TYPE_F32:
      return without_denormal(bits, 8, 23, 0);
   case AMD_TYPE_F16:
      return without_denormal(bits, 5, 10, 0);
   case AMD_TYPE_V2F16:
      return without_denormal(without_denormal(bits, 5, 10, 0), 5, 10, 16);
   default: /* others: no floats */
      return bits;
   }
}

/* MODE keeps denormals: bit 4 those of sources, bit 5 those of results; bits 6 and 7 of half and double precision. */
uint64_t
oracle_flush(enum amd_op op, enum amd_type type, uint64_t bits, unsigned mode, enum oracle_place place)
{
   const enum oracle_denormals denormals = oracle_denormals(op);
   const bool kept = mode >> (type == AMD_TYPE_F32 ? 4 + place : 6 + place) & 1;
   const bool always = denormals == ORACLE_FLUSHED || (denormals == ORACLE_FLUSHED_SINGLES && type == AMD_TYPE_F32);
   if (denormals == ORACLE_KEPT || (kept && !always))
      return bits;
   return oracle_without_denormals(type, bits);
}
