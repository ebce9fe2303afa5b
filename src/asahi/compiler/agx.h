/* agx: nir to machine code of Apple's G13 and G14 GPUs (this file: the whole public interface). Pure functions:
 * input, options, output and an arena; any number of threads.
 *
 * What the shader may contain when it comes here: arithmetic, phis, structured control flow and these intrinsics
 *  - buffers by u32x4 {address low, address high, size in bytes, anything}: load_ubo, load_ssbo, store_ssbo,
 *    ssbo_atomic*, get_ssbo_size. By nir_shader_info.robust_*, what is after the end of a buffer is at its last
 * place; of buffers with less than one, or with NIR_ROBUST_ZERO, loads give 0, and stores and atomics do nothing
 * (they go to addresses that nobody maps, by the kernel's soft faults, or to pages for that if
 * agx_options.no_soft_faults).
 *  - load_global, load_global_constant, store_global, global_atomic*: u64 addresses, aligned to their elements;
 * load_agx and store_agx with formats; load/store_shared, shared_atomic*; load/store_scratch.
 *  - load_constant: what is outside of the tables is read at their last place.
 *  - load_uniform_agx(base): uniform halves from `base` on, as the driver's USC words bind them; 32-bit values at
 * even halves, 64-bit ones at multiples of 4.
 *  - textures (tex instructions) and images (image_*_agx) by handle, a u32x2 {space, number} whose space is constant.
 * If that is AGX_HANDLE_STATE, number is that of a texture or sampler state register; else it is the number of the
 *    uniform half (a multiple of 4, at most 124) with the 64-bit address of a set of descriptors, and number a byte
 *    offset from there. Samplers: number is the index in the heap of the command, space AGX_HANDLE_HEAP.
 *    Fetches and image loads take sampler state 0, which is one for fetches: nearest mip, border of zeros. Layers of
 *    sampled arrays are within the image; buffers, queries of sizes and levels, image atomics are the driver's.
 *  - compute: load_workgroup_id, load_local_invocation_id and _index, load_global_invocation_id, load_subgroup_*,
 *    load_num_subgroups, load_workgroup_size (by the info).
 *  - vertex: load_vertex_id_zero_base (r5 as it arrives, with the first vertex or the index with its bias),
 *    load_instance_id (r6), store_var_agx, store_var_at_agx (none in a branch).
 *  - fragment: iter_agx, load_coefficients_agx, load_pixel_coord_agx, load_front_face, load_helper_invocation,
 *    is_helper_invocation, load_sample_mask_in, load_sr_agx, load_tile_agx, store_tile_agx, sample_mask_agx,
 * zs_emit_agx, store_block_agx, derivatives. pixwait goes ahead of the first access to the tile and the first test.
 *  - parts of programs: load_register_agx, leave_register_agx.
 *  - subgroup operations of 32 threads, barriers, invocation interlock.
 * Not: derefs, push constants, resource indices, load_input, store_output, barycentrics, frag_coord, discard and
 * demote, sample_id (the driver lowers them), 64-bit floats. What cannot be selected makes agx_compile() fail with a
 * sentence.
 */
#ifndef INDIUM_AGX_H
#define INDIUM_AGX_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/hw_limits.h"
#include "compiler/nir/nir_shader_info.h"
#include "util/arena.h"

struct arena;

/* Spaces of handles besides the numbers of uniforms. */
#define AGX_HANDLE_STATE 0xffff
#define AGX_HANDLE_HEAP 0xfffe

/* High words of addresses whose low word is 0. Where a device has no soft faults, a page of zeros is mapped at the
 * first, and one that nobody reads at the second: there goes what has no place in a buffer. */
#define AGX_NO_SOFT_FAULTS_READ_HI 1
#define AGX_NO_SOFT_FAULTS_WRITE_HI 2

/* Where in a pixel iter_agx interpolates. */
enum agx_place {
   AGX_PLACE_CENTER,
   AGX_PLACE_SAMPLE,
   AGX_PLACE_CENTROID,
};

