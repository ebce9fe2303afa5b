/* SPIR-V 1.0 to 1.6 to nir. Pure: words and options in, a shader or an error out; any number of threads. */
#ifndef INDIUM_SPIRV_TO_NIR_H
#define INDIUM_SPIRV_TO_NIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/nir/nir_shader_info.h"
#include "util/arena.h"

/* What a module may use beyond the Vulkan 1.0 core: groups of SPIR-V capabilities. A module that declares a
 * capability whose group is off, or one that no group has, is an error. The table stands in spirv_capability.c. */
enum spirv_feature {
   SPIRV_FEATURE_INT8 = 1 << 0,
   SPIRV_FEATURE_INT16 = 1 << 1,
   SPIRV_FEATURE_INT64 = 1 << 2,
   SPIRV_FEATURE_FLOAT16 = 1 << 3,
   SPIRV_FEATURE_FLOAT64 = 1 << 4,
   SPIRV_FEATURE_STORAGE_8 = 1 << 5,       /* 8-bit members of buffer blocks */
   SPIRV_FEATURE_STORAGE_16 = 1 << 6,      /* 16-bit members of buffer blocks */
   SPIRV_FEATURE_INPUT_OUTPUT_16 = 1 << 7, /* 16-bit shader inputs and outputs */
   SPIRV_FEATURE_SAMPLE_SHADING = 1 << 8,  /* SampleRateShading, InterpolationFunction */
   SPIRV_FEATURE_CLIP_CULL = 1 << 9,
   SPIRV_FEATURE_IMAGE_CUBE_ARRAY = 1 << 10,
   SPIRV_FEATURE_IMAGE_WITHOUT_FORMAT = 1 << 11,
   SPIRV_FEATURE_IMAGE_MULTISAMPLE = 1 << 12, /* multisampled storage images */
   SPIRV_FEATURE_RESIDENCY = 1 << 13,         /* of texels, and minimal levels of detail */
   SPIRV_FEATURE_DRAW_PARAMETERS = 1 << 14,
   SPIRV_FEATURE_MULTIVIEW = 1 << 15,
   SPIRV_FEATURE_DESCRIPTOR_INDEXING = 1 << 16, /* NonUniform, run-time descriptor arrays */
   SPIRV_FEATURE_MEMORY_MODEL = 1 << 17,        /* VulkanMemoryModel and its device scope */
   SPIRV_FEATURE_DEMOTE = 1 << 18,
   SPIRV_FEATURE_STENCIL_EXPORT = 1 << 19,
   SPIRV_FEATURE_LAYER_VIEWPORT = 1 << 20, /* written by the vertex shader */
   SPIRV_FEATURE_SUBGROUPS = 1 << 21,
   /* all GroupNonUniform* but partitioned; ballot and vote of the KHRs */
   SPIRV_FEATURE_INT64_ATOMICS = 1 << 22,
   SPIRV_FEATURE_FLOAT_ATOMIC_ADD = 1 << 23, /* of 32 bits */
   SPIRV_FEATURE_SHADER_CLOCK = 1 << 24,
   SPIRV_FEATURE_PRIMITIVE_ID = 1 << 25, /* Geometry as a fragment shader declares it for gl_PrimitiveID */
   SPIRV_FEATURE_PIXEL_INTERLOCK = 1 << 26,
   SPIRV_FEATURE_SAMPLE_INTERLOCK = 1 << 27,
   SPIRV_FEATURE_SUBGROUPS_KHR = 1 << 28, /* the instructions of SPV_KHR_shader_ballot and _subgroup_vote */
   SPIRV_FEATURE_OUTPUT_LAYER = 1 << 29,  /* ShaderLayer, ShaderViewportIndex: LAYER_VIEWPORT in SPIR-V 1.5 */
   SPIRV_FEATURE_SHADING_RATE = 1 << 30,
   SPIRV_FEATURE_BARYCENTRIC = UINT64_C(1) << 31,
   SPIRV_FEATURE_DOT_PRODUCT = UINT64_C(1) << 32, /* of integers */
   SPIRV_FEATURE_EXPECT_ASSUME = UINT64_C(1) << 33,
   SPIRV_FEATURE_SUBGROUP_ROTATE = UINT64_C(1) << 34,
   SPIRV_FEATURE_QUAD_CONTROL = UINT64_C(1) << 35,
   SPIRV_FEATURE_FLOAT_ATOMIC_MIN_MAX = UINT64_C(1) << 36, /* of 32 bits; the next one: of 64 */
   SPIRV_FEATURE_DOUBLE_ATOMIC_MIN_MAX = UINT64_C(1) << 37,
   SPIRV_FEATURE_ROUND_TO_ZERO = UINT64_C(1) << 38,
   SPIRV_FEATURE_FLOAT_CONTROLS_2 = UINT64_C(1) << 39,
   SPIRV_FEATURE_ADDRESSES = UINT64_C(1) << 40,         /* pointers to physical storage */
   SPIRV_FEATURE_VARIABLE_POINTERS = UINT64_C(1) << 41, /* to workgroup memory, too */
   SPIRV_FEATURE_VARIABLE_POINTERS_BUFFER = UINT64_C(1) << 42,
   SPIRV_FEATURE_SHARED_LAYOUT = UINT64_C(1) << 43, /* blocks of workgroup memory; with members of 8 and 16 bits */
   SPIRV_FEATURE_SHARED_LAYOUT_8 = UINT64_C(1) << 44,
   SPIRV_FEATURE_SHARED_LAYOUT_16 = UINT64_C(1) << 45,
   SPIRV_FEATURE_REPLICATED = UINT64_C(1) << 46, /* composites of one constituent */
   SPIRV_FEATURE_COOPERATIVE_MATRIX = UINT64_C(1) << 47,
   SPIRV_FEATURE_AMD_TRINARY = UINT64_C(1) << 48, /* instruction sets */
   SPIRV_FEATURE_AMD_GCN = UINT64_C(1) << 49,
   SPIRV_FEATURE_POST_DEPTH_COVERAGE = UINT64_C(1) << 50,
   SPIRV_FEATURE_EARLY_AND_LATE = UINT64_C(1) << 51, /* no capability: the mode of AMD */
   SPIRV_FEATURE_AMD_BALLOT = UINT64_C(1) << 52,     /* with the group operations of its capability Groups */
   SPIRV_FEATURE_AMD_EXPLICIT = UINT64_C(1) << 53,
   SPIRV_FEATURE_AMD_IMAGE_LOD = UINT64_C(1) << 54,
   SPIRV_FEATURE_AMD_GATHER_LOD = UINT64_C(1) << 55,
   SPIRV_FEATURE_AMD_FRAGMENT_MASK = UINT64_C(1) << 56,
   SPIRV_FEATURE_COMPUTE_DERIVATIVES = UINT64_C(1) << 57,
   SPIRV_FEATURE_IMAGE_INT64 = UINT64_C(1) << 58, /* storage images of one 64-bit integer, with atomics */
   SPIRV_FEATURE_MESH = UINT64_C(1) << 59,        /* task and mesh shaders */
   SPIRV_FEATURE_TESSELLATION = UINT64_C(1) << 60,
   SPIRV_FEATURE_GEOMETRY_POINT_SIZE = UINT64_C(1) << 61,
   SPIRV_FEATURE_GEOMETRY_STREAMS = UINT64_C(1) << 62,
   SPIRV_FEATURE_XFB = UINT64_C(1) << 63, /* transform feedback */
   SPIRV_FEATURE_ALL = UINT64_MAX,
};

