/* Buffers need no descriptors: with 64 of them, thousands are made, mapped and exported, and the program has its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#include "null_vendor.h"

#define LIMIT 64
#define PAGE_B 4096
#define PAGES 5 /* of a buffer */
#define PAGE_WORDS (PAGE_B / 4)

static int drm;

static struct null_create
create(void)
{
   struct null_create args = {.size_B = PAGES * PAGE_B};
   assert_int_equal(drmCommandWriteRead(drm, NULL_CREATE, &args, sizeof(args)), 0);
   return args;
}

static uint32_t *
map(const struct null_create *buffer, unsigned page, unsigned count, int protection)
{
   uint32_t *words =
      mmap(NULL, count * PAGE_B, protection, MAP_SHARED, drm, (off_t)(buffer->offset_B + (uint64_t)page * PAGE_B));
   assert_ptr_not_equal(words, MAP_FAILED);
   return words;
}

static void
write_once(const struct null_create *buffer, unsigned page, uint32_t value)
{
   uint32_t *words = map(buffer, page, 1, PROT_READ | PROT_WRITE);
   *words = value;
   assert_int_equal(munmap(words, PAGE_B), 0);
}

static uint32_t
read_once(const struct null_create *buffer, unsigned page)
{
   uint32_t *words = map(buffer, 0, PAGES, PROT_READ), value = words[page * PAGE_WORDS];
   assert_int_equal(munmap(words, PAGES * PAGE_B), 0);
   return value;
}

