/* State of the wave engine: programs, waves, groups, queued memory operations. */
#ifndef INDIUM_AMD_SIM_WAVE_PRIVATE_H
#define INDIUM_AMD_SIM_WAVE_PRIVATE_H

#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/isa.h"
#include "amd/sim/cache/cache.h"
#include "amd/sim/base/model.h"
#include "amd/sim/wave/wave.h"
#include "amd/sim/wave/wave_forwards.h"
#include "amd/sim/wave/wave_hazards.h"
#include "amd/sim/wave/wave_wait_states.h"
#include "amd/sim/wave/wave_pops.h"
#include "amd/sim/wave/wave_way.h"
#include "amd/sim/wave/wave_state.h"
#include "sim/waves/race_lds.h"
#include "sim/waves/rounds.h"
#include "util/dynarray.h"
#include "util/macros.h"

struct wave;
struct code;

enum step {
   STEP_NEXT,
   STEP_YIELD, /* done, and the round ends for the wave */
   STEP_LET,   /* done, and the others go first */
   STEP_SLEEP, /* done, and the wave continues when its packer's exiting wave id changes */
   STEP_AGAIN, /* needs a commit of the wave's queue: the instruction runs again in the next round */
   STEP_BARRIER,
   STEP_END,
   STEP_FAULT,
};

/* Operands of a vector kernel: 32 lanes each; *_hi is the second dword of 64-bit operands. */
struct lanes {
   const uint32_t *a, *b, *c;
   const uint32_t *a_hi, *b_hi, *c_hi;
   const uint32_t *old; /* result register before the instruction */
   uint32_t *d, *d_hi;
   uint32_t carry_in; /* lane mask operand */
   uint32_t mask;     /* lane mask result */
   const struct code *code;
   bool more;           /* the kernel continues with 32 lanes after these, if it has no operands but these: */
   uint8_t step[3];     /* how far away a, b and c are there; d and old are HALF */
   bool flushes_halves; /* MODE: denormals of v_cvt_pkrtz_f16_f32 */
};

typedef void (*kernel_fn)(struct lanes *x);

enum source_kind {
   SOURCE_NONE,
   SOURCE_VGPR,
   SOURCE_SGPR,
   SOURCE_CONST,
   SOURCE_SCC,
   SOURCE_VCCZ,
   SOURCE_EXECZ,
   SOURCE_POPS,
   SOURCE_MASK,
};

struct source {
   uint8_t kind;
   uint8_t dw;
   uint16_t reg;
   uint32_t lo, hi; /* constant */
};

struct use {
   uint16_t reg; /* operand number */
   uint16_t count;
};

/* What exec_words.c knows of an instruction. */
struct exec_words {
   bool moves;              /* DPP within rows of 16 lanes: */
   uint32_t row_source[16]; /* the lane of the row that each lane reads, 0 where row_reads is 0 */
   uint32_t row_reads[16];  /* all bits set: the lane reads one */
   uint32_t outside;        /* lanes of a half that read none */
   uint32_t masked[2];      /* lanes of each half that its masks take out */
   uint8_t signs;           /* sources up to the last one that abs or neg changes: */
   uint32_t keep[3], flip[3];
   bool scales;     /* clamp, omod */
   bool makes_mask; /* of lanes */
   bool shuffles;   /* moves within eight lanes, of which none is left out unless it is inactive */
   bool plain;      /* none of these but for signs and shuffles: registers and constants in, a register out */
};

