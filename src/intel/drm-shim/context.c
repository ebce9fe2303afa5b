/* Contexts: an address space, the engines that submits name, and switches that are kept for who asks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drm-shim/shim.h"
#include "drm-shim/user_memory.h"
#include "intel/drm-shim/intel_shim.h"
#include "util/macros.h"

#define MAX_EXTENSIONS 32
#define SWITCH(param) (UINT64_C(1) << (param))
#define DEFAULT_SWITCHES                                                                                             \
   (SWITCH(I915_CONTEXT_PARAM_BANNABLE) | SWITCH(I915_CONTEXT_PARAM_RECOVERABLE) |                                   \
    SWITCH(I915_CONTEXT_PARAM_PERSISTENCE))

struct intel_context *
intel_context_new(void)
{
   struct intel_context *context = shim_alloc(sizeof(*context));
   context->number = ++intel_device.contexts;
   context->vm = shim_alloc(sizeof(*context->vm));
   context->vm->refs = 1;
   context->flags = DEFAULT_SWITCHES;
   return context;
}

void
intel_context_free(struct intel_context *context)
{
   intel_vm_unref(context->vm);
   free(context);
}

struct intel_context *
intel_context_get(struct shim_file *file, uint32_t id)
{
   return id ? shim_handles_get(&intel_file(file)->contexts, id) : intel_file(file)->first;
}

/* An index that the program sends stands for one of these. */
static int
set_engines(struct intel_context *context, const struct drm_i915_gem_context_param *param)
{
   struct i915_engine_class_instance engines[I915_MAX_ENGINES];
   uint64_t extensions;
   if (!param->size)
      return context->has_engines = false, 0;
   uint32_t list_B = param->size - (uint32_t)sizeof(extensions);
   if (param->size < sizeof(extensions) || list_B % sizeof(engines[0]) || list_B > sizeof(engines))
      return -EINVAL;
   if (user_read(&extensions, param->value, sizeof(extensions)) ||
       user_read(engines, param->value + sizeof(extensions), list_B))
      return -EFAULT;
   if (extensions)
      return intel_unknown("an extension of I915_CONTEXT_PARAM_ENGINES at", extensions);
   unsigned count = list_B / sizeof(engines[0]);
   for (unsigned i = 0; i < count; i++) {
      if (engines[i].engine_class > I915_ENGINE_CLASS_VIDEO_ENHANCE || engines[i].engine_instance)
         return -ENOENT;
      context->engines[i] = engines[i].engine_class;
   }
   context->engine_count = count;
   context->has_engines = true;
   return 0;
}

static int
set_vm(struct shim_file *file, struct intel_context *context, uint64_t id)
{
   struct intel_vm *vm = id <= UINT32_MAX ? shim_handles_get(&intel_file(file)->vms, (uint32_t)id) : NULL;
   if (!vm)
      return -ENOENT;
   vm->refs++;
   intel_vm_unref(context->vm);
   context->vm = vm;
   return 0;
}

static int
set_param(struct shim_file *file, struct intel_context *context, const struct drm_i915_gem_context_param *param)
{
   switch (param->param) {
   case I915_CONTEXT_PARAM_PRIORITY:
      context->priority = (int64_t)param->value;
      if (context->priority > I915_CONTEXT_DEFAULT_PRIORITY) /* of who has more rights than a render client */
         return -EPERM;
      return context->priority < I915_CONTEXT_MIN_USER_PRIORITY ? -EINVAL : 0;
   case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
   case I915_CONTEXT_PARAM_BANNABLE:
   case I915_CONTEXT_PARAM_RECOVERABLE:
   case I915_CONTEXT_PARAM_PERSISTENCE:
      context->flags &= ~SWITCH(param->param);
      context->flags |= param->value ? SWITCH(param->param) : 0;
      return 0;
   case I915_CONTEXT_PARAM_ENGINES:
      return set_engines(context, param);
   case I915_CONTEXT_PARAM_VM:
      return set_vm(file, context, param->value);
   case I915_CONTEXT_PARAM_PROTECTED_CONTENT: /* needs PXP, which these chips have not */
      return param->value ? -ENODEV : 0;
   default: /* others: of later kernels */
      return intel_unknown("CONTEXT_SETPARAM", param->param);
   }
}

