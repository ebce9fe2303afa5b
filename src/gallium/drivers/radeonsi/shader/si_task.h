/* Task shaders: compute programs that a draw runs on a compute ring beside the graphics ring. Through rings in memory
 * they say how many workgroups of the mesh shader follow them, and pass payloads. */
#ifndef INDIUM_SI_TASK_H
#define INDIUM_SI_TASK_H

#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/si_abi.h"

/* The rings have as many entries, a power of two. The memory: what the command processor knows of them (control), the
 * ring of sizes (draws), that of payloads. Behind a payload lies the number of the draw. Source: RADV, but for how
 * many entries there are, and the number of the draw. */
enum {
   SI_TASK_ENTRIES_LOG2 = 8,
   SI_TASK_ENTRIES = 1 << SI_TASK_ENTRIES_LOG2,
   SI_TASK_CONTROL_B = 4096,
   SI_TASK_COUNTERS_B = 2048, /* struct si_task_counters */
   SI_TASK_DRAW_B = 16,
   SI_TASK_DRAW_READY_B = 12,
   SI_TASK_PAYLOAD_B = 16 * 1024,
   SI_TASK_DRAW_ID_B = SI_TASK_PAYLOAD_B,
   SI_TASK_ENTRY_B = SI_TASK_PAYLOAD_B + 64,
   SI_TASK_PAYLOADS_B = SI_TASK_CONTROL_B + SI_TASK_ENTRIES * SI_TASK_DRAW_B,
   SI_TASK_RINGS_B = SI_TASK_PAYLOADS_B + SI_TASK_ENTRIES * SI_TASK_ENTRY_B,
};

/* What programs count for queries. */
struct si_task_counters {
   uint64_t tasks, meshes; /* invocations */
   uint64_t primitives;    /* of mesh shaders */
};

/* Adds to one of them, by one thread. rings: the SGPR with the address of the rings. */
void si_nir_count_for_query(struct nir_builder *b, const struct si_nir_options *options, unsigned rings,
                            uint32_t counter_B, struct nir_def *count);

/* The sets that have an SGPR each; the table of the others begins behind them. */
#define SI_TASK_DIRECT_SETS (SI_SGPR_TS_SCRATCH_ADDRESS - SI_SGPR_SETS)

/* A task shader becomes a compute shader (si_nir_lower_task.c). */
void si_nir_lower_task(struct nir_shader *shader, const struct si_nir_options *options);

/* Byte `offset_B` of an entry, of the payloads or not, as a 64-bit address. entry: any number; rings: the SGPR with
 * their address. */
struct nir_def *si_nir_task_entry(struct nir_builder *b, const struct si_nir_options *options, struct nir_def *entry,
                                  unsigned rings, bool payload);

/* The compute program of a task shader; code and working memory lie in the arena until it is uploaded. save: filled
 * as by si_program_save(), if it is wanted. */
enum pipe_result si_task_program_create(struct si_screen *screen, struct arena *arena, struct nir_shader *task,
                                        const struct pipe_graphics_options *options, struct pipe_saved_program *save,
                                        struct si_program **program);

/* The screen's rings, unless they are there; false when out of memory. */
bool si_task_rings_create(struct si_screen *screen);
/* A place for their address in the registers of a program with a mesh shader. */
void si_program_task_rings_argument(struct si_program *program);
/* Their address at that place, and the rings if need be; false when out of memory. */
bool si_program_place_task_rings(struct si_program *program, struct si_screen *screen);

#endif