/* One decoded instruction of a program. */
struct code {
   struct amd_inst in;
   const struct amd_op_info *info;
   enum step (*run)(struct wave *wave, const struct code *code);
   enum step (*run_checked)(struct wave *wave, const struct code *code); /* the same but for checks of hazards */
   enum step (*run_polling)(struct wave *wave, const struct code *code); /* the rest of one that reads operand 239 */
   enum step (*run_counted)(struct wave *wave, const struct code *code); /* the rest of one that is counted */
   bool (*land)(struct wave *wave, const struct code *code, const struct sim_queued *queued); /* NULL: in memory */
   kernel_fn kernel;
   struct code
      *second; /* VOPD: the operation that runs in parallel with this one, and how the first runs without it */
   enum step (*run_first)(struct wave *wave, const struct code *code);
   uint32_t pc_dw, next_dw;
   struct source src[4];
   struct {
      uint8_t element_B; /* size of one access without format: 1, 2 or 4 */
      uint8_t count;     /* accesses, or components with format */
      bool sign, format, store, atomic;
      bool dwords; /* loads and stores that exec_gather.c and exec_scatter.c know */
   } memory;
   uint16_t vgpr_end; /* VGPRs that it names lie below */
   uint8_t path;      /* loads: bits of enum amd_cache_path; invalidates: of enum amd_cache_level */
   bool plain;        /* vector: no neg, abs, op_sel, clamp, omod, DPP or SDWA */
   bool clears_high;  /* vector: the result's upper 16 bits become 0 */
   bool by_halves;    /* vector: runs half by half of the wave, and knows shared VGPRs */
   struct exec_words words;
   struct wave_forward_operands forwards; /* GFX11 */
   uint8_t use_count;
   struct use uses[24];
   struct sim_registers used; /* all of them */
};

/* Whether the lanes of a program's waves do the same: wave_uniform.c. */
struct wave_uniform {
   enum amd_waves_alike alike;
   uint8_t sgprs;     /* if all waves start with the same SGPRs below this one */
   uint8_t mask_sgpr; /* number + 1 of the SGPR that M0 is set to; 0: none */
};

struct program {
   struct sim_va va;
   enum amd_gen gen;
   const struct amd_traits *traits;
   uint64_t code_epoch; /* of the caches, when memory was last looked at */
   uint32_t lanes, dw_count, code_count;
   uint32_t *words;
   uint32_t *index_of; /* dword -> code, UINT32_MAX: inside an instruction */
   bool has_barrier, has_lds;
   bool has_ignored;    /* instructions with bits that hardware ignores and the tables want otherwise */
   uint32_t ignored_dw; /* where the first of them is */
   bool meets;          /* waves write what others may read, or a launch has met one that did not end at once */
   struct wave_uniform uniform;
   struct code *codes;
   _Atomic(struct wave_way *) way; /* NULL: no wave has left one */
   atomic_uint way_tries;          /* in vain */
   _Atomic(struct jit *) jit;      /* NULL: it is interpreted */
   atomic_uint jit_state;          /* jit.c */
   atomic_uint_fast64_t heat;      /* instructions that the interpreter has run */
   struct program *next;
};

#define SPIN_INSTRUCTIONS 64 /* of a loop that polls */

/* When things happened to a wave, for the timeline. 0: not yet. */
struct wave_times {
   uint64_t start, poll, enter, sent, export, end;
};

struct wave {
   struct sim_wave base;
   /* What the start of a wave fills in itself, or leaves as the wave before left it. */
   struct wave_state state;
   struct amd_cache_port cache;
   uint8_t straddle[256];
   struct wave_pops pops;
   struct wave_wait_states wait_states;
   struct wave_forwards forwards;
   struct amd_wave_export *exports;
   uint32_t export_capacity;
   struct dynarray accesses;   /* wave_race.c */
   struct dynarray messages;   /* struct amd_wave_message */
   const struct wave_way *way; /* that it goes, with no checks; NULL: none */
   bool notes_way;
   struct wave_way_log way_log;
   /* The rest, from here to the end, is zero when a wave starts. */
   struct amd_wave_engine *engine;
   const struct wave_run *run;
   const struct amd_wave_launch *launch;
   struct program *program; /* base.next is an index of its codes */
   struct sim_va jump_va;   /* jumps: where another program starts */
   bool jumps, jump_failed;
   uint8_t *lds;                    /* of the group */
   struct sim_lds_watch *lds_watch; /* of the group; NULL: nobody looks */
   uint32_t barriers;               /* met */
   struct sim_va tlb_va;
   uint64_t tlb_size_B;
   uint8_t *tlb_host;
   struct wave_hazards hazards;
   uint32_t stores_in_vm; /* stores that COUNTER_VM counted */
   uint32_t export_count;
   bool awaits_lock;    /* exec_ordered.c */
   uint32_t ring_store; /* number of the last store to the launch's ring, from 1; 0: none */
   struct wave_times times;
   struct amd_wave_params params;
   uint32_t prim_mask;
};

