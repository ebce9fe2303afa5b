/* Lowering of nir to what the hardware ABI offers. */
#ifndef INDIUM_SI_NIR_H
#define INDIUM_SI_NIR_H

#include "compiler/nir/nir_shader_info.h"
#include "gallium/include/pipe/p_state.h"

struct format_component;
struct nir_builder;
struct si_mesh_layout;
struct nir_def;

/* What a geometry shader passes on of a vertex of a stream, in the order of slots and components. */
struct si_gs_stream {
   uint8_t components[NIR_SLOT_COUNT]; /* bit per component that is passed on */
   uint16_t first[NIR_SLOT_COUNT];     /* number of the slot's first one */
   uint16_t vertex_dw;
   bool emitted; /* queries count such vertices even if nothing of them is passed on */
};

struct si_gs_layout {
   uint64_t unread; /* slots that nothing after the geometry shader reads */
   uint16_t max_vertices;
   struct si_gs_stream streams[NIR_XFB_STREAMS];
};

struct si_nir_options {
   const struct pipe_pipeline_layout *layout;
   uint32_t address32_hi;
   uint32_t buffer_word3;   /* of V# of bytes */
   bool stores_spoil_loads; /* erratum image-load-dcc */
   uint32_t *used_sets;     /* NULL, or gets a bit for each descriptor set that is read */
   uint8_t xfb_sgpr;        /* the first SGPR of stream output, after the user SGPRs; 0: none */
   bool xfb_by_program;     /* NGG */
   uint8_t wave_size;       /* with it */
   uint32_t num_attributes; /* vertex shaders */
   const struct pipe_vertex_attribute *attributes;
   uint32_t byte_word3;            /* of V# of single bytes: formatted fetches want alignment; 0: they do not */
   bool aligns_attributes;         /* their addresses are multiples of their components' sizes */
   bool merged;                    /* a geometry or control shader and the one in front of it */
   const struct nir_tess_io *tess; /* of programs that tessellate */
   uint64_t merged_slots;          /* what passes between them */
   struct si_gs_layout *gs_layout; /* filled with what the geometry shader emits */
   bool emits_to_lds;              /* in NGG: from byte emitted_lds_B on */
   uint32_t emitted_lds_B;
   struct si_mesh_layout *mesh; /* of mesh shaders: filled */
   bool tasks;                  /* of mesh shaders: there is a task shader */
   bool counts_generated;       /* NGG: counts primitives for queries */
   bool counts_meshes;          /* task and mesh shaders count for queries */
   bool copies;                 /* the shader is a copy shader, without a body yet */
   enum pipe_topology topology; /* fragment shaders that see vertices */
};

/* count dwords (1 to 4) at a byte offset from a pointer in a user SGPR (si_abi.h). */
struct nir_def *si_nir_load_table(struct nir_builder *b, uint32_t address32_hi, unsigned sgpr,
                                  struct nir_def *offset_B, unsigned count);

/* Buffers named by vulkan_resource_index become V#, images and samplers named by derefs T# and S#, push constants
 * loads from memory. False with *error set if the shader uses a binding that the layout does not have. */
bool si_nir_lower_descriptors(struct nir_shader *shader, const struct si_nir_options *options, const char **error);

/* Weights of vertices and values by vertex, of primitives of one kind: loads by vertex have constant vertices then.
 */
void si_nir_lower_barycentric(struct nir_shader *shader, enum pipe_topology topology);

/* The coordinate inside a point becomes an input at a location that the shader does not use otherwise: the program
 * links it to the hardware's point sprites. The location (enum nir_slot), or -1 if the shader does not read it. */
int si_nir_lower_point_coord(struct nir_shader *shader);

/* The depth of a fragment's position is that at its centre where the hardware's is not (erratum vrs-frag-z). */
void si_nir_lower_frag_depth(struct nir_shader *shader);

/* Drops the depth that a fragment shader writes: it has promised to change nothing by it. */
void si_nir_drop_frag_depth(struct nir_shader *shader);

/* Stores what transform feedback captures, of vertices of a hardware vertex shader. */
void si_nir_lower_xfb(struct nir_shader *shader, const struct si_nir_options *options);

/* The same for vertices of NGG, which is merged with what finds their places; the shader may only be lowered further
 * then. LDS up to SI_XFB_LDS_B stays free. */
#define SI_XFB_LDS_B 512
void si_nir_capture_ngg(struct nir_shader *shader, const struct si_nir_options *options);

/* What a captured vertex takes there. */
uint32_t si_nir_xfb_vertex_B(const struct nir_xfb *xfb);

/* How many vertices and primitives a subgroup of NGG may have. */
unsigned si_ngg_vertices(const struct nir_xfb *xfb);

/* Emission in the legacy pipeline (si_nir_emit_ring.c): stores to the GSVS ring and messages. Fills gs_layout. */
void si_nir_emit_to_ring(struct nir_shader *shader, const struct si_nir_options *options);
/* Emission in NGG (si_nir_emit_lds.c): stores to LDS. Fills gs_layout. Behind the geometry shader, once it is merged
 * with the one in front, threads export what lies there. */
void si_nir_emit_to_lds(struct nir_shader *shader, const struct si_nir_options *options);
void si_nir_export_emitted(struct nir_shader *shader, const struct si_nir_options *options);
/* Behind that in LDS, for transform feedback: room of a turn, counts of waves. */
enum { SI_EMITTED_WAVES = 4, SI_EMITTED_XFB_B = 32 + 4 * NIR_XFB_STREAMS * SI_EMITTED_WAVES };
/* Whether transform feedback takes vertices of other streams than the first. */
bool si_gs_captures_more(const struct nir_xfb *xfb);
/* What a vertex takes in LDS, of all streams. */
uint32_t si_gs_place_B(const struct si_gs_layout *layout);
/* The shader that passes on what lies in the ring, in the same arena (si_nir_copy_emitted.c); then its body, which
 * needs the stage's arguments. */
struct nir_shader *si_nir_copy_shader(const struct nir_shader *geometry);
void si_nir_copy_emitted(struct nir_shader *shader, const struct si_nir_options *options);
/* In dwords: of a vertex in the ring: VGT_GS_VERT_ITEMSIZE; of a lane: VGT_GSVS_RING_OFFSET. */
uint32_t si_gs_vertex_dw(const struct si_gs_layout *layout, unsigned stream);
uint32_t si_gs_stream_offset_dw(const struct si_gs_layout *layout, unsigned stream);

/* In NGG: counts the primitives that pass the last stage in front of the rasteriser, where a user SGPR says. */
void si_nir_count_generated(struct nir_shader *shader, const struct si_nir_options *options);

/* What a fetch with the V# `words` gives, byte by byte where that is out of alignment (traits aligned_formats): count
 * components, from bit 0 on, of an element of size_B. out: in memory's order. */
struct si_element {
   const struct format_component *components;
   unsigned count, size_B;
   struct nir_def *words, *index;
};
bool si_nir_may_be_misaligned(const struct si_nir_options *options, const struct si_element *element);
struct nir_def *si_nir_is_misaligned(struct nir_builder *b, const struct si_element *element);
void si_nir_fetch_bytes(struct nir_builder *b, const struct si_nir_options *options, const struct si_element *element,
                        struct nir_def *out[4]);

/* Vertex attributes become typed buffer loads with V# number i of the vertex table for attribute i. */
bool si_nir_lower_vertex_inputs(struct nir_shader *shader, const struct si_nir_options *options, const char **error);

#endif