struct agx_options {
   unsigned uniforms_h;      /* the driver fills the uniforms below; the compiler takes those from here on, ... */
   unsigned uniforms_max_h;  /* ... up to here. 0: AGX_UNIFORMS */
   unsigned registers_max_h; /* 0: AGX_REGISTERS; smaller numbers provoke spilling in tests */
   bool cluster_coherency;   /* atomics and coherent accesses to images say so (asahi/hw/traits.txt) */
   bool validate;            /* run the IR validator between phases and the check of the allocation */
   bool no_optimise;
   bool no_contract;          /* never a * b + c with one rounding */
   bool no_soft_faults;       /* nothing is read or written where nothing is mapped: see AGX_NO_SOFT_FAULTS_READ_HI */
   unsigned first_register_h; /* of a part: those below are other parts', besides its inputs and outputs there */
   bool continues;            /* a part that others follow (agx_join()): it does not end the program */
   bool no_end_wait;          /* of that: its loads may run on */
   bool no_pixwait;           /* background and end-of-tile programs: nobody else is in the tile */
   bool no_preamble;          /* nothing is computed once a draw, ... */
   bool no_preamble_memory;   /* ... or nothing if that would need private memory */
   bool listing;              /* fill agx_output.listing */
   const char *print_ir;      /* phases with commas between: fill agx_output.ir with what they leave */
};

/* Under the names of Honeykrisp's statistics. Code is counted without padding. */
struct agx_stats {
   uint32_t instructions, alu, code_B, gprs, uniforms, scratch, threads, loops, spills, fills, preamble_instructions;
   uint64_t hash; /* hash_bytes() of the code without padding, as the model names it in faults */
};

struct agx_constant {
   uint16_t uniform; /* half number, even */
   uint32_t value;
};

struct agx_output {
   /* In the arena; position independent; each ends with `stop` and the traps that guard the prefetch. */
   const uint8_t *code, *preamble;             /* preamble: NULL if there is none */
   uint32_t code_B, preamble_B;                /* with padding */
   uint16_t registers_h, preamble_registers_h; /* highest used register + 1 */
   uint16_t uniforms_h;                    /* highest used uniform + 1, the driver's among them if they are read */
   uint32_t scratch_B, preamble_scratch_B; /* a thread */
   uint32_t local_B;                       /* threadgroup memory */

   /* What the driver uploads into uniforms, besides its own. */
   const struct agx_constant *constants;
   unsigned constant_count;

   /* Tables of constants: the driver puts them at an address aligned to NIR_CONSTANT_ALIGN_B, which it uploads into
    * uniforms from data_h on, a multiple of 4. data_B is 0 if there are none. */
   const uint8_t *data;
   uint32_t data_B;
   uint16_t data_h;

   bool continues;     /* agx_options.continues */
   bool background;    /* a part whose loads may continue after its end: ... */
   uint8_t operations; /* ... so many at most, that it starts on its way */

   /* Texture and sampler states, coefficients that the code names: highest + 1. */
   uint8_t texture_states, sampler_states, coefficients;

   struct {
      uint64_t uvs_written[4]; /* bit per UVS word that is stored, where the code says which */
   } vs;
   struct {
      bool reads_tile;         /* ld_tile: the tile buffer is an input */
      bool writes_sample_mask; /* sample_mask or zs_emit: tests run in the shader, no early ones */
      bool writes_depth, writes_stencil;
      bool loads_varyings;       /* iter or ldcf */
      bool writes_memory;        /* stores, atomics, image writes */
      bool waits_for_pixels;     /* pixwait */
      bool disables_tri_merging; /* derivatives, or what looks at the quad or the primitive */
   } fs;

   struct agx_stats stats;
   const char *listing; /* text of the code, an instruction a line, or NULL */
   const char *ir;      /* see print_ir */
};

/* Fills *out from a shader that obeys nir_validate() and the list above. The shader is changed on the way; code and
 * texts live in the arena. False with *error (in the arena) when something is not supported. */
bool agx_compile(struct arena *arena, struct nir_shader *nir, const struct agx_options *options,
                 struct agx_output *out, const char **error);

/* All parts run so many times, of which register_h (an even half) holds the number, 32 bits from 0 on. They leave
 * only that register, and need no private memory. */
struct agx_rounds {
   unsigned count, register_h;
};

/* One program of parts that run one after the other, the last of which may end it. At most one has a preamble, and
 * its constants. What parts tell each other lies in registers (load_register_agx, leave_register_agx); all else may
 * be changed by whoever comes between. *whole lives only in the arena. rounds: NULL for one. listing: whether it has
 * one.
 */
void agx_join(struct arena *arena, const struct agx_output *const *parts, unsigned count,
              const struct agx_rounds *rounds, bool listing, struct agx_output *whole);

/* Whether the list is one for agx_options.print_ir. */
bool agx_has_phases(const char *list);

/* Continues where the text of agx_output.ir was taken: the same bytes come out as from the shader. An error of the
 * text names its line. */
bool agx_compile_text(struct arena *arena, const char *text, const struct agx_options *options,
                      struct agx_output *out, const char **error);

#endif
