/* Segments: vector instructions that run one strip of lanes after the other, each through all of them. */
#include "amd/sim/wave/jit_private.h"

/* A lane mask that overlaps another one, which begins elsewhere: a strip's bytes would meet those of other strips. */
static bool
overlaps(const struct jit_builder *b, unsigned mask)
{
   return jit_has_scalar(&b->masks, mask, b->lanes / 32) && !jit_has_scalar(&b->mask_begins, mask, 1);
}

/* Whether all strips of what came so far must be done first. */
static bool
must_end(const struct jit_builder *b, const struct code *c)
{
   const unsigned mask = jit_mask_written(c);
   bool ends = b->segment_count == JIT_SEGMENT;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      const struct source *s = &c->src[i];
      ends |= s->kind == SOURCE_SGPR && jit_has_scalar(&b->masks_written, s->reg, 1);
      ends |= s->kind == SOURCE_MASK && overlaps(b, s->reg);
   }
   return ends || (mask != AMD_OPERAND_NONE && (overlaps(b, mask) || jit_has_scalar(&b->read, mask, b->lanes / 32)));
}

static void
note_mask(struct jit_builder *b, unsigned mask)
{
   jit_add_scalars(&b->masks, mask, b->lanes / 32);
   jit_add_scalars(&b->mask_begins, mask, 1);
}

static void
note(struct jit_builder *b, const struct code *c)
{
   const unsigned mask = jit_mask_written(c);
   for (unsigned i = 0; i < c->info->src_count; i++) {
      if (c->src[i].kind == SOURCE_SGPR)
         jit_add_scalars(&b->read, c->src[i].reg, 1);
      if (c->src[i].kind == SOURCE_MASK)
         note_mask(b, c->src[i].reg);
   }
   if (mask != AMD_OPERAND_NONE) {
      note_mask(b, mask);
      jit_add_scalars(&b->masks_written, mask, b->lanes / 32);
   }
}

void
jit_add_vector(struct jit_builder *b, const struct code *c)
{
   if (must_end(b, c) || (c->second && must_end(b, c->second)))
      jit_end_segment(b);
   b->segment[b->segment_count++] = c;
   note(b, c);
   if (c->second)
      note(b, c->second);
   if (jit_has_scalar(&b->masks_written, AMD_EXEC_LO, 2))
      jit_end_segment(b);
}

static bool
meet(const struct jit_scalars *a, const struct jit_scalars *b)
{
   return (a->bits[0] & b->bits[0]) || (a->bits[1] & b->bits[1]);
}

/* Whether the segment writes the VGPR that v_readfirstlane reads. */
static bool
writes_source(const struct jit_builder *b, const struct code *scalar)
{
   const uint16_t vgpr = scalar->in.src[0];
   bool writes = false;
   for (unsigned i = 0; i < b->segment_count && amd_is_vgpr(vgpr); i++) {
      const struct code *c = b->segment[i];
      writes |= c->in.dst == vgpr || (c->second && c->second->in.dst == vgpr);
      writes |= c->in.op == AMD_OP_v_swap_b32 && c->in.src[0] == vgpr;
   }
   return writes;
}

void
jit_before_scalar(struct jit_builder *b, const struct code *c)
{
   const bool by_m0 = c->info->flags & AMD_FLAG_READS_M0; /* may touch any */
   struct jit_scalars used = {{c->used.bits[0], c->used.bits[1]}}, written = {{0}};
   if (c->info->flags & (AMD_FLAG_READS_EXEC | AMD_FLAG_WRITES_EXEC))
      jit_add_scalars(&used, AMD_EXEC_LO, 2);
   if (c->info->flags & AMD_FLAG_WRITES_EXEC)
      jit_add_scalars(&written, AMD_EXEC_LO, 2);
   if (c->info->dst.cls)
      jit_add_scalars(&written, c->in.dst, MAX2(c->info->dst.size_dw, 1));
   const bool reads_vcc = c->src[0].kind == SOURCE_VCCZ || c->src[1].kind == SOURCE_VCCZ;
   if (by_m0 || reads_vcc || writes_source(b, c) || meet(&used, &b->masks_written) || meet(&written, &b->read) ||
       meet(&written, &b->masks) || jit_has_scalar(&written, AMD_EXEC_LO, 2))
      jit_end_segment(b);
}

