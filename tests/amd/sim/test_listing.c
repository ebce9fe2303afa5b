/* The listing of a stream names what the tables of its generation do not have, and continues. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "amd/sim/listing.h"
#include "stream.h"

static void
expect(struct stream *s, enum amd_gen gen, const char *text)
{
   char *listed = NULL;
   size_t size_B;
   FILE *out = open_memstream(&listed, &size_B);
   struct amd_sim_ib ib = {sim_va(stream_base), s->count_dw, AMD_SIM_RING_GFX, false, 0};
   amd_list_buffer(out, gen, s->vm, &ib);
   fclose(out);
   assert_string_equal(listed, text);
   free(listed);
   s->count_dw = 0;
}

static void
unknown(void **state)
{
   struct stream s = stream_create(1);
   emit(&s, PKT3_NOP_PAD);
   emit_packet(&s, 0x99, 1, (const uint32_t[1]){7});
   emit_packet(&s, PKT3_NUM_INSTANCES, 2, (const uint32_t[2]){1, 2});
   emit(&s, PKT3(PKT3_NUM_INSTANCES, 1) | 0x80);
   emit(&s, 1);
   emit_packet(&s, PKT3_PFP_SYNC_ME, 1, (const uint32_t[1]){0});
   emit_packet(&s, PKT3_SET_CONTEXT_REG, 3, (const uint32_t[3]){0x0d, 0x11112222, 0xc000});
   emit_packet(&s, PKT3_SET_SH_REG, 2, (const uint32_t[2]){0x3ff, 3});
   emit_packet(&s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0x10});
   emit_packet(&s, PKT3_SET_PREDICATION, 3, (const uint32_t[3]){S_SET_PREDICATION_OP_PRED_OP(7), 0, 0});
   expect(&s, AMD_GFX10_3,
          "buffer gfx\n"
          "packet ? 0x00000007\nunknown: opcode 0x99 with 1 dwords\n"
          "packet NUM_INSTANCES 0x00000001 0x00000002\nunknown: opcode 0x2f with 2 dwords\n"
          "packet NUM_INSTANCES 0x00000001\nunknown: bits 0x80 of the header\n"
          "packet PFP_SYNC_ME 0x00000000\n"
          "packet SET_CONTEXT_REG 0x0000000d 0x11112222 0x0000c000\n"
          "PA_SC_SCREEN_SCISSOR_BR 0x11112222\n"
          "DB_DFSM_CONTROL 0x0000c000\nunknown: bits 0x0000c000 of DB_DFSM_CONTROL\n"
          "packet SET_SH_REG 0x000003ff 0x00000003\nunknown: register 0x0bffc 0x00000003\n"
          "packet CLEAR_STATE 0x00000010\nunknown: bits 0x00000010 of COMMAND\n"
          "packet SET_PREDICATION 0x00070000 0x00000000 0x00000000\nunknown: value 7 of OP.PRED_OP\n");
   stream_destroy(&s);
}

/* A register that moved, bits that another generation has, and the end of an address. */
static void
generations(void **state)
{
   struct stream s = stream_create(1);
   const struct {
      enum amd_gen gen;
      const char *text;
   } rows[] = {
      {AMD_GFX9, "DB_STENCIL_READ_BASE 0x00000000\nDB_STENCIL_READ_BASE_HI 0xffffff80\n"},
      {AMD_GFX10_3, "DB_Z_READ_BASE 0x00000000\nDB_STENCIL_READ_BASE 0xffffff80\n"},
   };
   for (unsigned i = 0; i < 2; i++) {
      char text[300];
      emit_packet(&s, PKT3_SET_CONTEXT_REG, 3, (const uint32_t[3]){0x12, 0, 0xffffff80});
      snprintf(text, sizeof(text), "buffer gfx\npacket SET_CONTEXT_REG 0x00000012 0x00000000 0xffffff80\n%s",
               rows[i].text);
      expect(&s, rows[i].gen, text);
   }
   emit_packet(&s, PKT3_RELEASE_MEM, 7, (const uint32_t[7]){1u << 31 | V_BOTTOM_OF_PIPE_TS});
   expect(&s, AMD_GFX10_3,
          "buffer gfx\npacket RELEASE_MEM 0x80000028 0x00000000 0x00000000 0x00000000 0x00000000 "
          "0x00000000 0x00000000\nunknown: bits 0x80000000 of OP\n");
   stream_destroy(&s);
}

static void
buffers(void **state)
{
   struct stream s = stream_create(1);
   const uint32_t other = 4096, high = stream_base >> 32, loop = 2 * 4096;
   const uint32_t call[] = {PKT3(PKT3_NUM_INSTANCES, 1), 5};
   memcpy(s.memory + other, call, sizeof(call));
   emit_packet(&s, PKT3_INDIRECT_BUFFER, 3, (const uint32_t[3]){other, high, 2});
   emit_packet(&s, PKT3_INDIRECT_BUFFER, 3, (const uint32_t[3]){0x10, 0x77, 2});
   emit_packet(&s, PKT3_INDIRECT_BUFFER, 3, (const uint32_t[3]){other, high, 2 | 1 << 20});
   emit(&s, 0x12345678); /* not reached */
   expect(&s, AMD_GFX10,
          "buffer gfx\npacket INDIRECT_BUFFER 0x00001000 0x00000001 0x00000002\npacket NUM_INSTANCES 0x00000005\n"
          "packet INDIRECT_BUFFER 0x00000010 0x00000077 0x00000002\nunknown: nothing is mapped at 0x007700000010\n"
          "packet INDIRECT_BUFFER 0x00001000 0x00000001 0x00100002\npacket NUM_INSTANCES 0x00000005\n");
   emit(&s, PKT3(PKT3_NUM_INSTANCES, 2));
   emit(&s, 1);
   expect(&s, AMD_GFX10, "buffer gfx\nunknown: header 0xc0012f00, 2 dwords before the end\n");
   /* A loop ends. */
   const uint32_t chain[] = {PKT3(PKT3_INDIRECT_BUFFER, 3), loop, high, 4 | 1 << 20};
   memcpy(s.memory + loop, chain, sizeof(chain));
   emit_packet(&s, PKT3_INDIRECT_BUFFER, 3, chain + 1);
   FILE *nowhere = fopen("/dev/null", "w");
   struct amd_sim_ib ib = {sim_va(stream_base), s.count_dw, AMD_SIM_RING_GFX, false, 0};
   amd_list_buffer(nowhere, AMD_GFX10, s.vm, &ib);
   fclose(nowhere);
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(unknown), cmocka_unit_test(generations),
                                      cmocka_unit_test(buffers)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
