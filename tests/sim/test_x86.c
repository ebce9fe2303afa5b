/* Instructions of the host, against the bytes that GNU as 2.40 makes of the same, where it takes the same form; and
 * code with a constant, a label and a jump that runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/host/code_memory.h"
#include "sim/host/x86.h"

static void
emit(struct x86 *x)
{
   x86_vector(x, X86_MULPS, 9, 12, x86_at(X86_R13, 0x400));
   x86_vector(x, X86_LOADPS, 0, 0, x86_at(X86_R13, 0x20));
   x86_vector(x, X86_STOREPS, 10, 0, x86_at(X86_R12, -8));
   x86_vector(x, X86_FMADD231PS, 8, 1, x86_reg(15));
   x86_vector_byte(x, X86_BLENDVPS, 3, 4, x86_at(X86_R13, 0x80), 15 << 4);
   x86_vector_byte(x, X86_CMPPS, 2, 3, x86_reg(11), 1);
   x86_vector_shift(x, X86_PSHIFTD, X86_SHIFT_LEFT, 5, 14, 3);
   x86_vector(x, X86_PBROADCASTB, 15, 0, x86_at(X86_R12, 0x1f8));
   x86_vector(x, X86_PMULLD, 1, 2, x86_reg(3));
   x86_vector_byte(x, X86_ROUNDPS, 2, 0, x86_reg(10), 9);
   x86_vector_byte(x, X86_CVTPS2PH, 9, 0, x86_reg(3), 3);
   x86_vector_byte(x, X86_INSERTF128, 2, 2, x86_reg(3), 1);
   x86_op(x, true, X86_LEA, X86_RBP, x86_at(X86_R13, 0x80));
   x86_op(x, false, X86_IMUL, X86_R8, x86_reg(X86_R9));
   x86_op(x, false, X86_MOVZX_BYTE, X86_RAX, x86_at(X86_R12, 0x1f8));
   x86_op_number(x, true, X86_CMP, x86_reg(X86_R14), 0x12345678);
   x86_op(x, false, X86_AND, X86_R8, x86_at(X86_R12, 0x1f8));
   x86_store_number(x, false, x86_at(X86_R15, 0x20), 7);
   x86_store_byte_number(x, x86_at(X86_R12, 0x1a8), 5);
   x86_compare_byte(x, x86_at(X86_R15, 0x30), 0);
   x86_shift(x, true, X86_SHIFT_LEFT, X86_RAX);
   x86_shift(x, false, X86_SHIFT_RIGHT_SIGNED, X86_R9);
   x86_not(x, true, X86_RCX);
   x86_set(x, X86_IF_NOT_ZERO, x86_at(X86_R15, 0x30));
   x86_load_number(x, X86_RSI, 0x123456789abcdef0);
   x86_load_number(x, X86_R9, 0x11223344);
   x86_push(x, X86_R12);
   x86_pop(x, X86_R13);
   x86_call(x, X86_R11);
   x86_jump_to(x, X86_R10);
   x86_store(x, true, x86_at(X86_RBX, 0x40), X86_RAX);
   x86_vector_end(x);
}

static const uint8_t by_as[] = {
   0xc4, 0x41, 0x1c, 0x59, 0x8d, 0x00, 0x04, 0x00, 0x00,       /* vmulps ymm9, ymm12, [r13+0x400] */
   0xc4, 0xc1, 0x7c, 0x10, 0x45, 0x20,                         /* vmovups ymm0, [r13+0x20] */
   0xc4, 0x41, 0x7c, 0x11, 0x54, 0x24, 0xf8,                   /* vmovups [r12-0x8], ymm10 */
   0xc4, 0x42, 0x75, 0xb8, 0xc7,                               /* vfmadd231ps ymm8, ymm1, ymm15 */
   0xc4, 0xc3, 0x5d, 0x4a, 0x9d, 0x80, 0x00, 0x00, 0x00, 0xf0, /* vblendvps ymm3, ymm4, [r13+0x80], ymm15 */
   0xc4, 0xc1, 0x64, 0xc2, 0xd3, 0x01,                         /* vcmpltps ymm2, ymm3, ymm11 */
   0xc4, 0xc1, 0x55, 0x72, 0xf6, 0x03,                         /* vpslld ymm5, ymm14, 3 */
   0xc4, 0x42, 0x7d, 0x78, 0xbc, 0x24, 0xf8, 0x01, 0x00, 0x00, /* vpbroadcastb ymm15, [r12+0x1f8] */
   0xc4, 0xe2, 0x6d, 0x40, 0xcb,                               /* vpmulld ymm1, ymm2, ymm3 */
   0xc4, 0xc3, 0x7d, 0x08, 0xd2, 0x09,                         /* vroundps ymm2, ymm10, 9 */
   0xc4, 0x63, 0x7d, 0x1d, 0xcb, 0x03,                         /* vcvtps2ph xmm3, ymm9, 3 */
   0xc4, 0xe3, 0x6d, 0x18, 0xd3, 0x01,                         /* vinsertf128 ymm2, ymm2, xmm3, 1 */
   0x49, 0x8d, 0xad, 0x80, 0x00, 0x00, 0x00,                   /* lea rbp, [r13+0x80] */
   0x45, 0x0f, 0xaf, 0xc1,                                     /* imul r8d, r9d */
   0x41, 0x0f, 0xb6, 0x84, 0x24, 0xf8, 0x01, 0x00, 0x00,       /* movzx eax, byte ptr [r12+0x1f8] */
   0x49, 0x81, 0xfe, 0x78, 0x56, 0x34, 0x12,                   /* cmp r14, 0x12345678 */
   0x45, 0x23, 0x84, 0x24, 0xf8, 0x01, 0x00, 0x00,             /* and r8d, [r12+0x1f8] */
   0x41, 0xc7, 0x47, 0x20, 0x07, 0x00, 0x00, 0x00,             /* mov dword ptr [r15+0x20], 7 */
   0x41, 0xc6, 0x84, 0x24, 0xa8, 0x01, 0x00, 0x00, 0x05,       /* mov byte ptr [r12+0x1a8], 5 */
   0x41, 0x80, 0x7f, 0x30, 0x00,                               /* cmp byte ptr [r15+0x30], 0 */
   0x48, 0xd3, 0xe0,                                           /* shl rax, cl */
   0x41, 0xd3, 0xf9,                                           /* sar r9d, cl */
   0x48, 0xf7, 0xd1,                                           /* not rcx */
   0x41, 0x0f, 0x95, 0x47, 0x30,                               /* setne byte ptr [r15+0x30] */
   0x48, 0xbe, 0xf0, 0xde, 0xbc, 0x9a, 0x78, 0x56, 0x34, 0x12, /* movabs rsi, 0x123456789abcdef0 */
   0x41, 0xb9, 0x44, 0x33, 0x22, 0x11,                         /* mov r9d, 0x11223344 */
   0x41, 0x54,                                                 /* push r12 */
   0x41, 0x5d,                                                 /* pop r13 */
   0x41, 0xff, 0xd3,                                           /* call r11 */
   0x41, 0xff, 0xe2,                                           /* jmp r10 */
   0x48, 0x89, 0x43, 0x40,                                     /* mov [rbx+0x40], rax */
   0xc5, 0xf8, 0x77,                                           /* vzeroupper */
};

