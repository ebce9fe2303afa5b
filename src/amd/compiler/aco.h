/* aco: nir to machine code of AMD GPUs (this file: the whole public interface). Pure functions: input, options,
 * output and an arena; any number of threads.
 *
 * What the shader may contain when it comes here: arithmetic, phis, structured control flow and these intrinsics
 *  - buffers by V#: load_ubo, load_ssbo, store_ssbo, ssbo_atomic*, get_ssbo_size with a u32x4 buffer source; texel
 *    buffers (load_texel_buffer also fetches vertex attributes: idxen, V# with stride and format);
 *  - images by T# halves (u32x4 each; the second half is ignored for buffers) and S# (u32x4);
 *  - load_global*, store_global, global_atomic*, load/store_shared, shared_atomic*, load/store_scratch;
 *  - load_scalar_arg(base): SGPR number `base` and following as it is at entry (user SGPRs start at s0);
 *    load_vector_arg(base): VGPR number `base` and following as it is at entry;
 *  - the system values below; store_output, load_input (fragment: flat), load_interpolated_input, load_barycentric_*;
 *  - subgroup operations, barriers, discard and demote.
 * Not: derefs, push constants, resource indices, vertex load_input (all lowered by the driver). What cannot be
 * selected makes aco_compile() fail with a sentence. */
#ifndef INDIUM_ACO_H
#define INDIUM_ACO_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "amd/hw/gen.h"
#include "compiler/nir/nir_shader_info.h"
#include "util/arena.h"

struct aco_target;
struct arena;

#define ACO_NO_REG 0xff

/* Of a subgroup of vertices. */
#define ACO_NGG_MAX_VERTICES 128

/* FLOAT_MODE of RSRC1: rounding to nearest even, all denormals kept. */
#define ACO_FLOAT_MODE_DEFAULT 0xf0

/* Stages of the hardware that run shaders. From GFX9 on ES runs in waves merged with GS, and LS with HS. */
enum aco_hw_stage {
   ACO_HW_VS, /* feeds the rasterizer */
   ACO_HW_HS, /* LS and HS: feeds the tessellator */
   ACO_HW_GS, /* ES and GS: feeds the rasterizer in the next-generation pipeline (NGG), else VS */
   ACO_HW_PS,
   ACO_HW_CS,
   ACO_HW_STAGES,
};

/* User SGPRs: numbers of the first SGPR of each argument, ACO_NO_REG if the driver does not pass it. The driver only
 * has to pass what the shader reads. System SGPRs and VGPRs follow the hardware's order and need no description:
 *  CS        SGPRs: workgroup id x, y, z, scratch offset (those reported as used); VGPRs: local id x, y, z
 *  PS        SGPRs: PRIM_MASK, COLLISION_WAVEID (ps.load_collision_waveid), INTRAWAVE_COLLISION
 *            (ps.load_intrawave_collision), first vertices
 *            (ps.load_first_vertices), scratch offset (if scratch is used); VGPRs: by SPI_PS_INPUT_ADDR
 *  VS        SGPRs: of stream output (options.vs.xfb_buffers), scratch offset (if used); VGPRs: v0 vertex id, v3
 *            instance id; of a geometry shader's copy, v0: where the vertex lies in the GSVS ring, in dwords
 *  GS        the user SGPRs follow eight of the system, of which s5 is the scratch offset (GFX11: of the attribute
 *            ring); alone, a vertex shader with PRIMGEN_PASSTHRU_EN; merged with a geometry shader (by the driver:
 * with the domain of an evaluation shader in its info, whose primitive id is v8), what that does with its vertices is
 * lowered by the driver HS        the user SGPRs follow eight of the system, of which s2 and s4 say where the
 * workgroup's memory of patches and its factors begin; a vertex and a control shader after nir_lower_merged_io() and
 *            nir_lower_tess_control_io(). Evaluation shaders run as VS or GS, after nir_lower_tess_eval_io() */
struct aco_args {
   uint8_t num_user_sgprs;
   uint8_t scratch_address; /* 2 dwords: address of the scratch buffer of the whole dispatch */
   uint8_t base_vertex;     /* added to v0 by load_vertex_id; load_base_vertex */
   uint8_t base_instance;
   uint8_t draw_id;
   uint8_t view_index;
   uint8_t num_workgroups; /* 3 dwords */
   uint8_t attribute_ring; /* 2 dwords: its address, where parameters of vertices are stored */
   uint8_t tess_rings;     /* a table's address in the 32-bit range: V#s of the memory of patches, of their factors */
   uint8_t tess_layout;    /* 7:0 patches of a full workgroup, 13:8 vertices of each that the control shader reads */
   uint8_t sample_positions; /* 2 dwords: address of float pairs in [0, 1), sample s of n samples at pair s */
};

