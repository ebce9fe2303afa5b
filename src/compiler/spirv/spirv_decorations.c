/* Decorations: groups are spread over their targets, flags of results are collected, interface decorations are
 * read. */
#include "compiler/spirv/spirv_module.h"

static void
copy_group(struct spirv_module *m, uint32_t group, uint32_t target, int32_t member)
{
   spirv_require(m, m->ids[group].opcode == SpvOpDecorationGroup, "%%%u is no decoration group", group);
   spirv_require(m, group != target, "a decoration group decorates itself");
   for (uint32_t i = m->ids[group].decoration; i;) {
      struct spirv_decoration copy = *dynarray_at(&m->decorations, struct spirv_decoration, i - 1);
      i = copy.next;
      copy.next = m->ids[target].decoration;
      copy.member = member;
      dynarray_append(&m->decorations, struct spirv_decoration, copy);
      m->ids[target].decoration = (uint32_t)dynarray_count(&m->decorations, struct spirv_decoration);
   }
}

static void
spread_groups(struct spirv_module *m)
{
   for (size_t i = 0; i < dynarray_count(&m->group_words, uint32_t); i++) {
      m->at = *dynarray_at(&m->group_words, uint32_t, i);
      const uint32_t *w = spirv_words(m, m->at);
      bool members = spirv_opcode(w) == SpvOpGroupMemberDecorate;
      for (uint32_t n = 2; n < spirv_length(w); n += 1 + members) {
         spirv_require(m, m->ids[w[n]].opcode != SpvOpDecorationGroup, "a group decorates a group");
         spirv_require(m, !members || w[n + 1] < 0x10000, "a member is out of bounds");
         copy_group(m, w[1], w[n], members ? (int32_t)w[n + 1] : -1);
      }
   }
}

/* They lose NaNs, infinities and signs of zeros, and contract. */
bool
spirv_is_fast(uint32_t mode)
{
   const uint32_t wanted = SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask | SpvFPFastMathModeNSZMask |
                           SpvFPFastMathModeAllowRecipMask | SpvFPFastMathModeAllowContractMask;
   return (mode & wanted) == wanted || mode & SpvFPFastMathModeFastMask;
}

void
spirv_decorations(struct spirv_module *m)
{
   spread_groups(m);
   for (uint32_t id = 1; id < m->bound; id++) {
      if (!m->ids[id].decoration)
         continue;
      spirv_for_each_decoration(it, m, id) {
         m->at = it->source;
         if (it->member >= 0) {
            spirv_require(m, m->ids[id].opcode == SpvOpTypeStruct, "%%%u is no structure", id);
            uint32_t members = spirv_length(spirv_words(m, m->ids[id].word)) - 2;
            spirv_require(m, (uint32_t)it->member < members, "the structure has no member %d", it->member);
         } else if (it->decoration == SpvDecorationNoContraction) {
            m->ids[id].flags |= SPIRV_ID_NO_CONTRACTION;
         } else if (it->decoration == SpvDecorationFPFastMathMode) {
            m->ids[id].flags |= spirv_is_fast(m->words[it->word]) ? SPIRV_ID_FAST : SPIRV_ID_NO_CONTRACTION;
         } else if (it->decoration == SpvDecorationNonUniform) {
            m->ids[id].flags |= SPIRV_ID_NON_UNIFORM;
         } else if (it->decoration == SpvDecorationBuiltIn && m->words[it->word] == SpvBuiltInWorkgroupSize) {
            m->workgroup_size_id = id;
         } else if (it->decoration == SpvDecorationLinkageAttributes) {
            spirv_fail(m, "linkage is not supported");
         }
      }
   }
   m->at = 0;
}

void
spirv_io_init(struct spirv_io *io)
{
   *io = (struct spirv_io){.builtin = -1, .location = -1, .xfb_buffer = -1, .xfb_offset_B = -1, .stream = -1};
}

static int32_t
small_operand(struct spirv_module *m, const struct spirv_decoration *decoration, uint32_t limit)
{
   uint32_t value = m->words[decoration->word];
   m->at = value < limit ? m->at : decoration->source;
   spirv_require(m, value < limit, "%u is out of range", value);
   return (int32_t)value;
}

/* Of transform feedback. */
static bool
capture_decorate(struct spirv_module *m, struct spirv_io *io, const struct spirv_decoration *decoration)
{
   switch (decoration->decoration) {
   case SpvDecorationStream:
      io->stream = small_operand(m, decoration, NIR_XFB_STREAMS);
      return true;
   case SpvDecorationXfbBuffer:
      io->xfb_buffer = small_operand(m, decoration, NIR_XFB_BUFFERS);
      return true;
   case SpvDecorationXfbStride:
      io->xfb_stride_B = (uint32_t)small_operand(m, decoration, NIR_XFB_MAX_STRIDE_B + 1);
      return true;
   case SpvDecorationOffset:
      io->xfb_offset_B = small_operand(m, decoration, NIR_XFB_MAX_STRIDE_B);
      return true;
   default: /* others: of other kinds */
      return false;
   }
}

bool
spirv_io_decorate(struct spirv_module *m, struct spirv_io *io, const struct spirv_decoration *decoration)
{
   switch (decoration->decoration) {
   case SpvDecorationBuiltIn:
      io->builtin = small_operand(m, decoration, INT32_MAX);
      return true;
   case SpvDecorationLocation:
      io->location = small_operand(m, decoration, 64);
      return true;
   case SpvDecorationComponent:
      io->component = small_operand(m, decoration, 4);
      return true;
   case SpvDecorationIndex:
      io->index = small_operand(m, decoration, 2);
      return true;
   case SpvDecorationFlat:
      return io->flat = true;
   case SpvDecorationNoPerspective:
      return io->noperspective = true;
   case SpvDecorationCentroid:
      return io->centroid = true;
   case SpvDecorationSample:
      return io->sample = true;
   case SpvDecorationInvariant:
      return io->invariant = true;
   case SpvDecorationRelaxedPrecision:
      return io->relaxed = true;
   case SpvDecorationPatch:
      return io->patch = true;
   case SpvDecorationPerPrimitiveEXT:
      return io->per_primitive = true;
   case SpvDecorationPerVertexKHR:
      return io->per_vertex = true;
   case SpvDecorationExplicitInterpAMD:
      return io->explicit = true;
   case SpvDecorationCoherent:
      io->access |= NIR_ACCESS_COHERENT;
      return true;
   case SpvDecorationVolatile:
      io->access |= NIR_ACCESS_VOLATILE;
      return true;
   case SpvDecorationRestrict:
      io->access |= NIR_ACCESS_RESTRICT;
      return true;
   case SpvDecorationNonReadable:
      io->access |= NIR_ACCESS_NON_READABLE;
      return true;
   case SpvDecorationNonWritable:
      io->access |= NIR_ACCESS_NON_WRITEABLE;
      return true;
   default: /* others: of transform feedback, or not of inputs and outputs */
      return capture_decorate(m, io, decoration);
   }
}
