#include "wave_rig.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"

void
rig_open(struct rig *r, unsigned threads)
{
   memset(r, 0, sizeof(*r));
   r->vm = sim_vm_create();
   r->code = aligned_alloc(16384, CODE_B);
   r->data = aligned_alloc(16384, DATA_B);
   memset(r->code, 0, CODE_B);
   memset(r->data, 0, DATA_B);
   assert_true(sim_vm_map(r->vm, sim_va(CODE_VA), CODE_B, r->code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(r->vm, sim_va(DATA_VA), DATA_B, r->data, SIM_READ | SIM_WRITE));
   r->pool = sim_pool_create(threads);
   r->engine = agx_wave_engine_create(r->pool);
   r->left = aligned_alloc(64, sizeof(*r->left));
   r->program = calloc(1, sizeof(*r->program));
   r->program->stage = AGX_STAGE_COMPUTE;
   r->program->usc_base = sim_va(USC_VA);
   r->program->code = sim_va(CODE_VA);
   r->program->registers = 256;
   r->program->threadgroup_B = 4096;
   r->program->uniform_halves = 512;
   r->program->spill_size = 1;
   for (unsigned i = 0; i < 4; i++)
      r->program->uniforms[i] = (uint16_t)(DATA_VA >> 16 * i);
}

void
rig_close(struct rig *r)
{
   agx_wave_engine_destroy(r->engine);
   sim_pool_destroy(r->pool);
   sim_vm_destroy(r->vm);
   free(r->program);
   free(r->left);
   free(r->code);
   free(r->data);
}

unsigned
rig_assemble(struct rig *r, unsigned at_B, const char *text)
{
   unsigned begin_B = at_B;
   char line[200];
   while (*text) {
      size_t length = strcspn(text, "\n");
      assert_true(length < sizeof(line));
      memcpy(line, text, length);
      line[length] = 0;
      text += length + (text[length] == '\n');
      struct agx_inst in;
      uint8_t bytes[AGX_INST_MAX_B];
      if (!line[strspn(line, " ")])
         continue;
      if (!agx_isa_parse(line + strspn(line, " "), &in))
         fail_msg("no instruction: %s", line);
      unsigned size_B = agx_isa_encode(&in, bytes);
      assert_true(size_B && at_B + size_B < CODE_B);
      memcpy(r->code + at_B, bytes, size_B);
      at_B += size_B;
   }
   r->code[at_B] = 0x88;
   r->code[at_B + 1] = 0;
   return at_B - begin_B;
}

static void
retire(void *user, uint32_t group, uint32_t wave, const struct agx_wave_result *result)
{
   struct rig *r = user;
   (void)group;
   (void)wave;
   memcpy(r->left, result->registers, sizeof(*r->left));
}

bool
rig_run(struct rig *r, const char *text, uint32_t threads, uint32_t group)
{
   if (text)
      rig_assemble(r, 0, text);
   struct agx_wave_launch launch = {.program = r->program, .vm = r->vm, .user = r, .retire = retire};
   assert_true(agx_wave_set_grid(&launch, (uint32_t[]){threads, 1, 1}, (uint32_t[]){group, 1, 1}));
   r->fault = (struct sim_fault){0};
   return agx_wave_run(r->engine, &launch, &r->fault);
}

void
rig_expect_fault(struct rig *r, enum sim_fault_kind kind, const char *words, const char *text, uint32_t threads,
                 uint32_t group)
{
   assert_false(rig_run(r, text, threads, group));
   if (r->fault.kind != kind || !strstr(r->fault.message, words))
      fail_msg("fault %u: %s", r->fault.kind, r->fault.message);
}
