/* What the model of one generation knows of its registers, made from the tables when a model is created. */
#ifndef INDIUM_AMD_SIM_MODEL_H
#define INDIUM_AMD_SIM_MODEL_H

#include "amd/hw/chips.h"
#include "amd/hw/reg_table.h"

enum amd_reg_class {
   AMD_REG_UNKNOWN,
   AMD_REG_USED,
   AMD_REG_IGNORED,
   AMD_REG_HOLE, /* no register; writes are dropped */
};

/* Bits of a register that turn on what the model does not have. */
struct amd_missing {
   uint32_t offset_B, mask;
   const char *what;
};

#define AMD_MODEL_MAX_MISSING 64

struct amd_model {
   enum amd_gen gen;
   const struct amd_traits *traits;
   unsigned missing_count;
   struct amd_missing missing[AMD_MODEL_MAX_MISSING];
   /* By offset / 4. */
   uint8_t reg_class[AMD_UCONFIG_REG_END / 4]; /* enum amd_reg_class */
   uint32_t unknown_bits[AMD_UCONFIG_REG_END / 4];
   const struct amd_pm4_packet *packets[256]; /* by opcode; NULL: the generation has none */
};

/* What differs by generation beside registers and instructions; written apart from the driver's tables. Granules are
 * the units of register fields. */
