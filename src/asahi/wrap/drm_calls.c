/* Which ioctls there are, and what is done about each. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/chips.h"
#include "asahi/wrap/drm_private.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/peek.h"
#include "util/within_memory.h"

#define MAX_ARGUMENT_B 64

struct call {
   const char *name;
   size_t arg_B; /* of what done looks at */
   void (*done)(struct agx_drm_file *file, int fd, void *arg);
   /* Instead: makes the ioctl itself. */
   int (*make)(struct agx_drm_file *file, int fd, unsigned long request, void *arg);
};

static void
say_params(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_get_params *args = arg;
   (void)fd;
   agx_wrap_say(file->wrap, "GET_PARAMS group %u, %" PRIu64 " bytes", args->param_group, (uint64_t)args->size);
}

static void
say_time(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_get_time *args = arg;
   (void)fd;
   agx_wrap_say(file->wrap, "GET_TIME: %" PRIu64, (uint64_t)args->gpu_timestamp);
}

static void
say_mmap_offset(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_gem_mmap_offset *args = arg;
   (void)fd;
   agx_wrap_say(file->wrap, "GEM_MMAP_OFFSET handle %u: 0x%" PRIx64, args->handle, (uint64_t)args->offset);
}

static void
say_bind_object(struct agx_drm_file *file, int fd, void *arg)
{
   const struct drm_asahi_gem_bind_object *args = arg;
   (void)fd;
   if (args->op == DRM_ASAHI_BIND_OBJECT_OP_BIND)
      agx_wrap_say(file->wrap, "GEM_BIND_OBJECT handle %u, 0x%" PRIx64 " bytes at 0x%" PRIx64 ": object %u",
                   args->handle, (uint64_t)args->range, (uint64_t)args->offset, args->object_handle);
   else
      agx_wrap_say(file->wrap, "GEM_BIND_OBJECT unbinds object %u", args->object_handle);
}

/* The row of an ioctl of its own: struct drm_asahi_TYPE. */
#define ASAHI(name, type, done, make) \
   [DRM_COMMAND_BASE + DRM_ASAHI_##name] = {#name, sizeof(struct drm_asahi_##type), done, make}
static const struct call calls[] = {
   [_IOC_NR(DRM_IOCTL_GEM_CLOSE)] = {"GEM_CLOSE", sizeof(struct drm_gem_close), agx_drm_gem_closed, NULL},
   [_IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE)] = {"PRIME_FD_TO_HANDLE", sizeof(struct drm_prime_handle),
                                              agx_drm_prime_imported, NULL},
   ASAHI(GET_PARAMS, get_params, say_params, NULL),
   ASAHI(GET_TIME, get_time, say_time, NULL),
   ASAHI(VM_CREATE, vm_create, agx_drm_vm_created, NULL),
   ASAHI(VM_DESTROY, vm_destroy, agx_drm_vm_destroyed, NULL),
   ASAHI(VM_BIND, vm_bind, agx_drm_vm_bound, NULL),
   ASAHI(GEM_CREATE, gem_create, agx_drm_gem_created, NULL),
   ASAHI(GEM_MMAP_OFFSET, gem_mmap_offset, say_mmap_offset, NULL),
   ASAHI(GEM_BIND_OBJECT, gem_bind_object, say_bind_object, NULL),
   ASAHI(QUEUE_CREATE, queue_create, agx_drm_queue_created, NULL),
   ASAHI(QUEUE_DESTROY, queue_destroy, agx_drm_queue_destroyed, NULL),
   ASAHI(SUBMIT, submit, NULL, agx_drm_submit),
};
#undef ASAHI

static const struct call *
call_of(unsigned long request)
{
   unsigned nr = _IOC_NR(request);
   return nr < ARRAY_SIZE(calls) && calls[nr].name ? &calls[nr] : NULL;
}

bool
agx_drm_is_traced(unsigned long request)
{
   return call_of(request);
}

int
agx_drm_ioctl(struct agx_drm_file *file, int fd, unsigned long request, void *arg)
{
   const struct call *call = call_of(request);
   if (!call)
      return file->kernel->ioctl(fd, request, arg);
   if (call->make)
      return call->make(file, fd, request, arg);
   int result = file->kernel->ioctl(fd, request, arg), error = errno;
   char copy[MAX_ARGUMENT_B] = {0};
   if (result)
      agx_wrap_say(file->wrap, "%s: %s", call->name, strerror(error));
   else if (peek_memory(arg, copy, MIN2(_IOC_SIZE(request), call->arg_B)))
      call->done(file, fd, copy);
   else
      agx_wrap_report(file->wrap, "%s: its argument cannot be read", call->name);
   errno = error;
   return result;
}

bool
agx_drm_is_asahi(const struct agx_drm_kernel *kernel, int fd)
{
   char name[8] = "";
   struct drm_version version = {.name = name, .name_len = sizeof(name) - 1};
   return !kernel->ioctl(fd, DRM_IOCTL_VERSION, &version) && version.name_len == strlen("asahi") &&
          !strcmp(name, "asahi");
}

bool
agx_drm_identify(const struct agx_drm_kernel *kernel, int fd, struct agx_wrap_settings *settings, char chip[16])
{
   struct drm_asahi_params_global params = {0};
   struct drm_asahi_get_params args = {.pointer = (uintptr_t)&params, .size = sizeof(params)};
   settings->chip = chip;
   if (kernel->ioctl(fd, DRM_IOCTL_ASAHI_GET_PARAMS, &args)) {
      log_error("wrap: the GPU does not tell what it is: %s", strerror(errno));
      return false;
   }
   for (unsigned i = 0; i < agx_chip_count; i++) {
      if (agx_chips[i].chip_id != params.chip_id || agx_chips[i].num_clusters != params.num_clusters_total)
         continue;
      settings->gen = agx_chips[i].gen;
      snprintf(chip, 16, "%s", agx_chips[i].name);
      return true;
   }
   snprintf(chip, 16, "g%u%c", params.gpu_generation % 1000, (char)(params.gpu_variant | 0x20));
   if (agx_gen_find(params.gpu_generation, params.num_clusters_total, &settings->gen))
      return true;
   log_error("wrap: there are no tables of this GPU, a %s of chip 0x%x: it is not traced", chip, params.chip_id);
   return false;
}

struct agx_drm_file *
agx_drm_file_open(const struct agx_drm_kernel *kernel, struct agx_tracer *wrap)
{
   struct agx_drm_file *file = need_calloc("the tracer", 1, sizeof(*file));
   file->kernel = kernel;
   file->wrap = wrap;
   return file;
}

void
agx_drm_file_close(struct agx_drm_file *file)
{
   dynarray_for_each(struct agx_wrap_id, id, &file->queues.array)
      free(id->object);
   dynarray_for_each(struct agx_wrap_id, id, &file->vms.array)
      agx_wrap_space_remove(id->object);
   dynarray_for_each(struct agx_wrap_id, id, &file->bos.array)
      agx_drm_bo_free(id->object);
   dynarray_free(&file->queues.array);
   dynarray_free(&file->vms.array);
   dynarray_free(&file->bos.array);
   free(file);
}