/* A launch that the engine runs. */
struct wave_run {
   const struct amd_wave_launch *launch;
   struct program *program;
   struct amd_cache_packet packet;
   uint32_t first, end; /* its groups, by number */
   struct pops_run pops;
   uint32_t traced; /* how many launches the trace had before */
   bool raced;      /* the search for races knows it */
};

struct group {
   struct sim_group base;
   const struct wave_run *run;
   uint8_t *lds;
   uint32_t lds_capacity_B;
   struct sim_lds_watch lds_watch;
   uint32_t collision_waveid;
};

struct amd_wave_engine {
   struct sim_rounds rounds;
   struct wave_run runs[AMD_WAVE_MAX_ADDED]; /* launches under way: run_count of them, from first_run on, in a ring */
   unsigned first_run, run_count;
   struct pops_progress pops;
   struct sim_timeline *trace;      /* NULL: off */
   struct amd_report *report;       /* NULL: nobody counts */
   struct sim_lds_races *lds_races; /* NULL: nobody looks */
   uint32_t ordered_next;           /* of the launch: who may have the lock (exec_ordered.c) */
   uint64_t waves_left;             /* amd_wave_engine_set_limit() */
   struct program *programs[256];
   struct program *replaced;        /* launches under way may still run these */
   struct amd_wave_engine *overlap; /* of the launches that were added; NULL: none was */
   uint64_t leads;                  /* asked for */
   bool reference;                  /* no fast paths */
   bool told_ignored;               /* that a program has bits which hardware ignores */
};

/* The launch that has run for longest, or none. */
static inline struct wave_run *
wave_first_run(struct amd_wave_engine *engine)
{
   return &engine->runs[engine->first_run];
}

/* amd_isa_decode, and what the instruction set of the tables lacks but drivers use. 0: unknown. *passed_over: bits
 * that hardware ignores are not as the tables want them. */
unsigned wave_decode(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, struct amd_inst *in,
                     bool *passed_over);