struct spirv_spec_constant {
   uint32_t id;     /* SpecId */
   uint32_t size_B; /* 1, 2, 4 or 8, as the constant's type; a boolean takes 4 (VkBool32) */
   uint64_t value;  /* zero-extended bits */
};

struct spirv_options {
   const char *entry_point; /* name; "main" if NULL */
   enum nir_stage stage;
   uint64_t features; /* enum spirv_feature bits: what may be used */
   /* For errors: which of the others the device has (somebody did not enable them), and its name. NULL: no name. */
   uint64_t offered;
   const char *device;
   const struct spirv_spec_constant *spec_constants;
   uint32_t num_spec_constants;
   /* Invocations that hold a cooperative matrix, 32 or 64: a shader with such matrices has subgroups of that size. */
   uint32_t matrix_subgroup_size;
};

/* The entry point as a shader in the arena: calls inlined, variables as derefs (see docs/ir.md), one variable per
 * member of an input or output block. NULL if the module is invalid, lacks the entry point or uses what the features
 * do not allow; then *error (in the arena) is one line that names the instruction and its word offset. */
struct nir_shader *spirv_to_nir(struct arena *arena, const uint32_t *words, size_t count,
                                const struct spirv_options *options, const char **error);

/* The stage of the first entry point; NIR_STAGES if there is none, or of none of the stages. Takes any words. */
enum nir_stage spirv_find_stage(const uint32_t *words, size_t count);

/* Whether the words are a well-formed module: everything that spirv_to_nir checks but for the bodies of functions and
 * what depends on options. On false *error is a line in the arena. */
bool spirv_check(struct arena *arena, const uint32_t *words, size_t count, const char **error);

/* Up to SPIRV_MAX_CF_DEPTH levels, each of which takes some functions of a pass; sanitizers make them larger. */
#define SPIRV_DEEP_STACK_B ((size_t)64 << 20)

/* How much stack the module wants for these functions and for compiling the shader, since control flow, calls and
 * types may nest deep; 0: what any thread has is enough. Takes any words. */
size_t spirv_stack_B(const uint32_t *words, size_t count);

#endif
