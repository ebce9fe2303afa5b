#include "util/disk_cache_entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/dynarray.h"
#include "util/within_memory.h"

struct file {
   struct timespec used;
   uint64_t taken_B;
   char name[64];
};

struct shrink {
   int folder;
   uint64_t max_B, sum_B;
   struct dynarray files;
};

static int
compare(const void *a, const void *b)
{
   const struct file *x = a, *y = b;
   if (x->used.tv_sec != y->used.tv_sec)
      return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
   if (x->used.tv_nsec != y->used.tv_nsec)
      return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
   return strcmp(x->name, y->name);
}

/* Whatever else somebody may have put there stays. */
static bool
is_ours(const char *name)
{
   const char *digits = "0123456789abcdef";
   return !strncmp(name, DISK_CACHE_ASIDE, strlen(DISK_CACHE_ASIDE)) ||
          (strlen(name) == 30 && strspn(name, digits) == 30);
}

static void
close_folder(void *folder)
{
   closedir(folder);
}

static void
count_folder(struct shrink *s, const char *name)
{
   int fd = openat(s->folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
   DIR *folder = fd < 0 ? NULL : fdopendir(fd);
   struct owned owned;
   if (!folder) {
      if (fd >= 0)
         close(fd);
      return;
   }
   own(&owned, close_folder, folder);
   for (const struct dirent *it; (it = readdir(folder));) {
      struct stat status;
      if (!is_ours(it->d_name) || fstatat(fd, it->d_name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
         continue;
      struct file *file = dynarray_grow(&s->files, sizeof(*file));
      *file = (struct file){status.st_mtim, disk_cache_taken_B((uint64_t)status.st_size), ""};
      snprintf(file->name, sizeof(file->name), "%.2s/%.32s", name, it->d_name);
      s->sum_B += file->taken_B;
   }
   disown(&owned);
}

static void
count(void *data)
{
   struct shrink *s = data;
   for (unsigned i = 0; i < 256; i++) {
      char name[3];
      snprintf(name, sizeof(name), "%02x", i);
      count_folder(s, name);
   }
}

uint64_t
disk_cache_shrink(int folder, uint64_t max_B)
{
   struct shrink s = {.folder = folder, .max_B = max_B};
   if (within_memory(count, &s) && s.files.size_B && s.sum_B > max_B) {
      qsort(s.files.data, dynarray_count(&s.files, struct file), sizeof(struct file), compare);
      dynarray_for_each(struct file, file, &s.files) {
         if (s.sum_B <= max_B - max_B / 8)
            break;
         unlinkat(folder, file->name, 0);
         s.sum_B -= file->taken_B;
      }
   }
   dynarray_free(&s.files);
   return s.sum_B;
}