/* The driver passes nothing. */
static inline struct aco_args
aco_no_args(void)
{
   struct aco_args args;

   memset(&args, ACO_NO_REG, sizeof(args));
   args.num_user_sgprs = 0;
   return args;
}

/* What a hardware stage runs: one shader or, where stages are merged, two in the order in which they run. */
#define ACO_MAX_SHADERS 2
struct aco_stage {
   enum aco_hw_stage hw;
   unsigned num_shaders;
   struct nir_shader *shaders[ACO_MAX_SHADERS];
   /* GS: the one shader is a geometry shader that the driver has merged with the one in front (nir_merge_shaders());
    * in NGG thread i of a subgroup that asks for room exports primitive i (export_primitive_amd) and, of its stored
    * outputs, vertex i. There are s2[20:12] of each. */
   bool merged;
   struct aco_args args; /* of all its shaders */
};

struct aco_options {
   enum amd_gen gen;
   const struct aco_target *target; /* NULL: the generation's; tests have a narrower one */
   unsigned wave_size;              /* 32 or 64 */
   uint32_t address32_hi;           /* high half of 32-bit addresses */
   uint8_t float_mode;
   struct {
      uint32_t col_format;               /* SPI_SHADER_COL_FORMAT: 4 bits a target; 0 drops the target */
      uint8_t col_is_int8, col_is_int10; /* targets whose integers are clamped to 8 (10-10-10-2) bits */
      bool per_sample; /* the driver runs one invocation a sample: coverage is masked by sample id */
      bool dual_source;
      bool alpha_to_coverage;
      uint8_t
         alpha_samples; /* the shader itself covers as many of so many samples as the first alpha says; 0: not so */
      uint8_t alpha_to_one;     /* targets whose alpha is 1, whatever the shader has written */
      uint64_t primitive_slots; /* bit per enum nir_slot that the primitive has, not its vertices: the last inputs */
      bool intrawave_loop;      /* an ordered section may run once for each layer of overlapping quads in the wave */
   } ps;
   struct {
      bool export_primitive_id; /* VGPR v2 goes to the param slot of NIR_SLOT_PRIMITIVE_ID */
      /* GS: user SGPR with the bit of the primitive's word at which the vertex stands that brings its number; 0: it
       * is the first vertex */
      uint8_t provoking_shift;
      bool export_clip_dists; /* false: clip and cull distances are params only */
      /* GS: what follows the user SGPRs are those of the hardware with the subgroup's number and counts, and with the
       * wave's; all lanes run the shader, which has barriers of the subgroup */
      uint8_t xfb_buffers;       /* VS: of stream output, bit per buffer: its SGPRs follow the user SGPRs as such */
      bool exports_first_stream; /* VS with stream output: only waves of the first stream export */
      uint64_t unread_params;    /* bit per enum nir_slot: no param of it, there are only 32 */
      uint64_t primitive_slots;  /* of mesh shaders: bit per enum nir_slot that is a primitive's */
   } vs;
   struct {
      bool low_vgprs; /* erratum gfx9-ls-vgprs */
   } hs;
   /* 0: the hardware's limits; smaller numbers provoke spilling in tests. */
   unsigned max_vgprs, max_sgprs;
   bool validate; /* run the IR validator between passes and the allocation check */
   bool no_optimise;
   bool no_shuffle_lds;  /* wave64: compute shaders shuffle without LDS too, as other stages do */
   bool no_contract;     /* never a * b + c with one rounding */
   bool listing;         /* fill aco_output.listing */
   const char *print_ir; /* phases with commas between: fill aco_output.ir with what they leave (docs/aco.md) */
};

struct aco_stats {
   uint32_t instructions, code_B, sgprs, vgprs, spilled_sgprs, spilled_vgprs, waves;
   uint32_t branches, smem, vmem, lds, valu, salu, copies, loops;
   uint32_t pairs; /* of the instructions of valu: two operations */
   uint64_t hash;  /* hash_bytes() of the code without padding, as the model names it in faults */
};

struct aco_output {
   const uint32_t *code; /* in the arena; position independent; padded for the instruction prefetch */
   uint32_t code_dw;     /* with padding */
   uint32_t exec_dw;     /* without padding */
   uint32_t num_vgprs;   /* highest used VGPR + 1, at least 1, at least the preloaded ones */
   uint32_t num_sgprs;   /* to allocate, those of VCC and the like too; 0: every wave has all */
   uint32_t lds_B;       /* workgroup memory */
   uint32_t scratch_B;   /* per lane; a wave needs scratch_B * wave_size, rounded up to 1024 B by the driver */
   uint8_t float_mode;
   unsigned wave_size;

