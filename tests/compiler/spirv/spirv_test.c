#include "spirv_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

static struct spirv_test_module
read_file(const char *path)
{
   struct spirv_test_module module = {NULL, 0};
   FILE *file = fopen(path, "rb");
   if (!file)
      return module;
   fseek(file, 0, SEEK_END);
   long size_B = ftell(file);
   rewind(file);
   if (size_B > 0) {
      module.count = (size_t)size_B / 4;
      module.words = malloc((size_t)size_B);
      if (fread(module.words, 4, module.count, file) != module.count)
         module.count = 0;
   }
   fclose(file);
   return module;
}

struct spirv_test_module
spirv_test_load(const char *name)
{
   char path[1000];
   snprintf(path, sizeof(path), "%s/%s", SPIRV_TEST_DIR, name);
   struct spirv_test_module module = read_file(path);
   if (!module.words)
      fail_msg("%s is missing", path);
   return module;
}

static void
write_temporary(char *path, const void *data, size_t size_B)
{
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   assert_int_equal(write(fd, data, size_B), (ssize_t)size_B);
   close(fd);
}

struct spirv_test_module
spirv_test_assemble(const char *text)
{
   char input[] = "/tmp/indium_spvasm_XXXXXX", output[] = "/tmp/indium_spv_XXXXXX", command[300];
   write_temporary(input, text, strlen(text));
   write_temporary(output, "", 0);
   snprintf(command, sizeof(command), "spirv-as --target-env spv1.3 %s -o %s 2>&1", input, output);
   struct spirv_test_module module = {NULL, 0};
   if (!system(command))
      module = read_file(output);
   unlink(input);
   unlink(output);
   return module;
}

bool
spirv_test_is_valid(const struct spirv_test_module *module)
{
   char path[] = "/tmp/indium_spv_XXXXXX", command[300];
   write_temporary(path, module->words, module->count * 4);
   snprintf(command, sizeof(command), "spirv-val --target-env vulkan1.2 %s >/dev/null 2>&1", path);
   int status = system(command);
   unlink(path);
   return !status;
}

struct nir_shader *
spirv_test_translate(struct arena *arena, const struct spirv_test_module *module, const struct spirv_options *options)
{
   const char *error = NULL;
   if (!spirv_check(arena, module->words, module->count, &error))
      fail_msg("check: %s", error);
   struct nir_shader *shader = spirv_to_nir(arena, module->words, module->count, options, &error);
   if (!shader)
      fail_msg("%s", error);
   error = nir_validate(shader);
   if (error) {
      nir_print(shader, stderr);
      fail_msg("invalid: %s", error);
   }
   return shader;
}

static void
interpret(struct arena *arena, struct nir_shader *shader, uint32_t lanes, void *data, uint32_t size_B)
{
   const struct nir_interp_buffer buffer = {.data = data, .size_B = size_B};
   const struct nir_interp_params params = {
      .num_lanes = lanes, .subgroup_size = 32, .num_workgroups = {1, 1, 1}, .buffers = &buffer, .num_buffers = 1};
   const char *error = nir_validate(shader);
   if (error)
      fail_msg("invalid: %s", error);
   struct nir_interp_result result = nir_interp_run(arena, shader, &params);
   if (result.error)
      fail_msg("%s", result.error);
}

void
spirv_test_run(const struct spirv_test_module *module, const struct spirv_options *options, bool optimize,
               uint32_t lanes, void *data, uint32_t size_B)
{
   struct arena arena = {0};
   struct nir_shader *shader = spirv_test_translate(&arena, module, options);
   nir_lower_variables(shader);
   if (optimize)
      nir_optimize(shader);
   interpret(&arena, shader, lanes, data, size_B);
   arena_free(&arena);
}

bool
spirv_test_try(const uint32_t *words, size_t count, enum nir_stage stage, const char *what)
{
   struct arena arena = {0};
   const char *error = NULL;
   const struct spirv_options options = {.stage = stage, .features = SPIRV_FEATURE_ALL, .matrix_subgroup_size = 32};
   /* Exactly as many words as there are, so that a read beyond is seen. */
   uint32_t *copy = malloc(count * 4 + 1);
   memcpy(copy, words, count * 4);
   bool ok = spirv_check(&arena, copy, count, &error);
   if (ok == (error != NULL))
      fail_msg("%s: the check says %d and gives %s error", what, ok, error ? "an" : "no");
   error = NULL;
   struct nir_shader *shader = spirv_to_nir(&arena, copy, count, &options, &error);
   if (!shader == !error)
      fail_msg("%s: neither a shader nor an error, or both", what);
   const char *invalid = shader ? nir_validate(shader) : NULL;
   if (invalid) {
      nir_print(shader, stderr);
      fail_msg("%s: %s", what, invalid);
   }
   if (error && (strchr(error, '\n') || strncmp(error, "SPIR-V", 6)))
      fail_msg("%s: the error is no line: %s", what, error);
   bool accepted = shader != NULL;
   free(copy);
   arena_free(&arena);
   return accepted;
}

uint32_t
spirv_test_random(uint64_t *state)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*state >> 33);
}

size_t
spirv_test_mutate(uint32_t *words, size_t count, uint64_t *seed)
{
   size_t at = 5 + spirv_test_random(seed) % (count - 5), begin = 5;
   while (begin + (words[begin] >> 16) <= at && words[begin] >> 16)
      begin += words[begin] >> 16;
   size_t length = MIN2(MAX2(words[begin] >> 16, 1), count - begin);
   switch (spirv_test_random(seed) % 7) {
   case 0:
      words[at] = words[5 + spirv_test_random(seed) % (count - 5)];
      return count;
   case 1:
      words[at] = spirv_test_random(seed) % words[3];
      return count;
   case 2:
      words[at] ^= 1u << spirv_test_random(seed) % 32;
      return count;
   case 3:
      words[at] += spirv_test_random(seed) % 2 ? 1 : UINT32_MAX;
      return count;
   case 4:
      memmove(words + begin, words + MIN2(begin + length, count), (count - MIN2(begin + length, count)) * 4);
      return count - MIN2(length, count - begin);
   case 5:
      if (begin + 2 * length <= count)
         memcpy(words + begin + length, words + begin, length * 4);
      return count;
   default:
      /* An id for another id: the operands of one instruction. */
      if (length > 2) {
         uint32_t *to = words + begin + 1 + spirv_test_random(seed) % (length - 1);
         *to = words[begin + 1 + spirv_test_random(seed) % (length - 1)];
      }
      return count;
   }
}
