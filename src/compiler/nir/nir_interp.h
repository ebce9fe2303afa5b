/* Reference interpreter: runs a shader for the invocations of one workgroup (or a number of vertices or pixels) in
 * lock step. Arithmetic is generated from nir_opcodes.py. It is the witness for passes and for compiled code.
 *
 * All lanes execute one instruction before any lane executes the next; lanes of a subgroup, and of a workgroup, are
 * consecutive; four lanes from a multiple of four are a quad (x first). Undefined values read as 0. Loads outside a
 * buffer give 0, stores there are dropped. Textures and images are not there: running one is an error. */
#ifndef INDIUM_NIR_INTERP_H
#define INDIUM_NIR_INTERP_H

#include "compiler/nir/nir.h"

#define NIR_INTERP_MAX_LANES 1024
#define NIR_INTERP_VERTICES 6 /* of a primitive, with adjacency */
#define NIR_INTERP_SYSVALS (NIR_INTRINSIC_load_subgroup_lt_mask - NIR_INTRINSIC_load_vertex_id + 1)

/* Memory, found by (set, binding, index) through vulkan_resource_index, by va in a V# (four words, 48 bits of
 * address, word 2 the size in bytes) or in a 64-bit address, or by position through a one-component number. */
struct nir_interp_buffer {
   uint32_t set, binding, index;
   uint64_t va;
   uint8_t *data;
   uint32_t size_B;
};

/* What tessellation shaders see of a patch, by vertex and as a whole. */
struct nir_interp_patch {
   uint32_t vertices[NIR_MAX_PATCH_VERTICES][NIR_SLOT_COUNT][4], whole[NIR_SLOT_COUNT][4];
};

struct nir_interp_params {
   uint32_t num_lanes;     /* compute: 0 for the workgroup size */
   uint32_t subgroup_size; /* a power of two from 4 to 128 */
   uint32_t workgroup_id[3], num_workgroups[3];
   const struct nir_interp_buffer *buffers;
   uint32_t num_buffers;
   const uint8_t *push_constants;
   uint32_t push_constants_B;
   /* Per lane. Inputs are what load_input and load_interpolated_input return. NULL: zeros. */
   const uint32_t (*inputs)[NIR_SLOT_COUNT][4];
   const uint32_t (*vertex_inputs)[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4]; /* of load_per_vertex_input */
   /* Of tessellation shaders, instead of both. A patch is info.tess_vertices lanes of a control shader in a row;
    * lanes of an evaluation shader name theirs. */
   const struct nir_interp_patch *patches;
   const uint32_t *patch_of_lane;
   uint8_t *patch_memory; /* of the workgroup, for load_patch_memory and store_patch_memory */
   uint32_t patch_memory_B;
   const uint8_t *payload; /* of the task, for load_task_payload */
   uint32_t payload_B;
   const uint32_t (*primitive_vertices)[NIR_INTERP_VERTICES]; /* what load_primitive_vertex returns */
   const float (*barycentric_coords)[2][3];                   /* of smooth and of other barycentrics, wherever */
   /* Other system values than the compute ids, by (op - NIR_INTRINSIC_load_vertex_id). NULL: zeros. */
   const uint32_t (*sysvals)[NIR_INTERP_SYSVALS][4];
   const uint32_t (*scalar_args)[4]; /* by base */
   uint32_t num_scalar_args;
   const uint32_t (*vector_args)[4]; /* by lane * num_vector_args + base */
   uint32_t num_vector_args;
   const bool *helper;      /* lanes that start as helpers; NULL: none */
   uint32_t section_layers; /* quads in turn belong to as many layers of an ordered section; 0: one */
   bool check_uniform;      /* stop where a value that divergence analysis calls uniform differs inside a subgroup */
   uint64_t max_steps;      /* instructions before it gives up; 0: ten million */
};

/* What a workgroup of a mesh shader made, or asked for as a task shader. */
struct nir_interp_mesh {
   uint32_t num_vertices, num_primitives, workgroups[3];
   bool launched;
   uint32_t vertices[NIR_MAX_MESH_VERTICES][NIR_SLOT_COUNT][4], primitives[NIR_MAX_MESH_VERTICES][NIR_SLOT_COUNT][4];
};

/* A vertex that a geometry shader emitted. */
struct nir_interp_vertex {
   uint32_t lane, stream;
   bool ends; /* its strip */
   uint32_t outputs[NIR_SLOT_COUNT][4];
};

struct nir_interp_result {
   const char *error;                      /* NULL, or why it stopped (in the arena) */
   uint32_t (*outputs)[NIR_SLOT_COUNT][4]; /* per lane */
   uint32_t (*outputs_dual)[4];            /* per lane: FRAG_DATA0 with frag_index 1 */
   struct nir_interp_vertex *vertices;     /* in the order of emission, lanes mixed */
   uint32_t num_vertices;
   struct nir_interp_patch *patches; /* of a control shader: its outputs */
   struct nir_interp_mesh *mesh;     /* of task and mesh shaders */
   bool *discarded;                  /* per lane: discarded or demoted */
   uint8_t *shared;                  /* info.shared_B bytes at the end */
};

/* Renumbers the values of the shader; results and working memory live in the arena. */
struct nir_interp_result nir_interp_run(struct arena *arena, struct nir_shader *shader,
                                        const struct nir_interp_params *params);

#endif
