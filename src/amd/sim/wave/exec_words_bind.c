/* Which vector instructions exec_words.c runs, and what it is told of them. */
#include <string.h>

#include "amd/sim/wave/exec_private.h"

static bool
is_word(const struct amd_operand_info *info)
{
   return info->size_dw == 1 && info->type != AMD_TYPE_F16;
}

static bool
has_sign_bit(unsigned type)
{
   return type != AMD_TYPE_F16 && type != AMD_TYPE_V2F16;
}

/* Sizes, and modes that are those of single precision. */
static bool
fits(const struct code *c)
{
   const struct amd_inst *in = &c->in;
   const struct amd_op_info *info = c->info;
   bool packed = in->enc == AMD_ENC_VOP3P, halves = info->dst.type >= AMD_TYPE_B16 && info->dst.type <= AMD_TYPE_U16;
   if (info->flags & AMD_FLAG_READS_VCC)
      return false;
   if (!c->kernel || packed || halves || in->op_sel || in->modifier == AMD_MOD_SDWA || info->src_count > 3 ||
       (in->modifier && exec_dpp_is_of_wave(in)))
      return false;
   if (info->dst.cls != AMD_CLASS_MASK && !(info->dst.cls == AMD_CLASS_VGPR && is_word(&info->dst)))
      return false;
   for (unsigned i = 0; i < info->src_count; i++) {
      if (info->src[i].cls == AMD_CLASS_MASK)
         continue;
      if (!is_word(&info->src[i]) || ((in->neg | in->abs) >> i & 1 && !has_sign_bit(info->src[i].type)))
         return false;
   }
   return info->src[0].type != AMD_TYPE_V2F16 && (has_sign_bit(info->dst.type) || !(in->clamp || in->omod));
}

void
exec_moves_bind(struct code *c)
{
   struct exec_words *words = &c->words;
   const struct amd_inst *in = &c->in;
   words->moves = in->modifier == AMD_MOD_DPP16 || in->modifier == AMD_MOD_DPP8;
   for (int lane = 0; lane < HALF && words->moves; lane++) {
      int from = exec_dpp_source(in, lane);
      words->row_source[lane & 15] = from < 0 ? 0 : (uint32_t)from & 15;
      words->row_reads[lane & 15] = from < 0 ? 0 : UINT32_MAX;
      words->outside |= (uint32_t)(from < 0) << lane;
      for (unsigned half = 0; half < 2 && in->modifier == AMD_MOD_DPP16; half++) {
         bool row = in->row_mask >> ((unsigned)lane / 16 + 2 * half) & 1, bank = in->bank_mask >> (lane / 4 & 3) & 1;
         words->masked[half] |= (uint32_t)(!row || !bank) << lane;
      }
   }
   words->shuffles = words->moves && !(words->outside | words->masked[0] | words->masked[1]);
   for (uint32_t lane = 0; lane < 16; lane++)
      words->shuffles &= (words->row_source[lane] ^ lane) < 8;
}

bool
exec_words_bind(struct code *c)
{
   struct exec_words *words = &c->words;
   const struct amd_inst *in = &c->in;
   if (!fits(c))
      return false;
   exec_moves_bind(c);
   bool masks = false;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      bool neg = in->neg >> i & 1, abs = in->abs >> i & 1, is_mask = c->info->src[i].cls == AMD_CLASS_MASK;
      masks |= is_mask;
      words->keep[i] = abs && !is_mask ? 0x7fffffff : UINT32_MAX;
      words->flip[i] = neg && !is_mask ? 0x80000000 : 0;
      if (!is_mask && (neg || abs))
         words->signs = (uint8_t)(i + 1);
   }
   words->scales = c->info->dst.type == AMD_TYPE_F32 && (in->omod || in->clamp);
   words->makes_mask =
      c->info->dst.cls == AMD_CLASS_MASK || c->info->sdst.cls || c->info->flags & AMD_FLAG_WRITES_EXEC;
   words->plain = !((words->moves && !words->shuffles) || words->scales || words->makes_mask || masks);
   return true;
}
