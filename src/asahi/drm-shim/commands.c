/* The flat command buffer of a submit: headers, each with its payload after it. */
#include <errno.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "asahi/hw/hw_limits.h"
#include "util/macros.h"

#define MAX_LAYERS 2048
#define RENDER_FLAGS                                                                                                 \
   (DRM_ASAHI_RENDER_VERTEX_SCRATCH | DRM_ASAHI_RENDER_PROCESS_EMPTY_TILES |                                         \
    DRM_ASAHI_RENDER_NO_VERTEX_CLUSTERING | DRM_ASAHI_RENDER_DBIAS_IS_INT)
#define ATTACHMENT_LINE_B 128

struct reader {
   struct asahi_file *file;
   const char *at, *end;
   unsigned renders, computes; /* so far */
};

/* A payload shorter than the struct ends in zeros; what is after the struct must be zero. */
static int
read_payload(const char *payload, size_t payload_B, void *data, size_t data_B)
{
   memset(data, 0, data_B);
   memcpy(data, payload, MIN2(payload_B, data_B));
   for (size_t i = data_B; i < payload_B; i++)
      if (payload[i])
         return -EINVAL;
   return 0;
}

static int
find_timestamp(struct asahi_file *file, const struct drm_asahi_timestamp *name, struct asahi_timestamp *timestamp)
{
   if (!name->handle)
      return 0;
   struct asahi_object *object = shim_handles_get(&file->objects, name->handle);
   if (!object)
      return -ENOENT;
   if (name->offset + UINT64_C(8) > object->size_B)
      return -ERANGE;
   object->refs++;
   *timestamp = (struct asahi_timestamp){object, name->offset};
   return 0;
}

static int
find_timestamps(struct asahi_file *file, const struct drm_asahi_timestamps *names, struct asahi_timestamp pair[2])
{
   int error = find_timestamp(file, &names->start, &pair[0]);
   return error ? error : find_timestamp(file, &names->end, &pair[1]);
}

static bool
is_tile_size(unsigned width_px, unsigned height_px)
{
   return (width_px == 32 && height_px == 32) || (width_px == 32 && height_px == 16) ||
          (width_px == 16 && height_px == 16);
}

static int
check_render(struct reader *reader, struct asahi_command *command)
{
   const struct drm_asahi_cmd_render *render = &command->render;
   if ((render->flags & ~RENDER_FLAGS) || !render->width_px || !render->height_px || render->width_px > AGX_MAX_PX ||
       render->height_px > AGX_MAX_PX)
      return -EINVAL;
   int error = find_timestamps(reader->file, &render->ts_vtx, &command->timestamps[ASAHI_TS_START]);
   if (!error)
      error = find_timestamps(reader->file, &render->ts_frag, &command->timestamps[ASAHI_TS_FRAGMENT_START]);
   if (error)
      return error;
   bool samples = render->samples == 1 || render->samples == 2 || render->samples == 4;
   if (!render->layers || render->layers > MAX_LAYERS || !samples ||
       !is_tile_size(render->utile_width_px, render->utile_height_px))
      return -EINVAL;
   reader->renders++;
   return 0;
}

static int
check_compute(struct reader *reader, struct asahi_command *command)
{
   if (command->compute.flags)
      return -EINVAL;
   reader->computes++;
   return find_timestamps(reader->file, &command->compute.ts, &command->timestamps[ASAHI_TS_START]);
}

/* 0 waits for what earlier submits hold, N for the first N commands of the kind in this one. */
static bool
is_barrier(unsigned barrier, unsigned count)
{
   return barrier == DRM_ASAHI_BARRIER_NONE || barrier <= count;
}

static int
read_hardware(struct reader *reader, const struct drm_asahi_cmd_header *header, struct dynarray *commands)
{
   if (!is_barrier(header->vdm_barrier, reader->renders) || !is_barrier(header->cdm_barrier, reader->computes) ||
       dynarray_count(commands, struct asahi_command) == ASAHI_MAX_COMMANDS)
      return -EINVAL;
   struct asahi_command *command = dynarray_grow(commands, sizeof(*command));
   *command = (struct asahi_command){.is_render = header->cmd_type == DRM_ASAHI_CMD_RENDER, .header = *header};
   int error = command->is_render
                  ? read_payload(reader->at, header->size, &command->render, sizeof(command->render))
                  : read_payload(reader->at, header->size, &command->compute, sizeof(command->compute));
   if (error)
      return error;
   return command->is_render ? check_render(reader, command) : check_compute(reader, command);
}

/* Hints for the firmware: looked at, and of no effect. */
static int
check_attachments(const struct reader *reader, const struct drm_asahi_cmd_header *header)
{
   struct drm_asahi_attachment attachment;
   if (header->vdm_barrier != DRM_ASAHI_BARRIER_NONE || header->cdm_barrier != DRM_ASAHI_BARRIER_NONE ||
       header->size % sizeof(attachment) || header->size > ASAHI_MAX_ATTACHMENTS * sizeof(attachment))
      return -EINVAL;
   for (size_t i = 0; i < header->size; i += sizeof(attachment)) {
      memcpy(&attachment, reader->at + i, sizeof(attachment));
      if (attachment.flags || attachment.pad || attachment.size > (uint64_t)UINT32_MAX * ATTACHMENT_LINE_B)
         return -EINVAL;
   }
   return 0;
}

static int
read_command(struct reader *reader, struct dynarray *commands)
{
   struct drm_asahi_cmd_header header;
   if ((size_t)(reader->end - reader->at) < sizeof(header))
      return -EINVAL;
   memcpy(&header, reader->at, sizeof(header));
   reader->at += sizeof(header);
   if (header.size > (size_t)(reader->end - reader->at))
      return -EINVAL;
   int error = -EINVAL;
   switch (header.cmd_type) {
   case DRM_ASAHI_CMD_RENDER:
   case DRM_ASAHI_CMD_COMPUTE:
      error = read_hardware(reader, &header, commands);
      break;
   case DRM_ASAHI_SET_VERTEX_ATTACHMENTS:
   case DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS:
   case DRM_ASAHI_SET_COMPUTE_ATTACHMENTS:
      error = check_attachments(reader, &header);
      break;
   }
   reader->at += header.size;
   return error;
}

int
asahi_commands_read(struct asahi_file *file, const void *data, size_t size_B, struct dynarray *commands)
{
   struct reader reader = {.file = file, .at = data, .end = (const char *)data + size_B};
   while (reader.at < reader.end) {
      int error = read_command(&reader, commands);
      if (error)
         return error;
   }
   return commands->size_B ? 0 : -EINVAL;
}

void
asahi_commands_free(struct dynarray *commands)
{
   dynarray_for_each(struct asahi_command, command, commands) {
      for (unsigned i = 0; i < ASAHI_TS_COUNT; i++)
         if (command->timestamps[i].object)
            asahi_object_unref(command->timestamps[i].object);
   }
   dynarray_free(commands);
}
