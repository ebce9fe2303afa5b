/* Chunks, uploads and code heaps over buffers of a winsys that is nobody's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallium/auxiliary/aux_code.h"
#include "gallium/auxiliary/aux_upload.h"
#include "util/macros.h"

#define FIRST_VA UINT64_C(0x7000000000)

/* ---- the winsys ---- */

static struct {
   uint64_t next_va, last_size_B;
   unsigned left, alive;
} gpu;

static bool
create(const struct ws_buffer_source *source, uint64_t size_B, struct ws_buffer *buffer)
{
   if (!gpu.left)
      return false;
   gpu.left--;
   gpu.alive++;
   gpu.last_size_B = size_B;
   *buffer = (struct ws_buffer){.bo = &gpu, .va = gpu.next_va, .size_B = size_B, .map = calloc(1, size_B)};
   assert_non_null(buffer->map);
   gpu.next_va += size_B + source->alignment_B;
   return true;
}

static void
destroy(struct ws_buffer *buffer)
{
   assert_ptr_equal(buffer->bo, &gpu);
   gpu.alive--;
   free(buffer->map);
}

static struct ws_buffer_source
start(unsigned buffers)
{
   gpu.next_va = FIRST_VA;
   gpu.left = buffers;
   gpu.alive = 0;
   return (struct ws_buffer_source){.create = create, .destroy = destroy, .ws = &gpu, .alignment_B = 4096};
}

/* ---- chunks ---- */

static int
by_va(const void *a, const void *b)
{
   const struct aux_chunk *const *x = a, *const *y = b;

   return ((*x)->va > (*y)->va) - ((*x)->va < (*y)->va);
}

/* They do not overlap, blocks grow to 16 MiB, and what is put back comes again before anything new. */
static void
test_chunks(void **state)
{
   struct aux_chunk *chunks[600];
   struct aux_chunk_pool pool;

   aux_chunk_pool_init(&pool, start(UINT32_MAX));
   for (unsigned i = 0; i < ARRAY_SIZE(chunks); i++) {
      chunks[i] = aux_chunk_get(&pool);
      assert_non_null(chunks[i]);
      assert_null(chunks[i]->next);
      assert_int_equal(chunks[i]->used_B, 0);
      memset(chunks[i]->map, (int)(i % 251), AUX_CHUNK_B);
      chunks[i]->used_B = 1;
   }
   /* 4 + 4 + 8 + 16 + 32 + 64 + 128 * 4 */
   assert_int_equal(gpu.alive, 10);
   assert_int_equal(gpu.last_size_B, 16 << 20);
   for (unsigned i = 0; i < ARRAY_SIZE(chunks); i++) {
      for (unsigned j = 0; j < AUX_CHUNK_B; j += 4095)
         assert_int_equal((uint8_t)chunks[i]->map[j], i % 251);
   }
   struct aux_chunk *first = chunks[0];
   qsort(chunks, ARRAY_SIZE(chunks), sizeof(chunks[0]), by_va);
   for (unsigned i = 1; i < ARRAY_SIZE(chunks); i++)
      assert_true(chunks[i]->va >= chunks[i - 1]->va + AUX_CHUNK_B);
   gpu.left = 0;
   while (aux_chunk_get(&pool))
      ;
   aux_chunk_put(&pool, first);
   assert_ptr_equal(aux_chunk_get(&pool), first);
   assert_int_equal(first->used_B, 0);
   assert_null(aux_chunk_get(&pool));
   aux_chunk_pool_finish(&pool);
   assert_int_equal(gpu.alive, 0);
}

static void
test_upload(void **state)
{
   struct aux_chunk_pool pool;
   struct aux_upload upload = {.pool = &pool};
   bool failed = false;
   uint64_t va, before;

   aux_chunk_pool_init(&pool, start(1));
   assert_true(aux_upload_start(&upload));
   char *first = aux_upload_alloc(&upload, 3, 1, &before, &failed);
   char *second = aux_upload_alloc(&upload, 64, 64, &va, &failed);
   assert_int_equal(va, before + 64);
   assert_ptr_equal(second, first + 64);
   /* The block has four chunks: the fifth is not there, and what is written then goes somewhere. */
   for (unsigned i = 1; i < 4; i++) {
      assert_non_null(aux_upload_alloc(&upload, AUX_CHUNK_B, 4, &va, &failed));
      assert_false(failed);
      assert_int_equal(va % AUX_CHUNK_B, before % AUX_CHUNK_B);
   }
   char *spare = aux_upload_alloc(&upload, AUX_CHUNK_B, 4, &va, &failed);
   assert_true(failed);
   memset(spare, 1, AUX_CHUNK_B);
   aux_upload_reset(&upload);
   assert_true(aux_upload_start(&upload));
   aux_upload_reset(&upload);
   aux_chunk_pool_finish(&pool);
   assert_int_equal(gpu.alive, 0);
}

/* ---- code ---- */

#define PADDING 0xbf9f0000u

static void
check_padding(const char *from, const char *to)
{
   for (uint32_t word; from < to; from += 4) {
      memcpy(&word, from, 4);
      assert_int_equal(word, PADDING);
   }
}

static void
test_code(void **state)
{
   const struct aux_code_rules rules = {
      .alignment_B = 256, .tail_B = 256, .padding = PADDING, .base_va = FIRST_VA - 0x1000};
   static const uint32_t words[100] = {1, 2, 3, 4};
   struct aux_code_heap heap;

   aux_code_heap_init(&heap, start(3), &rules);
   struct aux_code a = aux_code_upload(&heap, words, sizeof(words));
   assert_non_null(a.block);
   assert_int_equal(a.base_offset_B, 0x1000);
   assert_memory_equal(a.map, words, sizeof(words));
   check_padding(a.map + sizeof(words), a.map + 512 + 256);
   /* The next program begins in the tail and has one of its own. */
   struct aux_code b = aux_code_upload(&heap, words, 256);
   assert_int_equal(b.va, a.va + 512);
   assert_ptr_equal(b.map, a.map + 512);
   assert_memory_equal(b.map, words, 256);
   check_padding(b.map + 256, b.map + 512);
   /* One that fits into no block gets its own; the tail fits as well. */
   struct aux_code c = aux_code_alloc(&heap, 1 << 20);
   assert_ptr_not_equal(c.block, a.block);
   assert_int_equal(gpu.last_size_B, (1 << 20) + 256);
   assert_int_equal(gpu.alive, 2);
   /* The block of a and b goes with the last of them; c's is the one being filled. */
   aux_code_free(&heap, a);
   assert_int_equal(gpu.alive, 2);
   aux_code_free(&heap, b);
   assert_int_equal(gpu.alive, 1);
   aux_code_free(&heap, c);
   assert_int_equal(gpu.alive, 1);
   struct aux_code d = aux_code_upload(&heap, words, 256);
   assert_int_equal(d.va, c.va);
   /* Instructions of some hardware have odd numbers of halves: what follows the last is padding, too. */
   struct aux_code e = aux_code_alloc(&heap, 258);
   memset(e.map, 7, 258);
   assert_int_equal(e.va, d.va + 256);
   check_padding(e.map + 260, e.map + 512 + 256);
   aux_code_free(&heap, (struct aux_code){0});
   gpu.left = 0;
   assert_null(aux_code_alloc(&heap, 4 << 20).block);
   aux_code_heap_finish(&heap);
   assert_int_equal(gpu.alive, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chunks),
      cmocka_unit_test(test_upload),
      cmocka_unit_test(test_code),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