/* ---- code ---- */

static void
emit_body(struct jit_builder *b, bool partial)
{
   b->partial = partial;
   jit_forget(b);
   for (unsigned i = 0; i < b->segment_count; i++)
      jit_emit_vector(b, b->segment[i]);
   jit_flush(b);
}

static void
emit_lanes_off(struct jit_builder *b)
{
   static const uint32_t lanes[JIT_STRIP] = {1, 2, 4, 8, 16, 32, 64, 128};
   struct x86 *x = &b->x86;
   x86_vector(x, X86_PBROADCASTB, JIT_OFF, 0, x86_at(JIT_MASKS, 4 * AMD_EXEC_LO));
   x86_vector(x, X86_ANDPS, JIT_OFF, JIT_OFF, x86_constants(x, lanes));
   x86_vector(x, X86_PCMPEQD, JIT_OFF, JIT_OFF, x86_constant(x, 0));
}

/* Comparisons of lanes that are off give 0. */
static void
emit_no_lanes(struct jit_builder *b)
{
   for (unsigned i = 0; i < b->segment_count; i++) {
      const unsigned mask = jit_mask_written(b->segment[i]);
      if (mask != AMD_OPERAND_NONE)
         x86_store_byte_number(&b->x86, x86_at(JIT_MASKS, (int32_t)(4 * mask)), 0);
   }
}

/* Strips with all lanes active, with some and with none. */
void
jit_end_segment(struct jit_builder *b)
{
   struct x86 *x = &b->x86;
   if (!b->segment_count)
      return;
   const unsigned top = x86_label(x), next = x86_label(x), some = x86_label(x), none = x86_label(x),
                  done = x86_label(x);
   x86_op(x, true, X86_MOV, JIT_VGPRS, x86_at(JIT_WAVE, offsetof(struct wave, state.vgpr)));
   x86_op(x, true, X86_MOV, JIT_MASKS, x86_reg(JIT_SGPRS));
   x86_op(x, true, X86_LEA, JIT_END, x86_at(JIT_VGPRS, (int32_t)(4 * b->lanes)));
   x86_place(x, top);
   x86_op(x, false, X86_MOVZX_BYTE, X86_RAX, x86_at(JIT_MASKS, 4 * AMD_EXEC_LO));
   x86_op_number(x, false, X86_CMP, x86_reg(X86_RAX), 255);
   x86_jump(x, X86_IF_NOT_ZERO, some);
   emit_body(b, false);
   x86_place(x, next);
   x86_op_number(x, true, X86_ADD, x86_reg(JIT_VGPRS), 4 * JIT_STRIP);
   x86_op_number(x, true, X86_ADD, x86_reg(JIT_MASKS), 1);
   x86_op(x, true, X86_CMP, JIT_VGPRS, x86_reg(JIT_END));
   x86_jump(x, X86_IF_BELOW, top);
   x86_jump(x, X86_ALWAYS, done);
   x86_place(x, some);
   x86_op_number(x, false, X86_CMP, x86_reg(X86_RAX), 0);
   x86_jump(x, X86_IF_ZERO, none);
   emit_lanes_off(b);
   emit_body(b, true);
   x86_jump(x, X86_ALWAYS, next);
   x86_place(x, none);
   emit_no_lanes(b);
   x86_jump(x, X86_ALWAYS, next);
   x86_place(x, done);
   b->segment_count = 0;
   b->read = b->masks = b->mask_begins = b->masks_written = (struct jit_scalars){{0}};
}
