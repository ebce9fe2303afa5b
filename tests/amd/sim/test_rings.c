/* Jobs of several threads: those of one ring take turns, whatever they wait for; rings run in parallel. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>

#include "stream.h"

enum { DATA_B = 4 << 20 };

static const uint64_t data_va = UINT64_C(0x100000000) + DATA_B;

static uint32_t
word(const struct stream *s, unsigned index)
{
   uint32_t value;
   memcpy(&value, s->memory + DATA_B + index * 4, 4);
   return value;
}

static void
write_data(struct stream *s, unsigned index, uint32_t value)
{
   uint64_t va = data_va + index * 4;
   emit_packet(s, PKT3_WRITE_DATA, 4,
               (const uint32_t[4]){S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), (uint32_t)va,
                                   (uint32_t)(va >> 32), value});
}

static void
wait_one(struct stream *s, unsigned index)
{
   uint64_t va = data_va + index * 4;
   emit_packet(s, PKT3_WAIT_REG_MEM, 6,
               (const uint32_t[6]){S_WAIT_REG_MEM_CONTROL_FUNCTION(V_WAIT_EQUAL) |
                                      S_WAIT_REG_MEM_CONTROL_MEM_SPACE(V_WAIT_SPACE_MEMORY),
                                   (uint32_t)va, (uint32_t)(va >> 32), 1, UINT32_MAX, 4});
}

static void
copy_register(struct stream *s, uint32_t reg, unsigned index)
{
   uint64_t va = data_va + index * 4;
   emit_packet(s, PKT3_COPY_DATA, 5,
               (const uint32_t[5]){S_COPY_DATA_CONTROL_SRC_SEL(V_COPY_SRC_REGISTER) |
                                      S_COPY_DATA_CONTROL_DST_SEL(V_COPY_DST_MEM),
                                   reg / 4, 0, (uint32_t)va, (uint32_t)(va >> 32)});
}

struct job {
   struct stream *s;
   struct amd_sim_ib ib;
   struct sim_fault fault;
   bool ok;
   pthread_t thread;
};

/* Of the packets since the last one. */
static struct job
job_of(struct stream *s, uint32_t *first_dw, enum amd_sim_ring ring)
{
   struct job job = {
      .s = s, .ib = {.va = sim_va(stream_base + *first_dw * 4), .size_dw = s->count_dw - *first_dw, .ring = ring}};
   *first_dw = s->count_dw;
   return job;
}

static void *
run_job(void *data)
{
   struct job *job = data;
   job->ok = amd_sim_run(job->s->sim, job->s->vm, &job->ib, 1, &job->fault);
   return NULL;
}

static void
rings(void **state)
{
   struct stream s = stream_create(1);
   uint32_t first_dw = 0;

   set_reg(&s, R_COMPUTE_USER_DATA_0, 11);
   write_data(&s, 0, 1);
   wait_one(&s, 1);
   copy_register(&s, R_COMPUTE_USER_DATA_0, 2);
   struct job waits = job_of(&s, &first_dw, AMD_SIM_RING_GFX);
   set_reg(&s, R_COMPUTE_USER_DATA_0, 22);
   copy_register(&s, R_COMPUTE_USER_DATA_0, 3);
   struct job disturbs = job_of(&s, &first_dw, AMD_SIM_RING_GFX);
   set_reg(&s, R_COMPUTE_USER_DATA_0, 33);
   wait_one(&s, 0);
   struct job next_to = job_of(&s, &first_dw, AMD_SIM_RING_COMPUTE);
   write_data(&s, 1, 1);
   copy_register(&s, R_COMPUTE_USER_DATA_0, 4);
   struct job frees = job_of(&s, &first_dw, AMD_SIM_RING_COMPUTE);

   assert_int_equal(pthread_create(&waits.thread, NULL, run_job, &waits), 0);
   run_job(&next_to); /* until the first one waits */
   assert_int_equal(pthread_create(&disturbs.thread, NULL, run_job, &disturbs), 0);
   nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* it would have the time */
   run_job(&frees);
   pthread_join(waits.thread, NULL);
   pthread_join(disturbs.thread, NULL);
   assert_true(waits.ok && disturbs.ok && next_to.ok && frees.ok);
   assert_int_equal(word(&s, 2), 11);
   assert_int_equal(word(&s, 3), 22);
   assert_int_equal(word(&s, 4), 33);
   stream_destroy(&s);
}

/* ATOMIC_MEM in a loop: takes a lock, 0 to 1. */
static void
take_lock(struct stream *s, unsigned index)
{
   enum { CMPSWAP_32 = 8, NO_RETURN = 64, LOOP = 1 };
   uint64_t va = data_va + index * 4;
   emit_packet(
      s, PKT3_ATOMIC_MEM, 8,
      (const uint32_t[8]){S_ATOMIC_MEM_CONTROL_ATOMIC(CMPSWAP_32 | NO_RETURN) | S_ATOMIC_MEM_CONTROL_COMMAND(LOOP),
                          (uint32_t)va, (uint32_t)(va >> 32), 1, 0, 0, 0, 10});
}

