#include "commands_try.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/shim.h"

#define HEADER_B sizeof(struct drm_asahi_cmd_header)

static void
must(bool holds)
{
   if (!holds)
      abort();
}

static struct drm_asahi_cmd_header
header_at(const uint8_t *data)
{
   struct drm_asahi_cmd_header header;
   memcpy(&header, data, sizeof(header));
   return header;
}

/* A command that was taken: its bytes, and zeros after them. */
static void
check_command(const struct asahi_command *command, const uint8_t *payload)
{
   const uint8_t *taken = command->is_render ? (const uint8_t *)&command->render : (const uint8_t *)&command->compute;
   size_t struct_B = command->is_render ? sizeof(command->render) : sizeof(command->compute);
   for (size_t i = 0; i < struct_B || i < command->header.size; i++)
      must((i < command->header.size ? payload[i] : 0) == (i < struct_B ? taken[i] : 0));
   for (unsigned i = 0; i < ASAHI_TS_COUNT; i++)
      must(!command->timestamps[i].object ||
           command->timestamps[i].offset_B + 8 <= command->timestamps[i].object->size_B);
}

/* The hardware commands in order, walked only by the sizes of the headers. */
static void
check_all(const uint8_t *data, size_t size_B, const struct dynarray *commands)
{
   unsigned found = 0, count = (unsigned)dynarray_count(commands, struct asahi_command);
   for (size_t at_B = 0; at_B < size_B;) {
      must(size_B - at_B >= HEADER_B);
      struct drm_asahi_cmd_header header = header_at(data + at_B);
      must(header.size <= size_B - at_B - HEADER_B);
      if (header.cmd_type <= DRM_ASAHI_CMD_COMPUTE) {
         must(found < count);
         const struct asahi_command *command = dynarray_at(commands, struct asahi_command, found++);
         must(!memcmp(&command->header, &header, sizeof(header)));
         must(command->is_render == (header.cmd_type == DRM_ASAHI_CMD_RENDER));
         check_command(command, data + at_B + HEADER_B);
      }
      at_B += HEADER_B + header.size;
   }
   must(found == count && count >= 1 && count <= ASAHI_MAX_COMMANDS);
}

int
commands_try(const uint8_t *data, size_t size_B)
{
   struct asahi_object *object = shim_alloc(sizeof(*object));
   struct asahi_file file = {0};
   struct dynarray commands = {0};
   *object = (struct asahi_object){.refs = 1, .size_B = ASAHI_PAGE_B};
   shim_handles_add(&file.objects, object);
   int result = asahi_commands_read(&file, data, size_B, &commands);
   if (!result)
      check_all(data, size_B, &commands);
   asahi_commands_free(&commands);
   must(object->refs == 1);
   shim_handles_free(&file.objects);
   free(object);
   return result;
}