static int
read_extensions(struct shim_file *file, struct intel_context *context, uint64_t at)
{
   for (unsigned i = 0; at; i++) {
      struct drm_i915_gem_context_create_ext_setparam extension;
      if (i == MAX_EXTENSIONS)
         return -E2BIG;
      if (user_read(&extension.base, at, sizeof(extension.base)))
         return -EFAULT;
      if (extension.base.name != I915_CONTEXT_CREATE_EXT_SETPARAM)
         return intel_unknown("an extension of CONTEXT_CREATE of name", extension.base.name);
      if (user_read(&extension, at, sizeof(extension)))
         return -EFAULT;
      int error = extension.param.ctx_id ? -EINVAL : set_param(file, context, &extension.param);
      if (error)
         return error;
      at = extension.base.next_extension;
   }
   return 0;
}

int
intel_context_create(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_context_create_ext *args = arg;
   if (args->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
      return -EINVAL;
   struct intel_context *context = intel_context_new();
   int error =
      args->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS ? read_extensions(file, context, args->extensions) : 0;
   if (error) {
      intel_context_free(context);
      return error;
   }
   args->ctx_id = shim_handles_add(&intel_file(file)->contexts, context);
   return 0;
}

int
intel_context_destroy(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_context_destroy *args = arg;
   struct intel_context *context = shim_handles_remove(&intel_file(file)->contexts, args->ctx_id);
   if (args->pad || !context)
      return args->pad ? -EINVAL : -ENOENT;
   intel_context_free(context);
   return 0;
}

int
intel_context_setparam(struct shim_file *file, void *arg)
{
   const struct drm_i915_gem_context_param *args = arg;
   struct intel_context *context = intel_context_get(file, args->ctx_id);
   return context ? set_param(file, context, args) : -ENOENT;
}

/* All of the chip, as nobody turns parts of it off. */
static int
get_sseu(struct drm_i915_gem_context_param *args)
{
   const struct intel_chip *chip = intel_device.chip;
   struct drm_i915_gem_context_param_sseu sseu;
   uint32_t size_B = args->size;
   args->size = sizeof(sseu);
   if (!size_B)
      return 0;
   if (size_B < sizeof(sseu))
      return -EINVAL;
   if (user_read(&sseu, args->value, sizeof(sseu)))
      return -EFAULT;
   if (sseu.rsvd || (sseu.flags & ~(uint32_t)I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX))
      return -EINVAL;
   sseu.slice_mask = bit_mask(chip->slices);
   sseu.subslice_mask = bit_mask(chip->subslices);
   sseu.min_eus_per_subslice = sseu.max_eus_per_subslice = (uint16_t)chip->eus;
   return user_write(args->value, &sseu, sizeof(sseu));
}

int
intel_context_getparam(struct shim_file *file, void *arg)
{
   struct drm_i915_gem_context_param *args = arg;
   struct intel_context *context = intel_context_get(file, args->ctx_id);
   if (!context)
      return -ENOENT;
   if (args->param == I915_CONTEXT_PARAM_SSEU)
      return get_sseu(args);
   args->size = 0;
   switch (args->param) {
   case I915_CONTEXT_PARAM_GTT_SIZE:
      args->value = UINT64_C(1) << intel_device.chip->va_bits;
      return 0;
   case I915_CONTEXT_PARAM_PRIORITY:
      args->value = (uint64_t)context->priority;
      return 0;
   case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
   case I915_CONTEXT_PARAM_BANNABLE:
   case I915_CONTEXT_PARAM_RECOVERABLE:
   case I915_CONTEXT_PARAM_PERSISTENCE:
      args->value = (context->flags & SWITCH(args->param)) != 0;
      return 0;
   case I915_CONTEXT_PARAM_VM:
      context->vm->refs++;
      args->value = shim_handles_add(&intel_file(file)->vms, context->vm);
      return 0;
   default: /* others: of later kernels */
      return intel_unknown("CONTEXT_GETPARAM", args->param);
   }
}
