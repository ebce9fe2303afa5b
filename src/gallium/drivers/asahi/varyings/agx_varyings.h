/* What goes from the vertex shader to the fragment shader, and through which registers of the hardware on the way
 * (docs/drivers/asahi/varyings.md):
 *
 *    words of a vertex (UVS)   position | 32 bits: perspective, flat, linear | pairs of 16 bits: the same |
 *                              point size | layer, viewport | clip distances
 *    slots after the remapper W | Z if it is read | user words
 *    coefficient registers     cf0: W | Z | point coordinate | primitive | user values, one each
 *
 * Each side is known by itself: what the vertex program writes, what the fragment program reads. The registers follow
 * only from the reads, words and bindings from both: so programs that were compiled separately are linked by
 * bindings. Values of 16 bits go in pairs, those of neighbouring registers. The planes in the registers are of 32
 * bits whatever the slots are: only flat values, whose bits the program takes, look different. */
#ifndef INDIUM_AGX_VARYINGS_H
#define INDIUM_AGX_VARYINGS_H

#include "asahi/hw/records.h"
#include "compiler/nir/nir_shader_info.h"
#include "gallium/include/pipe/p_state.h"

struct nir_def;

#define AGX_MAX_BINDINGS 127
#define AGX_MAX_CULL_DISTANCES 8

/* After the slots of enum nir_slot those of copies of the position, from which the fragment program makes
 * barycentric coordinates and finds out which way a triangle of a strip winds: x and y, smooth; x, y and w of each
 * vertex. */
enum { AGX_SLOT_PLACE = NIR_SLOT_COUNT, AGX_SLOT_CORNER, AGX_SLOT_COUNT };

/* What draws make primitives of. */
struct agx_primitives {
   enum pipe_topology topology;
   bool provoking_last;
};

/* Those with adjacency are drawn as lists. */
static inline struct agx_primitives
agx_primitives_of(const struct pipe_graphics_state *state)
{
   bool is_line = state->topology <= PIPE_LINE_STRIP_ADJACENCY;
   enum pipe_topology list = is_line ? PIPE_LINE_LIST : PIPE_TRIANGLE_LIST;

   return (struct agx_primitives){state->topology < PIPE_LINE_LIST_ADJACENCY ? state->topology : list,
                                  state->provoking_last};
}

/* One component mask for each slot. */
struct agx_slot_masks {
   uint8_t slot[AGX_SLOT_COUNT];
};

/* Of the vertex program. */
struct agx_vertex_outputs {
   struct agx_slot_masks components; /* that it writes */
   struct agx_slot_masks half;       /* of them those that may go in 16 bits, whoever reads them */
   uint8_t clip_distances, cull_distances;
   bool any_topology; /* what is drawn is not known: the size of a point has its word */
};

/* Of the fragment program. */
struct agx_fragment_reads {
   struct agx_slot_masks components;
   struct agx_slot_masks half;       /* of them those that may come in 16 bits, whoever has written them */
   struct agx_slot_masks per_vertex; /* of them those that are read as each vertex of the primitive has them */
   uint8_t interp[AGX_SLOT_COUNT];   /* enum nir_interp */
   bool frag_coord_z, point_coord, primitive_id;
   bool vertices, barycentric_coord; /* per-vertex values, barycentric coordinates: such a program is linked */
   const char *error;                /* what cannot be read so, or NULL */
};

/* Where the fragment program finds what it reads: the coefficient register of each component; 0: there is none. */
struct agx_fragment_registers {
   uint8_t cf[AGX_SLOT_COUNT][4];
   uint8_t vertex_cf[2][AGX_SLOT_COUNT][4]; /* of per-vertex values, whose cf is the first vertex's: of the others */
   struct agx_slot_masks half;              /* of 32-bit flat values: the coefficient has 16 bits of them */
   uint8_t cull_cf[AGX_MAX_CULL_DISTANCES], num_cull;
   uint8_t z_cf, point_coord_cf, primitive_id_cf;
   uint8_t flat_coefficient; /* which of A, B, C holds a flat value */
   struct agx_primitives prims;
   bool separate; /* the other stage is not known: that, and its outputs, stand in AGX_TABLE_LINK */
   unsigned num_cf;
};