static void
locks(void **state)
{
   struct stream s = stream_create(1);
   uint32_t first_dw = 0;

   take_lock(&s, 0);
   write_data(&s, 1, 1);
   struct job first = job_of(&s, &first_dw, AMD_SIM_RING_COMPUTE);
   take_lock(&s, 0);
   write_data(&s, 2, 1);
   struct job second = job_of(&s, &first_dw, AMD_SIM_RING_GFX);
   write_data(&s, 0, 0);
   struct job frees = job_of(&s, &first_dw, AMD_SIM_RING_COMPUTE);

   run_job(&first);
   assert_true(first.ok && word(&s, 0) == 1 && word(&s, 1) == 1);
   assert_int_equal(pthread_create(&second.thread, NULL, run_job, &second), 0);
   nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* it would have the time */
   assert_int_equal(word(&s, 2), 0);
   run_job(&frees);
   pthread_join(second.thread, NULL);
   assert_true(second.ok && frees.ok && word(&s, 0) == 1 && word(&s, 2) == 1);
   stream_destroy(&s);
}

static bool
run_packet(struct stream *s, enum amd_sim_ring ring, unsigned opcode, unsigned count, const uint32_t *payload)
{
   uint32_t first_dw = s->count_dw;
   emit_packet(s, opcode, count, payload);
   struct job job = job_of(s, &first_dw, ring);
   run_job(&job);
   s->fault = job.fault;
   return job.ok;
}

/* What the engine of compute rings does not have: packets, forms and events. */
static void
compute_packets(void **state)
{
   struct stream s = stream_create(1);
   const uint32_t low = (uint32_t)data_va, high = (uint32_t)(data_va >> 32);
   const struct {
      unsigned opcode, count;
      uint32_t payload[6];
      bool gfx, compute;
   } rows[] = {
      {PKT3_CONTEXT_CONTROL, 2, {0}, true, false},
      {PKT3_CLEAR_STATE, 1, {0}, true, false},
      {PKT3_PFP_SYNC_ME, 1, {0}, true, false},
      {PKT3_SET_CONTEXT_REG, 2, {(R_PA_SU_POINT_SIZE - AMD_CONTEXT_REG_START) / 4, 8}, true, false},
      {PKT3_SET_SH_REG, 2, {(R_COMPUTE_USER_DATA_0 - AMD_SH_REG_START) / 4, 8}, true, true},
      {PKT3_SET_BASE, 3, {V_BASE_INDEX_INDIRECT_DATA, low, high}, true, false},
      {PKT3_NUM_INSTANCES, 1, {1}, true, false},
      {PKT3_INDIRECT_BUFFER, 3, {low, high, 0}, true, false}, /* a call; a jump would end the test's buffer */
      {PKT3_DRAW_INDEX_AUTO, 2, {0, V_DI_SRC_SEL_AUTO_INDEX}, true, false},
      {PKT3_DISPATCH_INDIRECT, 2, {0, 0}, true, false},
      {PKT3_DISPATCH_INDIRECT, 3, {low, high, 0}, false, true},
      {PKT3_EVENT_WRITE, 1, {V_PS_PARTIAL_FLUSH | V_EVENT_INDEX_PARTIAL_FLUSH << 8}, true, false},
      {PKT3_EVENT_WRITE, 1, {V_CS_PARTIAL_FLUSH | V_EVENT_INDEX_PARTIAL_FLUSH << 8}, true, true},
      {PKT3_EVENT_WRITE, 3, {V_ZPASS_DONE | V_EVENT_INDEX_ZPASS << 8, low, high}, true, false},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (enum amd_sim_ring ring = AMD_SIM_RING_GFX; ring <= AMD_SIM_RING_COMPUTE; ring++) {
         bool ok = run_packet(&s, ring, rows[i].opcode, rows[i].count, rows[i].payload);
         if (ok != (ring == AMD_SIM_RING_GFX ? rows[i].gfx : rows[i].compute))
            fail_msg("row %u on ring %u: %s", i, ring, ok ? "ran" : s.fault.message);
      }
   }
   /* Of the statistics the one counter that there is, and nothing after it. */
   memset(s.memory + DATA_B, 0xee, 128);
   assert_true(
      run_packet(&s, AMD_SIM_RING_COMPUTE, PKT3_EVENT_WRITE, 3,
                 (const uint32_t[3]){V_SAMPLE_PIPELINESTAT | V_EVENT_INDEX_SAMPLE_PIPELINESTAT << 8, low, high}));
   for (unsigned i = 0; i < 11; i++)
      assert_int_equal(word(&s, 2 * i), i == 0 ? 0 : 0xeeeeeeee);
   stream_destroy(&s);
}