struct amd_traits {
   bool has_hazards;              /* waves must keep certain instructions apart (wave_hazards.h) */
   bool has_forwards;             /* the same (wave_forwards.h) */
   bool forwards_trans_late;      /* erratum valu-trans-use */
   bool ib_invalidates;           /* caches of the shader cores, at the start of each buffer of a job */
   bool empty_index_buffer_hangs; /* erratum gfx10-empty-index-buffer */
   bool has_wait_states;          /* waves must keep certain instructions so far apart (wave_wait_states.c) */
   bool stores_in_vmcnt;          /* vmcnt counts stores too, there is no vscnt */
   bool permutes_all_lanes;       /* ds_permute and ds_bpermute reach 64 lanes instead of 32 */
   bool clears_high_half;         /* results of 16 bits clear the upper half, where OP_SEL cannot choose one */
   bool flat_scratch_is_sgpr;     /* FLAT_SCRATCH is SGPRs 102 and 103 */
   bool records_by_index;         /* NUM_RECORDS counts records where an index is given, else bytes; no OOB_SELECT */
   bool fewer_formats;            /* unified numbers, but without kinds that nobody used */
   bool pitch_of_every_mode;      /* images have a pitch, of tiled ones too, and descriptors are laid out for it */
   bool min_lod_in_two_words;     /* of image descriptors, and their number of levels stands ahead of it */
   bool two_part_formats;         /* a layout and a kind of number instead of unified formats */
   bool cache_actions;            /* packets name caches by their units: no L1 behind L0, and no GCR_CNTL */
   bool first_indices;            /* registers of index limits and restart are VGT's in the place of GE's */
   bool alpha_stays_fourth;       /* in exports of 32_AR, instead of being the second */
   bool alpha_beside_depth;       /* alpha to coverage reads that of MRTZ wherever it is exported */
   bool es_user_data;             /* merged ES-GS waves start with the user data of ES, not GS */
   bool ordered_by_exports;       /* ordered sections end with the last export, and an event says when they begin */
   bool one_scope_bit;      /* loads with GLC pass by L1 too, else DLC says so; stores need no bit to be in L2 */
   bool halves_by_format;   /* exports hold pairs of 16 bits where their format says so, and not by a bit of theirs */
   bool pops_in_mode;       /* MODE 25:24 name the packer of ordered sections, a bit each; erratum pops-wave-id */
   bool packers_unsaid;     /* GB_ADDR_CONFIG does not count them */
   bool common_user_data;   /* registers that set the user data of all stages */
   bool instance_id_second; /* among the VGPRs that vertex shaders start with; else it is the fourth */
   bool descriptor_dims;    /* image instructions do not name dimensions, their descriptors do */
   bool meta_by_rule;       /* where metadata lies is a rule, not a table (surface/meta_rule.h) */
   bool iterates_256;       /* so do DB and textures with compressed depth of several samples, if told so */
   bool two_planes_hang;    /* erratum two-planes-iterate256 */
   bool xors_lose_planes;   /* erratum gfx9-msaa-depth-xor */
   bool db_meta_by_full_flush; /* no event flushes HTILE alone */
   bool tail_meta_is_first;    /* of levels in the mip tail only the first has metadata */
   bool fdcc;                  /* CB compresses by DCC alone, as CB_COLORn_FDCC_CONTROL says */
   bool levels_beside;         /* levels of an image share planes (surface_chain.h), instead of one after another */
   bool scan_overrides_rate;   /* of coarse shading: a register of the scan converter instead of DB's */
   bool msaa_load_of_x;        /* image_msaa_load works with images of one component, its mask names samples */
   bool msaa_load_unselected;  /* erratum msaa-load-dst-sel */
   bool coarse_shading;        /* variable rate shading, up to 2x2 */
   bool coarse_8x_hangs;       /* erratum vrs-8x-hang */
   bool scalar_holes_fault;    /* erratum smem-null-prt */
   bool payload_layer_first;   /* primitives' payloads have their layer in bits 12:0, else in 19:17 */
   bool fine_depth_export;     /* and not where pixel shaders export depth or stencil; erratum vrs-depth-export */
   bool coarse_depth_left;     /* erratum vrs-frag-z */
   bool sdma_levels_in_header; /* of tiled copies; INFO has EPITCH instead */
   bool ngg_limits_in_ge_cntl; /* of a subgroup's vertices and primitives; else in VGT_GS_ONCHIP_CNTL */
   bool mesh_size_is_optional; /* XYZ_DIM_ENABLE of packets that start mesh shaders */
   bool ngg_empty_hangs;       /* erratum ngg-fully-culled */
   bool vertex_groups_hang;    /* erratum ge-vert-grp-size */
   bool ngg_early_alloc_hangs; /* erratum ngg-early-alloc */
   bool draining_stalls;       /* erratum pops-stalled */
   bool punches_out;           /* DFSM: fragments that later ones hide may never run (radeonsi: not on GFX10.3) */
   bool ngg_counts_prims;      /* pipeline statistics have what NGG's geometry shaders give out (RADV: GFX11) */
   bool adjacency_by_first;    /* geometry shaders get strips as if the first vertex provoked (ge.c) */
   bool gives_vgprs_back;      /* message DEALLOC_VGPRS, near the end of a wave */
   bool attribute_ring;        /* parameters of vertices go through memory (spi/ngg_ring.c) instead of exports */
   bool tess_rings_by_engine;  /* each shader engine has a part of those of tessellation; registers say its size */
   bool factors_by_message;    /* HS_TESSFACTOR: all factors of a threadgroup are 0, or 1 */
   bool numbers_hull_waves;    /* an SGPR of hull waves says which of its threadgroup a wave is */
   bool addr_in_program_regs;  /* merged waves start with SPI_SHADER_PGM_*_GS, _HS instead of USER_DATA_ADDR */
   bool scratch_in_registers;  /* waves find their scratch in FLAT_SCRATCH, instead of an offset in an SGPR */
   bool packed_thread_ids;     /* of compute: 10 bits each in one VGPR */
   /* Places without a register that AMD's tests (IGT, libdrm) write, which go on after that on hardware: such a write
    * is dropped (observed); any other one is a fault. The first 0 ends them. */
   uint32_t holes[4];
   uint64_t export_targets;     /* bit n: there is target n */
   uint8_t vgpr_granule;        /* VGPRS of *_PGM_RSRC1 in wave32; wave64: half */
   uint8_t shared_vgpr_granule; /* SHARED_VGPR_CNT; 0: there are none */
   uint16_t lds_granule_B;      /* LDS_SIZE of COMPUTE_PGM_RSRC2 */
   uint16_t scratch_granule_B;  /* WAVESIZE of *_TMPRING_SIZE */
};

extern const struct amd_traits amd_traits[AMD_GEN_COUNT];

/* What VGPRS of *_PGM_RSRC1 says. */
static inline uint16_t
amd_traits_vgprs(const struct amd_traits *traits, unsigned field, unsigned wave_size)
{
   return (uint16_t)((field + 1) * traits->vgpr_granule * 32 / wave_size);
}

/* NULL: out of memory. free() releases it. */
struct amd_model *amd_model_create(enum amd_gen gen);

/* Erratum pops-missed-overlap: of two chips of a generation. */
bool amd_chip_misses_overlap(const struct amd_chip *chip);

/* Why a register of the model has no effect; by the name of its array's first element. NULL: it has. */
const char *amd_model_why_ignored(const char *name);

/* Adds the rows of model_missing.c that the generation has. */
void amd_model_add_missing(struct amd_model *model);

#endif
