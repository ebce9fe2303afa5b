/* Primitives in the pipeline, and the mechanism that keeps their accesses of memory in order: for each stage a
 * counter of requests whose accesses are not coherent yet.
 *
 *     request        VS ---- HS ---- DS ---- GS ---- PS
 *     counters       [2]     [2]     [1]     [1]     [1]      taken by a stage: +1, if it or a lower one accesses
 * UAVs
 *                     ^-------^-------^-------+               flush complete: -1 there and in all stages before it
 *     flush                           sent by the lowest stage that accesses UAVs, when it has processed the request
 *
 * "UAV Coherency Required" keeps a primitive in front of the first stage that accesses UAVs until its counter is 0.
 * What shaders wrote is coherent when their primitive's flush is complete. Source: the mail of 2015-08-14 (docs/
 * drivers/intel/uav.md); what that leaves open, and is assumed here, stands there, too.
 *
 * A stage takes requests in order and has processed them in order; several may be in it. A pipe is a state: a step of
 * uav_pipe_steps() leads to the next one. */
#ifndef INDIUM_INTEL_SIM_UAV_PIPE_H
#define INDIUM_INTEL_SIM_UAV_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "intel/hw/uav_state.h"

enum { UAV_MAX_PRIMS = 16, UAV_MAX_STEPS = 2 * UAV_MAX_PRIMS + 1, UAV_NONE = -1 };

/* What the command streamer waits for ahead of a primitive. */
enum uav_wait {
   UAV_WAIT_NONE,
   UAV_WAIT_STALL, /* until all before it is done: PIPE_CONTROL with CS Stall */
   UAV_WAIT_FLUSH, /* and coherent: DC Flush with it */
};

/* A 3DPRIMITIVE, with the state that it meets. */
struct uav_prim {
   struct intel_uav_state state;
   bool new_vertices; /* the vertex shader runs for it; else its vertices are those of a primitive before */
   enum uav_wait wait;
   uint8_t writes, reads; /* stages, 1 << enum intel_stage, that access the memory all of them share */
   uint8_t needs;         /* enum uav_need: why its pixel shader must run */
};

/* What follows of a primitive's state. */
struct uav_plan {
   uint8_t accesses;      /* stages that say so */
   int first, last;       /* of them; UAV_NONE */
   uint8_t writes, reads; /* of shaders that run */
   bool ps_hangs;         /* erratum forced-dispatch-hiz */
   bool may_lose_flush;   /* erratum lost-vs-flush, while another's is in flight */
   bool needs_coherency;
};

struct uav_stream {
   unsigned count;
   const struct uav_prim *prims;
   struct uav_plan plans[UAV_MAX_PRIMS];
};

enum uav_flush { UAV_FLUSH_NONE, UAV_FLUSH_SENT, UAV_FLUSH_DONE, UAV_FLUSH_LOST };

struct uav_pipe {
   uint8_t at[UAV_MAX_PRIMS];    /* 2 * stage: in front of it; 2 * stage + 1: in it; UAV_OUT: after all */
   uint8_t flush[UAV_MAX_PRIMS]; /* enum uav_flush */
   uint8_t counters[INTEL_STAGES];
};

enum { UAV_OUT = 2 * INTEL_STAGES };

enum uav_step_kind {
   UAV_TAKEN,     /* a stage takes the request */
   UAV_PROCESSED, /* it has processed it, and sends the flush if it is the lowest one */
   UAV_FLUSHED,   /* the flush is complete */
};

struct uav_step {
   enum uav_step_kind kind;
   uint8_t prim;
   enum intel_stage stage; /* FLUSHED: that sent the flush */
};

/* prims must outlive the stream. */
void uav_stream_init(struct uav_stream *stream, const struct uav_prim *prims, unsigned count);

/* Steps that can be next; none when all is done, or nothing ever will be. */
unsigned uav_pipe_steps(const struct uav_stream *stream, const struct uav_pipe *pipe,
                        struct uav_step steps[UAV_MAX_STEPS]);
void uav_pipe_take(const struct uav_stream *stream, struct uav_pipe *pipe, struct uav_step step);

/* A pipe without further steps: whether all is done, or else what hangs. */
struct uav_hang {
   unsigned prim;
   enum intel_stage stage;
   const char *what;
};
bool uav_pipe_hangs(const struct uav_stream *stream, const struct uav_pipe *pipe, struct uav_hang *hang);

/* Whether a step that is to be taken starts shaders that read what a primitive before them writes, ahead of its being
 * coherent, although coherency is required: that primitive and stage. */
struct uav_overtaking {
   unsigned writer;
   enum intel_stage wrote;
};
bool uav_pipe_overtakes(const struct uav_stream *stream, const struct uav_pipe *pipe, struct uav_step step,
                        struct uav_overtaking *overtaking);

#endif