/* Opens all that is left; the number of it. */
static unsigned
fill(int *fds)
{
   unsigned count = 0;
   for (int fd; (fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0; count++)
      fds[count] = fd;
   assert_int_equal(errno, EMFILE);
   return count;
}

static int
setup(void **state)
{
   drm = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   return drm < 0;
}

static void
test_full_table(void **state)
{
   int fds[LIMIT];
   struct null_create buffers[300];
   for (unsigned i = 0; i < 200; i++)
      buffers[i] = create();
   const unsigned count = fill(fds);
   assert_true(count >= LIMIT / 2);
   for (unsigned i = 200; i < 300; i++)
      buffers[i] = create();
   for (unsigned i = 0; i < 300; i++)
      write_once(&buffers[i], i % PAGES, i + 1);
   for (unsigned i = 0; i < 300; i++)
      assert_int_equal(read_once(&buffers[i], i % PAGES), i + 1);
   int exported;
   assert_int_equal(drmPrimeHandleToFD(drm, buffers[299].handle, DRM_CLOEXEC, &exported), -1);
   assert_int_equal(errno, EMFILE);
   for (unsigned i = 0; i < count; i++)
      close(fds[i]);
   for (unsigned i = 0; i < 300; i++)
      assert_int_equal(drmCloseBufferHandle(drm, buffers[i].handle), 0);
}

static void
test_places(void **state)
{
   struct null_create buffer;
   for (unsigned i = 0; i < LIMIT; i++)
      buffer = create(); /* the last has no descriptor */
   char *place = mmap(NULL, 4 * PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   char *there = mmap(place + PAGE_B, 5000, PROT_READ, MAP_SHARED | MAP_FIXED, drm,
                      (off_t)(buffer.offset_B + UINT64_C(3) * PAGE_B));
   assert_ptr_equal(there, place + PAGE_B);
   assert_ptr_equal(
      mmap(place + PAGE_B, PAGE_B, PROT_READ, MAP_SHARED | MAP_FIXED_NOREPLACE, drm, (off_t)buffer.offset_B),
      MAP_FAILED);
   assert_int_equal(errno, EEXIST);
   assert_ptr_equal(mmap(NULL, PAGE_B, PROT_READ, MAP_PRIVATE, drm, (off_t)buffer.offset_B), MAP_FAILED);
   assert_int_equal(errno, EINVAL);
   assert_ptr_equal(mmap(NULL, (PAGES + 1) * PAGE_B, PROT_READ, MAP_SHARED, drm, (off_t)buffer.offset_B), MAP_FAILED);
   uint32_t *words = map(&buffer, 0, PAGES, PROT_READ | PROT_WRITE);
   words[4 * PAGE_WORDS] = 77;
   assert_int_equal(*(uint32_t *)(there + PAGE_B), 77);
   munmap(place, 4 * PAGE_B);
   munmap(words, PAGES * PAGE_B);
}

/* Buffers, their contents, and views of them: by the node, by a file that was exported, or by a second open of the
 * node that has imported it. Whatever order they come in, all see what any writes. */
#define BUFFERS 40
#define VIEWS 60

struct view {
   uint32_t *words; /* NULL: none */
   unsigned buffer, page, pages;
   bool writable;
};

struct model {
   uint64_t state;
   int second; /* another open of the node */
   struct null_create buffers[BUFFERS];
   int exported[BUFFERS];          /* -1: not now */
   uint32_t words[BUFFERS][PAGES]; /* the first of each page */
   struct view views[VIEWS];
   unsigned done[5];
};

static uint32_t
draw(struct model *model, uint32_t limit)
{
   model->state = model->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(model->state >> 33) % limit;
}

static void
drop_view(struct view *view)
{
   if (view->words)
      assert_int_equal(munmap(view->words, view->pages * PAGE_B), 0);
   view->words = NULL;
}

static void
new_view(struct model *model)
{
   struct view *view = &model->views[draw(model, VIEWS)];
   drop_view(view);
   *view = (struct view){.buffer = draw(model, BUFFERS), .page = draw(model, PAGES), .writable = draw(model, 3)};
   view->pages = 1 + draw(model, PAGES - view->page);
   const int exported = model->exported[view->buffer];
   const bool by_file = exported >= 0 && draw(model, 2);
   const uint64_t start_B = (uint64_t)view->page * PAGE_B;
   view->words =
      mmap(NULL, view->pages * PAGE_B, PROT_READ | (view->writable ? PROT_WRITE : 0), MAP_SHARED,
           by_file ? exported : drm, (off_t)(by_file ? start_B : model->buffers[view->buffer].offset_B + start_B));
   assert_ptr_not_equal(view->words, MAP_FAILED);
   model->done[by_file]++;
}

static void
write_word(struct model *model)
{
   const struct view *view = &model->views[draw(model, VIEWS)];
   const unsigned page = view->words ? draw(model, view->pages) : 0;
   if (!view->words || !view->writable)
      return;
   view->words[page * PAGE_WORDS] = model->words[view->buffer][view->page + page] = draw(model, UINT32_MAX);
   model->done[2]++;
}

/* A file is the same inode each time, and imports as the buffer. */
static void
export_or_close(struct model *model)
{
   const unsigned i = draw(model, BUFFERS);
   struct stat first, again;
   uint32_t handle;
   int fd;
   if (model->exported[i] >= 0) {
      assert_int_equal(close(model->exported[i]), 0);
      model->exported[i] = -1;
      return;
   }
   if (drmPrimeHandleToFD(drm, model->buffers[i].handle, DRM_CLOEXEC | DRM_RDWR, &model->exported[i])) {
      assert_int_equal(errno, EMFILE); /* the program and the exported buffers have all descriptors */
      model->exported[i] = -1;
      return;
   }
   assert_int_equal(lseek(model->exported[i], 0, SEEK_END), PAGES * PAGE_B);
   if (drmPrimeHandleToFD(drm, model->buffers[i].handle, DRM_CLOEXEC, &fd)) {
      assert_int_equal(errno, EMFILE);
      return;
   }
   assert_int_equal(fstat(model->exported[i], &first), 0);
   assert_int_equal(fstat(fd, &again), 0);
   assert_int_equal(first.st_ino, again.st_ino);
   assert_int_equal(drmPrimeFDToHandle(drm, fd, &handle), 0);
   assert_int_equal(handle, model->buffers[i].handle);
   assert_int_equal(drmPrimeFDToHandle(model->second, fd, &handle), 0);
   assert_int_equal(drmCloseBufferHandle(model->second, handle), 0);
   close(fd);
   model->done[3]++;
}

static void
replace_buffer(struct model *model)
{
   const unsigned i = draw(model, BUFFERS);
   for (unsigned k = 0; k < VIEWS; k++)
      if (model->views[k].buffer == i)
         drop_view(&model->views[k]);
   if (model->exported[i] >= 0)
      close(model->exported[i]);
   model->exported[i] = -1;
   assert_int_equal(drmCloseBufferHandle(drm, model->buffers[i].handle), 0);
   model->buffers[i] = create();
   memset(model->words[i], 0, sizeof(model->words[i]));
   model->done[4]++;
}

static void
look(const struct model *model)
{
   for (unsigned i = 0; i < VIEWS; i++) {
      const struct view *view = &model->views[i];
      for (unsigned page = 0; view->words && page < view->pages; page++)
         assert_int_equal(view->words[page * PAGE_WORDS], model->words[view->buffer][view->page + page]);
   }
}

static void
test_random(void **state)
{
   unsigned done[5] = {0};
   for (uint64_t seed = 1; seed <= 8; seed++) {
      struct model model = {.state = seed, .second = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)};
      for (unsigned i = 0; i < BUFFERS; i++) {
         model.buffers[i] = create();
         model.exported[i] = -1;
      }
      for (unsigned step = 0; step < 300; step++) {
         const uint32_t kind = draw(&model, 16);
         if (kind < 6)
            new_view(&model);
         else if (kind < 13)
            write_word(&model);
         else if (kind < 15)
            export_or_close(&model);
         else
            replace_buffer(&model);
         look(&model);
      }
      for (unsigned i = 0; i < VIEWS; i++)
         drop_view(&model.views[i]);
      for (unsigned i = 0; i < BUFFERS; i++) {
         if (model.exported[i] >= 0)
            close(model.exported[i]);
         assert_int_equal(drmCloseBufferHandle(drm, model.buffers[i].handle), 0);
      }
      close(model.second);
      for (unsigned i = 0; i < 5; i++)
         done[i] += model.done[i];
   }
   for (unsigned i = 0; i < 5; i++)
      assert_true(done[i] > 30);
}

/* What mmap(2) says of flags, whether the buffer has a file or not: as of any device's file. */
static void
test_flags(void **state)
{
   static const struct {
      int protection, flags, error; /* 0: none */
   } rows[] = {
      {PROT_READ, 0, EINVAL},
      {PROT_READ, MAP_PRIVATE, EINVAL},
      {PROT_READ, 0xf, EINVAL},
      {PROT_READ, MAP_SHARED_VALIDATE, 0},
      {PROT_READ, MAP_SHARED_VALIDATE | MAP_POPULATE | MAP_LOCKED, 0},
      {PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, EOPNOTSUPP},
      {PROT_READ, MAP_SHARED_VALIDATE | 1 << 22, EOPNOTSUPP},
      {PROT_READ, MAP_SHARED | MAP_SYNC, 0},
      {PROT_READ, MAP_SHARED | MAP_HUGETLB, EINVAL},
      {PROT_READ, MAP_SHARED | MAP_GROWSDOWN, EINVAL},
      {PROT_READ | 0x100, MAP_SHARED, 0},
   };
   struct null_create buffers[LIMIT];
   for (unsigned i = 0; i < LIMIT; i++)
      buffers[i] = create(); /* the last has no descriptor */
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (unsigned last = 0; last < 2; last++) {
         errno = 0;
         void *view =
            mmap(NULL, PAGE_B, rows[i].protection, rows[i].flags, drm, (off_t)buffers[last * (LIMIT - 1)].offset_B);
         assert_int_equal(view == MAP_FAILED ? errno : 0, rows[i].error);
         if (view != MAP_FAILED)
            munmap(view, PAGE_B);
      }
   }
   /* Who may not write does not, and a buffer is a buffer of its open. */
   int reader = open("/dev/dri/renderD128", O_RDONLY | O_CLOEXEC);
   struct null_create own = {.size_B = PAGE_B};
   assert_int_equal(drmCommandWriteRead(reader, NULL_CREATE, &own, sizeof(own)), 0);
   assert_ptr_equal(mmap(NULL, PAGE_B, PROT_READ | PROT_WRITE, MAP_SHARED, reader, (off_t)own.offset_B), MAP_FAILED);
   assert_int_equal(errno, EACCES);
   void *view = mmap(NULL, PAGE_B, PROT_READ, MAP_SHARED, reader, (off_t)own.offset_B);
   assert_ptr_not_equal(view, MAP_FAILED);
   munmap(view, PAGE_B);
   close(reader);
   for (unsigned i = 0; i < LIMIT; i++)
      assert_int_equal(drmCloseBufferHandle(drm, buffers[i].handle), 0);
}