/* Counts of user words by their interpolation. */
struct agx_word_counts {
   uint8_t smooth, flat, linear;
};

/* Where the vertex program puts its outputs; word 0: not there. */
struct agx_vertex_words {
   uint8_t word[AGX_SLOT_COUNT][4];
   struct agx_slot_masks half, high;          /* in 16 bits of the word; of them in the upper ones */
   struct agx_slot_masks flat;                /* the value's bits as they are */
   uint8_t cull_word[AGX_MAX_CULL_DISTANCES]; /* 0 where the distance is negative, else 1 */
   uint8_t point_size, layer_viewport, clip;  /* clip: of the first distance */
   uint8_t num_clip, num_cull;
   struct agx_word_counts counts_32, counts_16; /* pairs count once */
   uint8_t words;                               /* of a vertex */
   /* Where the other stage is not known: the word of AGX_TABLE_LINK that says where the slot begins, what it has lies
    * side by side there, and word[] is empty. 0: not so. */
   uint8_t linked[NIR_SLOT_COUNT];
};

/* What fills the registers from the words. */
struct agx_cf_bindings {
   unsigned count;
   uint8_t slots_32; /* after the remapper, with W and Z; pairs follow them */
   struct agx_cf_binding binding[AGX_MAX_BINDINGS];
};

struct agx_varyings {
   struct agx_vertex_words vertex;
   struct agx_fragment_registers fragment;
   struct agx_cf_bindings bindings;
};

/* How many vertices a primitive has. */
unsigned agx_primitive_vertices(enum pipe_topology topology);

/* Which of them has a flat value, as the hardware counts. */
unsigned agx_provoking_vertex(struct agx_primitives prims);

/* How flat shading names a vertex of a primitive: the last of a line is vertex 2, too, and is that where it provokes
 * (Honeykrisp says 2 of any primitive). */
unsigned agx_flat_vertex(struct agx_primitives prims, unsigned vertex);

/* Which of A, B, C of a coefficient has its value. */
unsigned agx_flat_component(unsigned flat_vertex);

/* Registers of what is read. Neighbours are those of a kind of interpolation, values of 16 bits first. False if there
 * are more than the hardware has. */
bool agx_fragment_registers_assign(struct agx_fragment_registers *registers, const struct agx_fragment_reads *reads,
                                   unsigned cull_distances, struct agx_primitives prims);

/* Words of what is left and read. A value goes in 16 bits if `reads` says so of it and its neighbour. False if there
 * are more than the hardware has. */
bool agx_vertex_words_assign(struct agx_vertex_words *words, const struct agx_vertex_outputs *outputs,
                             const struct agx_fragment_reads *reads, struct agx_primitives prims);

/* Every register that is read is bound: to W if nothing is left for it. False if there are more bindings than the
 * hardware has. */
bool agx_cf_bindings_make(struct agx_cf_bindings *bindings, const struct agx_vertex_words *words,
                          const struct agx_fragment_reads *reads, const struct agx_fragment_registers *registers,
                          struct agx_primitives prims);

/* All of them, for programs that are compiled together: registers only for what is left, and 16 bits where either
 * side allows them. */
bool agx_varyings_link(struct agx_varyings *varyings, const struct agx_vertex_outputs *outputs,
                       const struct agx_fragment_reads *reads, struct agx_primitives prims);

/* Scans (agx_nir_gather_varyings.c), of shaders whose variables are values. */
void agx_nir_gather_vertex_outputs(struct nir_shader *vertex, struct agx_vertex_outputs *outputs);
void agx_nir_gather_fragment_reads(struct nir_shader *fragment, struct agx_fragment_reads *reads);

/* Whether the component is only rounded to 16 bits, or not read at all. */
bool agx_nir_is_read_in_half(const struct nir_def *def, unsigned component);

#endif