   struct { /* compute: fields of COMPUTE_PGM_RSRC2 */
      bool tgid[3];
      uint8_t tidig_comp_cnt;
   } cs;
   struct {                                  /* what feeds the rasterizer */
      bool ngg_asks;                         /* GS: for room by GS_ALLOC_REQ; else PRIMGEN_PASSTHRU_NO_MSG */
      uint8_t vgpr_comp_cnt;                 /* how many VGPRs after the first one are read; GS: of ES; HS: of LS */
      uint8_t gs_vgpr_comp_cnt;              /* GS: 0, or 2 for the primitive id */
      uint8_t num_params, num_pos;           /* exports; num_pos at least 1 */
      uint8_t num_primitive_params;          /* of num_params, the last ones: of whole primitives */
      bool writes_payload;                   /* primitives have a second word */
      uint8_t param_of_slot[NIR_SLOT_COUNT]; /* PARAM number, ACO_NO_REG if the slot is not exported */
      bool writes_psize, writes_shading_rate, writes_layer, writes_viewport;
      uint8_t clip_mask, cull_mask; /* bit per distance 0 to 7 */
   } vs;
   struct {                           /* fragment */
      uint32_t input_ena, input_addr; /* SPI_PS_INPUT_ENA, _ADDR; the rule of at least one barycentric is kept */
      uint8_t num_inputs;             /* NUM_INTERP */
      uint8_t num_primitive_inputs;   /* of these, the last ones */
      struct {
         uint8_t slot;                 /* enum nir_slot */
         bool flat, by_vertex, turned; /* by_vertex: P0, P10 and P20 are the values of the vertices, of the API's
                                          first one first if it is turned */
      } inputs[32];                    /* attribute i of v_interp: the driver fills SPI_PS_INPUT_CNTL_i from it */
      uint32_t col_format;             /* formats of the exports, without holes: SPI_SHADER_COL_FORMAT */
      uint8_t z_format;                /* SPI_SHADER_Z_FORMAT: 0 none, 1 32_R, 2 32_GR, 4 32_ABGR... */
      uint32_t cb_shader_mask;         /* 4 bits a target: components exported */
      bool writes_z, writes_stencil, writes_sample_mask, reads_sample_mask, kills;
      bool writes_memory;
      /* Ordered sections: whether there is one, and what the wave must be given. If so, the shader executes an
       * export whatever it writes, and there must be space for it: SPI_SHADER_COL_FORMAT may not be 0. */
      bool ordered, load_collision_waveid, load_intrawave_collision;
      bool load_first_vertices; /* LOAD_PROVOKING_VTX */
   } ps;

   struct aco_stats stats;
   const char *listing; /* assembly text, one instruction a line, or NULL */
   const char *ir;      /* see print_ir */
};

/* Whether options.ps.intrawave_loop is legal. Turns cut the wave between quads for the length of the section: what
 * looks at other quads, or waits for them, would find other sets of invocations than the application's. Such
 * operations stand in the table of intrinsics (SUBGROUP); one is enough wherever it stands, since whoever made the
 * shader may have moved it. All that stays within a quad finds the whole of it, helpers among them: derivatives,
 * sampling with implicit derivatives, quad operations, clusters of up to four. Discards only end lanes, in the turn
 * that they belong to. */
bool aco_may_loop_over_layers(const struct nir_shader *nir);

/* Fills *out from shaders that obey nir_validate() and the list above. The shaders are changed on the way (analyses,
 * small lowerings); code and texts live in the arena. False with *error (in the arena) when something is not
 * supported. */
bool aco_compile(struct arena *arena, const struct aco_stage *stage, const struct aco_options *options,
                 struct aco_output *out, const char **error);

/* Whether the list is one for aco_options.print_ir. */
bool aco_has_phases(const char *list);

/* Continues where the text of aco_output.ir was taken: the same words come out as from the shader. The text has its
 * generation, wave size, arguments and limits; of the options, what to print counts, and all is checked. *out has
 * nothing that selection reports of a stage (cs, vs, ps). An error of the text names its line and column. */
bool aco_compile_text(struct arena *arena, const char *text, const struct aco_options *options,
                      struct aco_output *out, const char **error);

/* nir_merge_shaders() of shaders that may ask for different modes of floats: each sets its own then. */
void aco_merge_shaders(struct nir_shader *first, struct nir_shader *second);

#endif