/* The export of a large buffer gives no memory to what nobody has touched. */
static void
test_untouched(void **state)
{
   enum { MIDDLE_B = 512 << 20 };
   struct null_create buffers[LIMIT], large = {.size_B = UINT64_C(2) * MIDDLE_B};
   struct rusage before, after;
   uint32_t words[3] = {1, 1, 1};
   int file;
   for (unsigned i = 0; i < LIMIT; i++)
      buffers[i] = create();
   assert_int_equal(drmCommandWriteRead(drm, NULL_CREATE, &large, sizeof(large)), 0);
   write_once(&large, 0, 11);
   write_once(&large, MIDDLE_B / PAGE_B, 12);
   getrusage(RUSAGE_SELF, &before);
   assert_int_equal(drmPrimeHandleToFD(drm, large.handle, O_CLOEXEC, &file), 0);
   getrusage(RUSAGE_SELF, &after);
   assert_true(after.ru_maxrss - before.ru_maxrss < 16 << 10); /* KiB */
   assert_int_equal(pread(file, &words[0], 4, 0), 4);
   assert_int_equal(pread(file, &words[1], 4, MIDDLE_B), 4);
   assert_int_equal(pread(file, &words[2], 4, MIDDLE_B - PAGE_B), 4);
   assert_int_equal(words[0], 11);
   assert_int_equal(words[1], 12);
   assert_int_equal(words[2], 0);
   close(file);
   assert_int_equal(drmCloseBufferHandle(drm, large.handle), 0);
   for (unsigned i = 0; i < LIMIT; i++)
      assert_int_equal(drmCloseBufferHandle(drm, buffers[i].handle), 0);
}