/* One submit, two rings, which wait for each other; a fault of either is the submit's. */
static void
gang(void **state)
{
   for (unsigned bad = 0; bad < 2; bad++) {
      struct stream s = stream_create(1);
      uint32_t first = 0;
      write_data(&s, 0, 1);
      wait_one(&s, 1);
      write_data(&s, 2, 7);
      if (bad)
         emit(&s, 0x12345678);
      const struct amd_sim_ib follower = job_of(&s, &first, AMD_SIM_RING_COMPUTE).ib;
      wait_one(&s, 0);
      write_data(&s, 1, 1);
      const struct amd_sim_ib leader = job_of(&s, &first, AMD_SIM_RING_GFX).ib;
      const struct amd_sim_ib both[] = {follower, leader};
      struct sim_fault fault = {0};
      bool ok = amd_sim_run(s.sim, s.vm, both, 2, &fault);
      assert_int_equal(ok, !bad);
      assert_int_equal(fault.kind, bad ? SIM_FAULT_PACKET : SIM_FAULT_NONE);
      assert_int_equal(word(&s, 1), 1);
      assert_int_equal(word(&s, 2), 7);
      stream_destroy(&s);
   }
}

enum { GANGS = 3 };

struct gang_job {
   struct stream *s;
   struct amd_sim_ib ibs[2];
   struct sim_fault fault;
   pthread_t thread;
   bool ok;
};

static void *
run_gang(void *data)
{
   struct gang_job *job = data;
   job->ok = amd_sim_run(job->s->sim, job->s->vm, job->ibs, 2, &job->fault);
   return NULL;
}

/* Each waits for its own other ring only. One that took the rings one by one would stop all, as would rings that
 * begin with another gang each. */
static void
gangs_take_turns(void **state)
{
   for (unsigned round = 0; round < 20; round++) {
      struct stream s = stream_create(1);
      struct gang_job jobs[GANGS] = {{0}};
      uint32_t first = 0;
      for (unsigned i = 0; i < GANGS; i++) {
         write_data(&s, 3 * i, 1);
         wait_one(&s, 3 * i + 1);
         write_data(&s, 3 * i + 2, 7 + i);
         const struct amd_sim_ib follower = job_of(&s, &first, AMD_SIM_RING_COMPUTE).ib;
         wait_one(&s, 3 * i);
         write_data(&s, 3 * i + 1, 1);
         const struct amd_sim_ib leader = job_of(&s, &first, AMD_SIM_RING_GFX).ib;
         /* Whichever order they are given in. */
         jobs[i] = (struct gang_job){.s = &s, .ibs = {i % 2 ? leader : follower, i % 2 ? follower : leader}};
      }
      for (unsigned i = 0; i < GANGS; i++)
         assert_int_equal(pthread_create(&jobs[i].thread, NULL, run_gang, &jobs[i]), 0);
      for (unsigned i = 0; i < GANGS; i++) {
         pthread_join(jobs[i].thread, NULL);
         assert_true(jobs[i].ok);
         assert_int_equal(word(&s, 3 * i + 2), 7 + i);
      }
      stream_destroy(&s);
   }
}

/* A ring that waits for what a failed one would have written ends at once, and the first fault is the submit's. */
static void
gang_ends_together(void **state)
{
   struct stream s = stream_create(1);
   uint32_t first = 0;
   wait_one(&s, 0);
   emit(&s, 0x12345678);
   const struct amd_sim_ib follower = job_of(&s, &first, AMD_SIM_RING_COMPUTE).ib;
   write_data(&s, 0, 1);
   wait_one(&s, 1);
   const struct amd_sim_ib leader = job_of(&s, &first, AMD_SIM_RING_GFX).ib;
   write_data(&s, 2, 7);
   const struct amd_sim_ib after = job_of(&s, &first, AMD_SIM_RING_GFX).ib;
   struct sim_fault fault = {0};
   assert_false(amd_sim_run(s.sim, s.vm, (const struct amd_sim_ib[]){leader, follower, after}, 3, &fault));
   assert_int_equal(fault.kind, SIM_FAULT_PACKET);
   assert_non_null(strstr(fault.message, "0x12345678"));
   assert_null(strstr(fault.message, "WAIT_REG_MEM"));
   assert_int_equal(word(&s, 2), 0);
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(rings),
                                      cmocka_unit_test(locks),
                                      cmocka_unit_test(compute_packets),
                                      cmocka_unit_test(gang),
                                      cmocka_unit_test(gang_ends_together),
                                      cmocka_unit_test(gangs_take_turns)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