static void
bytes(void **state)
{
   struct x86 x = {.bytes = {0}};
   emit(&x);
   assert_int_equal(x86_here(&x), sizeof(by_as));
   assert_memory_equal(x.bytes.data, by_as, sizeof(by_as));
   x86_free(&x);
}

/* words[i] += 3 eight times, for as long as the number of turns says; returns 42. */
static void
runs(void **state)
{
#ifdef __x86_64__
   uint32_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
   struct x86 x = {.bytes = {0}};
   if (!__builtin_cpu_supports("avx2"))
      skip();
   const unsigned top = x86_label(&x);
   x86_vector(&x, X86_LOADPS, 9, 0, x86_at(X86_RDI, 0));
   x86_place(&x, top);
   x86_vector(&x, X86_PADDD, 9, 9, x86_constant(&x, 3));
   x86_op_number(&x, true, X86_SUB, x86_reg(X86_RSI), 1);
   x86_jump(&x, X86_IF_NOT_ZERO, top);
   x86_vector(&x, X86_STOREPS, 9, 0, x86_at(X86_RDI, 0));
   x86_load_number(&x, X86_RAX, 42);
   x86_vector_end(&x);
   x86_return(&x);
   x86_finish(&x);
   const size_t size_B = x.bytes.size_B;
   void *memory = code_memory_create(x.bytes.data, size_B);
   int (*code)(uint32_t *words, uint64_t turns);
   x86_free(&x);
   assert_non_null(memory);
   memcpy(&code, &memory, sizeof(memory));
   assert_int_equal(code(words, 5), 42);
   for (uint32_t i = 0; i < 8; i++)
      assert_int_equal(words[i], i + 1 + 15);
   code_memory_destroy(memory, size_B);
#else
   skip();
#endif
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes),
      cmocka_unit_test(runs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