/* What a thread of test_unmapped() takes its place from, and puts something of its own there. */
struct taken {
   pthread_barrier_t barrier;
   uint32_t *views[400];
};

static void *
take_places(void *data)
{
   struct taken *taken = data;
   pthread_barrier_wait(&taken->barrier);
   for (unsigned i = 0; i < 400; i++) {
      assert_int_equal(munmap(taken->views[i], PAGE_B), 0);
      uint32_t *own = mmap(taken->views[i], PAGE_B, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      taken->views[i] = own == MAP_FAILED ? NULL : own; /* somebody else took it */
      if (taken->views[i])
         *own = i + 1;
   }
   return NULL;
}

/* An export while another thread unmaps views leaves what that maps in their places. */
static void
test_unmapped(void **state)
{
   for (unsigned round = 0; round < 40; round++) {
      struct taken taken;
      pthread_t thread;
      int file;
      const struct null_create buffer = create();
      for (unsigned i = 0; i < 400; i++)
         *(taken.views[i] = map(&buffer, 0, 1, PROT_READ | PROT_WRITE)) = 1000;
      pthread_barrier_init(&taken.barrier, NULL, 2);
      assert_int_equal(pthread_create(&thread, NULL, take_places, &taken), 0);
      pthread_barrier_wait(&taken.barrier);
      assert_int_equal(drmPrimeHandleToFD(drm, buffer.handle, O_CLOEXEC, &file), 0);
      pthread_join(thread, NULL);
      pthread_barrier_destroy(&taken.barrier);
      for (unsigned i = 0; i < 400; i++) {
         if (!taken.views[i])
            continue;
         assert_int_equal(*taken.views[i], i + 1);
         munmap(taken.views[i], PAGE_B);
      }
      assert_int_equal(read_once(&buffer, 0), 1000);
      assert_int_not_equal(ftruncate(file, 0), 0);
      close(file);
      assert_int_equal(drmCloseBufferHandle(drm, buffer.handle), 0);
   }
}

int
main(void)
{
   const struct rlimit limit = {LIMIT, LIMIT};
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flags),  cmocka_unit_test(test_full_table), cmocka_unit_test(test_untouched),
      cmocka_unit_test(test_places), cmocka_unit_test(test_random),     cmocka_unit_test(test_unmapped),
   };
   return setrlimit(RLIMIT_NOFILE, &limit) ? 1 : cmocka_run_group_tests(tests, setup, NULL);
}
