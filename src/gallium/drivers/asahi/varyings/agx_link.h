/* Linking of stages that were compiled separately: any vertex program with any fragment program, without compiling
 * (docs/drivers/asahi/graphics.md).
 *
 * The fragment program has numbered its coefficient registers by itself. The vertex program writes all that it
 * writes, read or not, each slot side by side from a word on that AGX_TABLE_LINK says; the words after those have
 * fixed places, as their number is known. So a link decides how slots follow each other, by how they are read, and
 * binds registers to words. */
#ifndef INDIUM_AGX_LINK_H
#define INDIUM_AGX_LINK_H

#include "gallium/drivers/asahi/varyings/agx_varyings.h"

#define AGX_LINK_DW 64 /* of AGX_TABLE_LINK */

/* What a vertex program that is compiled separately does with its outputs. False if it must not be: where distances
 * cull, the fragment program has a part in it, or where more words are needed than the hardware has. */
bool agx_link_vertex(struct agx_vertex_words *words, const struct agx_vertex_outputs *outputs,
                     struct agx_primitives prims);

/* The registers of a fragment program that is compiled separately, which reads everything in 32 bits. False if there
 * are more than the hardware has. */
bool agx_link_fragment(struct agx_fragment_registers *registers, struct agx_fragment_reads *reads);

/* The generated bindings, where the words are, and the table. leaves and reads: as both stages were compiled. False
 * if there are more bindings than the hardware has. */
bool agx_link_varyings(struct agx_varyings *varyings, uint32_t table[AGX_LINK_DW],
                       const struct agx_vertex_outputs *outputs, const struct agx_fragment_reads *reads,
                       const struct agx_fragment_registers *registers, struct agx_primitives prims);

#endif
