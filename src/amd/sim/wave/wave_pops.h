/* Ordered sections of running waves: packers' exiting wave ids, POPS_PACKER, ORDERED_PS_DONE. Of the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_POPS_H
#define INDIUM_AMD_SIM_WAVE_POPS_H

#include <stddef.h>

#include "amd/sim/pops/pops.h"
#include "sim/vm/fault.h"

struct wave;
struct code;
struct program;
struct pops_run;
struct amd_wave_engine;
enum step;

/* Of a wave. */
struct wave_pops {
   const struct amd_pops_wave *info; /* NULL: the launch has no ordered sections */
   bool overlap;                     /* COLLISION_WAVEID bit 31 */
   bool lost;                        /* no wave of the launch is told of overlap */
   uint32_t number;                  /* among the packer's waves of all launches */
   uint32_t newest;    /* of the newest overlapped wave that was in flight, or might have been, at the start */
   uint8_t reg;        /* hardware register POPS_PACKER: packer 2:1, enable 0 */
   bool ever_set;      /* the register was enabled once */
   bool sent;          /* ORDERED_PS_DONE; GFX11: the last export */
   bool entered;       /* a poll showed that the overlapped waves have exited */
   bool awaits;        /* GFX11: the event of the overlapped waves' last exports */
   bool endless;       /* asleep for ever */
   bool polled;        /* last_poll and poll_pc_dw are set */
   uint32_t last_poll; /* exits of the polled packer at the last poll */
   uint32_t poll_pc_dw;
   uint32_t value; /* what operand 239 reads */
};

/* Of a launch that runs. launch: NULL: it has no ordered sections. */
struct pops_run {
   const struct amd_pops_launch *launch;
   bool lost;
   uint32_t first[AMD_POPS_MAX_PACKERS], end[AMD_POPS_MAX_PACKERS]; /* numbers of its waves */
};

/* Of the engine. A packer numbers its waves, from launch to launch; they leave in that order. */
struct pops_progress {
   struct amd_pops_packers packers;
   uint32_t base[AMD_POPS_MAX_PACKERS]; /* id of number 0 */
   uint32_t started[AMD_POPS_MAX_PACKERS];
   uint32_t exits[AMD_POPS_MAX_PACKERS];                       /* waves that have left */
   uint8_t exited[AMD_POPS_MAX_PACKERS][AMD_POPS_ID_MASK + 1]; /* by number: is to leave, in its turn */
};

/* Serial phases. */
/* alone: no other launch is under way. */
void wave_pops_begin(struct pops_progress *progress, struct pops_run *run, const struct amd_pops_launch *launch,
                     const struct program *program, bool exclusive);
/* Before a wave starts: what it overlaps of the waves in flight. Returns COLLISION_WAVEID, with
 * the erratum pops-wave-id or without. */
uint32_t wave_pops_admit(const struct pops_progress *progress, const struct pops_run *run, struct wave_pops *pops,
                         uint32_t group, bool off_by_one);
/* Notes a wave that sent the message or ended; later wave_pops_advance moves the exiting ids. */
void wave_pops_update(struct pops_progress *progress, const struct wave *wave);
bool wave_pops_advance(struct pops_progress *progress); /* whether any moved */
/* Whether a sleeping wave has a reason to wake. */
bool wave_pops_wakes(const struct pops_progress *progress, const struct wave *wave);
/* What a wave that has polled waits for, as text. */
void wave_pops_describe(const struct pops_progress *progress, const struct wave *wave, char *text, size_t size);
/* After the launch's last wave: false if a packer still waits for one. */
bool wave_pops_finish(const struct pops_progress *progress, const struct pops_run *run, struct sim_fault *fault);

/* Instructions. */
uint32_t wave_pops_read_register(const struct wave *wave);
enum step wave_pops_write_register(struct wave *wave, const struct code *code, uint32_t value);
/* GFX9: a bit for each of two packers. */
enum step wave_pops_write_mode(struct wave *wave, const struct code *code, uint32_t packers);
/* Fills pops.value; *unchanged: the same loop saw the same id before. */
enum step wave_pops_poll(struct wave *wave, const struct code *code, bool *unchanged);
enum step wave_pops_send_done(struct wave *wave, const struct code *code);
/* GFX11: s_wait_event, and an export with DONE. */
enum step wave_pops_wait_event(struct wave *wave, const struct code *code);
enum step wave_pops_last_export(struct wave *wave, const struct code *code);
enum step wave_pops_end(struct wave *wave, const struct code *code);
/* s_sleep: whether only an exit ends it. So it is of a short one between polls, too: until then they see the same.
 * The longest one is ended by nothing on GFX9. */
bool wave_pops_sleeps(struct wave *wave, const struct code *code);

#endif
