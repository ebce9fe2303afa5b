/* util: arena, dynarray, hash, half (against _Float16 of the compiler), bitset, list, max_tree, read_file. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "util/arena.h"
#include "util/bitset.h"
#include "util/dynarray.h"
#include "half_cases.h"
#include "util/half.h"
#include "util/hash.h"
#include "util/list.h"
#include "util/macros.h"
#include "util/max_tree.h"
#include "util/read_file.h"

static void
test_arena(void **state)
{
   struct arena arena = {0};
   char *first = arena_alloc(&arena, 3);
   memset(first, 'x', 3);
   for (unsigned i = 0; i < 1000; i++) {
      unsigned char *memory = arena_alloc(&arena, i * 7);
      assert_int_equal((uintptr_t)memory % 16, 0);
      for (unsigned j = 0; j < i * 7; j++)
         assert_int_equal(memory[j], 0);
      memset(memory, 0xff, i * 7);
   }
   assert_memory_equal(first, "xxx", 3);
   assert_string_equal(arena_printf(&arena, "%d-%s", 42, "b"), "42-b");
   unsigned capacity = 0, *numbers = NULL;
   for (unsigned i = 0; i < 100; i++) {
      numbers = arena_room(&arena, numbers, sizeof(*numbers), i, &capacity);
      assert_true(capacity > i);
      numbers[i] = i;
   }
   for (unsigned i = 0; i < 100; i++)
      assert_int_equal(numbers[i], i);
   arena_free(&arena);
   assert_null(arena.blocks);
}

static void
test_dynarray(void **state)
{
   struct dynarray array = {0};
   for (int i = 0; i < 5000; i++)
      dynarray_append(&array, int, i);
   assert_int_equal(dynarray_count(&array, int), 5000);
   int expected = 0;
   dynarray_for_each(int, it, &array)
      assert_int_equal(*it, expected++);
   assert_int_equal(dynarray_pop(&array, int), 4999);
   dynarray_free(&array);
}

static void
test_hash(void **state)
{
   static uint32_t keys[3000];
   struct hash_table table = {0};
   for (uint32_t i = 0; i < 3000; i++) {
      keys[i] = i * 2654435761u;
      assert_null(hash_find(&table, &keys[i], 4));
      hash_add(&table, &keys[i], 4, &keys[i]);
   }
   for (uint32_t i = 0; i < 3000; i++)
      assert_ptr_equal(hash_find(&table, &keys[i], 4), &keys[i]);
   hash_free(&table);
}

static void
test_half(void **state)
{
   assert_int_equal(half_check(half_from_float, half_to_float, FE_TONEAREST), 0);
}

static void
test_bitset(void **state)
{
   BITSET_DECLARE(set, 200) = {0};
   unsigned bits[] = {0, 1, 63, 64, 127, 199}, count = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
      bitset_set(set, bits[i]);
   bitset_for_each(bit, set, 200)
      assert_int_equal(bit, bits[count++]);
   assert_int_equal(count, ARRAY_SIZE(bits));
   bitset_clear(set, 63);
   assert_false(bitset_test(set, 63));
}

struct item {
   int value;
   struct list_head link;
};

static void
test_list(void **state)
{
   struct list_head list, other;
   struct item items[6];
   list_init(&list);
   list_init(&other);
   for (int i = 0; i < 6; i++) {
      items[i].value = i;
      list_add_tail(&items[i].link, i < 3 ? &list : &other);
   }
   list_append_all(&list, &other);
   assert_true(list_is_empty(&other));
   int expected = 0;
   list_for_each_safe(struct item, it, &list, link) {
      assert_int_equal(it->value, expected++);
      if (it->value % 2)
         list_remove(&it->link);
   }
   assert_int_equal(expected, 6);
   assert_int_equal(list_first(&list, struct item, link)->value, 0);
   assert_int_equal(list_last(&list, struct item, link)->value, 4);
}

/* A file of size_B bytes: whole, and refused with a limit below. */
static void
check_file(size_t size_B)
{
   char path[] = "/tmp/indium-util-XXXXXX", *written = malloc(size_B + 1);
   int fd = mkstemp(path);
   assert_true(fd >= 0 && written);
   for (size_t i = 0; i < size_B; i++)
      written[i] = (char)(i * 7 + i / 251);
   assert_int_equal(write(fd, written, size_B), size_B);
   close(fd);
   size_t read_B;
   char *bytes = read_file(path, size_B, &read_B);
   assert_non_null(bytes);
   assert_int_equal(read_B, size_B);
   assert_memory_equal(bytes, written, size_B);
   assert_int_equal(bytes[size_B], 0);
   free(bytes);
   if (size_B) {
      assert_null(read_file(path, size_B - 1, &read_B));
      assert_int_equal(errno, EFBIG);
   }
   unlink(path);
   free(written);
}

static void
test_read_file(void **state)
{
   const size_t sizes_B[] = {0, 1, 65534, 65535, 65536, 200000};
   for (unsigned i = 0; i < ARRAY_SIZE(sizes_B); i++)
      check_file(sizes_B[i]);
   size_t size_B;
   assert_null(read_file("/nowhere/at/all", SIZE_MAX, &size_B));
   assert_int_equal(errno, ENOENT);
   assert_null(read_file("/", SIZE_MAX, &size_B));
   assert_int_equal(errno, EISDIR);
}

/* Against a look at all numbers. */
static void
test_max_tree(void **state)
{
   uint32_t seed = 1;
   for (uint32_t count = 1; count < 40; count += count < 10 ? 1 : 7) {
      uint64_t *memory = calloc(max_tree_nodes(count), sizeof(*memory)), numbers[40] = {0};
      struct max_tree tree = max_tree(memory, count);
      for (unsigned round = 0; round < 500; round++) {
         uint32_t random[3];
         for (unsigned i = 0; i < 3; i++)
            random[i] = (seed = seed * 1664525 + 1013904223) >> 8;
         const uint32_t index = random[0] % count, value = random[1] % 16, wanted = 1 + random[2] % 16;
         uint32_t first = 0;
         max_tree_set(&tree, index, numbers[index] = value);
         while (first < count && numbers[first] < wanted)
            first++;
         assert_int_equal(max_tree_find(&tree, wanted), first < count ? first : MAX_TREE_NONE);
         if (round % 100 == 99) {
            max_tree_clear(&tree, count);
            memset(numbers, 0, sizeof(numbers));
            assert_int_equal(max_tree_find(&tree, 1), MAX_TREE_NONE);
         }
      }
      free(memory);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_arena),    cmocka_unit_test(test_dynarray),
                                      cmocka_unit_test(test_hash),     cmocka_unit_test(test_half),
                                      cmocka_unit_test(test_bitset),   cmocka_unit_test(test_list),
                                      cmocka_unit_test(test_max_tree), cmocka_unit_test(test_read_file)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