/* Lanes, and those next to them in their quads. */
static inline uint64_t
wave_quads(uint64_t lanes)
{
   return ((lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x1111111111111111) * 15;
}

/* Bits of a component in a 16-bit register half. */
static inline uint32_t
wave_half_bits(uint32_t value, bool integer)
{
   if (integer)
      return value & 0xffff;
   _Float16 h = (_Float16)bits_float(value);
   uint16_t bits;
   memcpy(&bits, &h, 2);
   return bits;
}

/* The other way: a 16-bit component as a register of a 32-bit format holds it. */
static inline uint32_t
wave_from_half_bits(uint32_t bits, bool integer)
{
   uint16_t half = (uint16_t)bits;
   _Float16 h;
   memcpy(&h, &half, 2);
   return integer ? half : float_bits((float)h);
}

#define WAVE_MAX_PROGRAM_DW (1u << 20)

/* Decodes in a line up to the s_endpgm that no earlier branch jumps over. available_dw: executable memory. */
void wave_code_decode(struct program *p, const uint32_t *words, uint32_t available_dw, unsigned lanes);
/* From here on each instruction that runs is counted for the report. Other programs lose no time for that. */
void wave_code_count(struct program *p);

/* wave_programs.c; NULL: no executable memory there. */
struct program *wave_program(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_va va);
void wave_programs_free(struct amd_wave_engine *engine);
/* Those that have been replaced; no wave runs. */
void wave_programs_forget(struct amd_wave_engine *engine);
/* The same if it has run, and a launch would find it as it was; else NULL. Changes nothing. */
const struct program *wave_program_that_ran(const struct amd_wave_engine *engine,
                                            const struct amd_wave_launch *launch, struct sim_va va);

/* wave_uniform.c: once the program is decoded. */
void wave_uniform_find(struct program *program);

/* exec_index.c: a vector instruction in VGPR index mode, and what runs it then. */
bool exec_is_indexed(const struct wave *wave, const struct code *code);
enum step exec_run_indexed(struct wave *wave, const struct code *code);

/* wave_fault.c */
enum step wave_fault(struct wave *wave, const struct code *code, enum sim_fault_kind kind, struct sim_va va,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* wave_memory.c: a write (its tag, order.h) that is under way meets the wave's access. */
enum step wave_hazard(struct wave *wave, const struct code *code, uint64_t tag, struct sim_va va, const char *access);

/* wave_wait.c */
/* The counter that counts in the place of another. */
enum counter wave_counter(const struct wave *wave, enum counter counter);
void wave_outstanding(struct wave *wave, enum counter counter, unsigned reg, unsigned count, bool needs_commit,
                      bool unordered);
/* mixes_reads: unordered if what is under way there reads registers and it does not, or the other way round. */
void wave_outstanding_operation(struct wave *wave, enum counter counter, const struct sim_operation *operation,
                                bool mixes_reads);
/* Whether an operation of the counter is under way that reads its registers, or else writes them. */
bool wave_has_pending(const struct wave *wave, enum counter counter, bool reads);
/* False: needs a commit first. */
bool wave_wait(struct wave *wave, enum counter counter, unsigned limit);
bool wave_check_uses(struct wave *wave, const struct code *code);
/* Whether the instruction may meet what is under way: only then its uses need a look. */
static inline bool
wave_may_meet(const struct wave *wave, const struct code *code)
{
   const struct sim_pending *pending = &wave->state.pending;
   return pending->with_registers && (pending->count[COUNTER_EXP] || sim_pending_may_write(pending, &code->used));
}

/* wave_way.c */
/* A wave starts, with registers that the start gives and all of the rest to come: it goes the way of its program, or
 * notes its own, or neither. */
void wave_way_start(struct wave *wave);
/* A wave that notes its way is about to run the instruction, which meets nothing that is under way. */
void wave_way_note(struct wave *wave, const struct code *code);
/* It has stopped. */
void wave_way_noted(struct wave *wave, bool ended);
/* Goes the way, until it ends or the wave stops or (STEP_NEXT) leaves it. */
enum step wave_way_run(struct wave *wave);
void wave_way_free(struct program *program);

/* wave_memory.c */
/* Host pointer to size_B readable bytes at va, or NULL after a fault. PRT holes give zeros. */
const uint8_t *wave_read_memory(struct wave *wave, const struct code *code, struct sim_va va, unsigned size_B);
/* The same of a whole line; NULL: there is a reason to look at every byte of it. */
const uint8_t *wave_read_line(struct wave *wave, const struct code *code, struct sim_va line);
void wave_queue_atomic(struct wave *wave, const struct code *code, struct sim_va va, unsigned size_B, unsigned lane,
                       unsigned dst, uint64_t operand, uint64_t compare); /* size: the operands of the instruction */
/* Of an atomic that lands. */
void wave_return_old(struct wave *wave, const struct sim_queued *queued, uint64_t old);
/* Whether the others go first, between a load and what the wave makes of it. */
bool wave_lets_others(const struct wave *wave);
/* Whether no wait makes a store land. */
bool wave_stays_in_l0(const struct wave *wave, const struct code *store);
/* A queued operation lands: of struct sim_wave_model. */
bool wave_land(struct sim_wave *wave, const struct sim_queued *queued, struct sim_fault *fault);
/* Whether the operation has a second operand to compare with. */
static inline bool
wave_atomic_compares(enum amd_atomic kind)
{
   return kind == AMD_ATOMIC_CMPSWAP || kind == AMD_ATOMIC_FCMPSWAP;
}
/* DS of GFX11: the second operand is what is compared. */
static inline bool
wave_atomic_compares_second(enum amd_atomic kind)
{
   return kind == AMD_ATOMIC_CMPSTORE || kind == AMD_ATOMIC_FCMPSTORE;
}
/* The new value. */
uint64_t wave_atomic(enum amd_atomic kind, unsigned size_B, uint64_t old, uint64_t operand, uint64_t compare);

/* Matrix products, whose C and D have half as many registers in waves of 64 lanes as the table says. */
static inline bool
wave_is_product(unsigned op)
{
   return op >= AMD_OP_v_wmma_f32_16x16x16_f16 && op <= AMD_OP_v_wmma_i32_16x16x16_iu4;
}

#endif
