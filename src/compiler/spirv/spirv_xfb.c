/* Transform feedback: which components of the outputs are captured, and where in the buffers' vertices they stand.
 * It follows only from the decorations: a captured output that is never written becomes a gap. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

/* The next component that is captured. */
struct place {
   struct spirv_emit *e;
   const struct spirv_io *io;
   uint32_t slot, component, offset_B;
   bool compact; /* an array of four elements a slot */
};

void
spirv_xfb_inherit(struct spirv_io *io, const struct spirv_io *own)
{
   io->xfb_buffer = own->xfb_buffer >= 0 ? own->xfb_buffer : io->xfb_buffer;
   io->xfb_stride_B = own->xfb_stride_B ? own->xfb_stride_B : io->xfb_stride_B;
   io->stream = own->stream >= 0 ? own->stream : io->stream;
}

static void
add_output(struct place *at, unsigned count)
{
   struct nir_xfb *xfb = &at->e->shader->info.xfb;
   const uint16_t stride_B = xfb->stride_B[at->io->xfb_buffer];
   spirv_require(at->e->m, at->offset_B % 4 == 0 && at->offset_B + 4 * count <= stride_B,
                 "transform feedback captures bytes %u to %u of a vertex of %u", at->offset_B,
                 at->offset_B + 4 * count, stride_B);
   spirv_require(at->e->m, xfb->num_outputs < NIR_XFB_MAX_OUTPUTS, "transform feedback captures too many outputs");
   xfb->outputs[xfb->num_outputs++] = (struct nir_xfb_output){.buffer = (uint8_t)at->io->xfb_buffer,
                                                              .slot = (uint8_t)at->slot,
                                                              .component = (uint8_t)at->component,
                                                              .count = (uint8_t)count,
                                                              .offset_B = (uint16_t)at->offset_B};
   at->offset_B += 4 * count;
}

/* Of 64 bits the third and fourth component are in the next slot. */
static void
capture_vector(struct place *at, const struct nir_type *type)
{
   const uint32_t slot = at->slot, component = at->component;
   unsigned dw = type->components * type->bit_size / 32u;
   spirv_require(at->e->m, type->bit_size >= 32, "transform feedback of components of %u bits is not supported",
                 type->bit_size);
   at->offset_B = type->bit_size == 64 ? (uint32_t)align_up(at->offset_B, 8) : at->offset_B;
   while (dw) {
      unsigned count = MIN2(dw, 4 - at->component);
      add_output(at, count);
      at->slot++;
      at->component = 0;
      dw -= count;
   }
   at->slot = at->compact ? slot + (component + 1) / 4 : slot + nir_type_slots(type);
   at->component = at->compact ? (component + 1) % 4 : component;
}

static void
capture(struct place *at, const struct nir_type *type)
{
   if (type->base == NIR_TYPE_STRUCT) {
      for (uint32_t i = 0; i < type->num_fields; i++)
         capture(at, type->fields[i].type);
      return;
   }
   const bool is_array = type->base == NIR_TYPE_ARRAY;
   const struct nir_type column = {
      .base = type->base, .bit_size = type->bit_size, .components = type->components, .columns = 1};
   for (uint32_t i = 0; i < (is_array ? type->length : type->columns); i++) {
      if (is_array)
         capture(at, type->element);
      else
         capture_vector(at, &column);
   }
}

static void
begin_buffer(struct spirv_emit *e, const struct spirv_io *io)
{
   struct nir_xfb *xfb = &e->shader->info.xfb;
   const uint8_t stream = (uint8_t)MAX2(io->stream, 0), bit = (uint8_t)(1u << io->xfb_buffer);
   uint16_t *stride_B = &xfb->stride_B[io->xfb_buffer];
   spirv_require(e->m, io->xfb_stride_B && io->xfb_stride_B % 4 == 0, "XfbStride %u", io->xfb_stride_B);
   spirv_require(e->m, !*stride_B || *stride_B == io->xfb_stride_B, "XfbBuffer %d has vertices of %u and of %u bytes",
                 io->xfb_buffer, *stride_B, io->xfb_stride_B);
   spirv_require(e->m, !(xfb->buffers & bit) || xfb->streams[io->xfb_buffer] == stream,
                 "XfbBuffer %d has vertices of two streams", io->xfb_buffer);
   xfb->buffers |= bit;
   xfb->streams[io->xfb_buffer] = stream;
   *stride_B = (uint16_t)io->xfb_stride_B;
}

static void
capture_output(struct spirv_emit *e, const struct spirv_io *io, const struct spirv_type *type)
{
   if (io->xfb_buffer < 0 || io->xfb_offset_B < 0)
      return;
   const int32_t slot = io->builtin >= 0 ? spirv_output_slot(e, io->builtin) : NIR_SLOT_VAR0 + io->location;
   struct place at = {.e = e, .io = io, .offset_B = (uint32_t)io->xfb_offset_B};
   spirv_require(e->m, slot >= 0 && (io->builtin >= 0 || io->location >= 0), "Offset of what is no output");
   spirv_require(e->m, slot + nir_type_slots(type->nir) <= NIR_SLOT_COUNT, "location %d is out of range",
                 io->location);
   at.slot = (uint32_t)slot;
   at.component = (uint32_t)io->component;
   at.compact = slot >= NIR_SLOT_CLIP_DIST0 && slot <= NIR_SLOT_CULL_DIST1;
   begin_buffer(e, io);
   capture(&at, type->nir);
}

/* Members of blocks have offsets of their own. */
static void
capture_members(struct spirv_emit *e, const struct spirv_io *io, const struct spirv_type *type)
{
   const struct spirv_pointer pointer = {.type = type, .storage = SpvStorageClassOutput, .io = *io};
   for (uint32_t i = 0; i < type->length; i++) {
      struct spirv_io member = spirv_member_io(&pointer, i);
      member.xfb_offset_B = type->members[i].offset_B;
      capture_output(e, &member, type->members[i].type);
   }
}

/* The blocks of an array go to buffers one after the other. */
static void
capture_variable(struct spirv_emit *e, const struct spirv_variable *variable)
{
   const struct spirv_type *type = variable->type;
   struct spirv_io io = variable->io;
   const bool is_array = type->kind == SPIRV_TYPE_ARRAY && type->element->is_block;
   const struct spirv_type *block = is_array ? type->element : type;
   if (!block->is_block) {
      capture_output(e, &io, type);
      return;
   }
   for (uint32_t i = 0; i < (is_array ? type->length : 1); i++) {
      capture_members(e, &io, block);
      io.xfb_buffer += io.xfb_buffer >= 0;
      io.location += io.location >= 0 ? (int32_t)nir_type_slots(block->nir) : 0;
      spirv_require(e->m, i + 1 >= type->length || io.xfb_buffer < NIR_XFB_BUFFERS || !is_array,
                    "XfbBuffer %d is out of range", io.xfb_buffer);
   }
}

void
spirv_gather_xfb(struct spirv_emit *e)
{
   const struct spirv_entry *entry = e->m->entry;
   for (uint32_t i = 0; e->shader->info.xfb.captures && i < entry->num_interface; i++) {
      const struct spirv_variable *variable = e->m->ids[entry->interface[i]].variable;
      if (variable && variable->storage == SpvStorageClassOutput)
         capture_variable(e, variable);
   }
}
