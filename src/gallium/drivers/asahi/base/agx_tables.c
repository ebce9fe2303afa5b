/* Tables of arguments (agx_abi.h): into memory when a program needs them and they are not there, and from there into
 * the uniforms. */
#include <assert.h>
#include <string.h>

#include "asahi/hw/records.h"
#include "gallium/drivers/asahi/agx_context.h"
#include "util/log.h"
#include "util/macros.h"

void
agx_table_place(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table, uint64_t va, unsigned dw)
{
   struct agx_tables *tables = &ctx->tables[point];

   tables->va[AGX_TABLE_ADDRESSES] = 0;
   tables->va[table] = va;
   tables->dw[table] = (uint16_t)dw;
}

void
agx_table_upload(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table, const void *words,
                 unsigned dw)
{
   uint64_t va;

   memcpy(agx_upload_alloc(ctx, MAX2(dw, 1u) * 4, 16, &va), words, dw * 4);
   agx_table_place(ctx, point, table, va, dw);
}

void
agx_table_forget(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table)
{
   ctx->tables[point].va[table] = 0;
   ctx->tables[point].va[AGX_TABLE_ADDRESSES] = 0;
   ctx->program_stamp++;
}

/* The words of a table that the context keeps, or NULL. */
static const void *
words_of(const struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table)
{
   const struct agx_descriptors *descriptors = &ctx->descriptors[point];

   switch (table) {
   case AGX_TABLE_SETS:
      return descriptors->sets;
   case AGX_TABLE_PUSH:
      return ctx->push_constants;
   case AGX_TABLE_DYNAMIC:
      return descriptors->dynamic;
   case AGX_TABLE_ADDRESSES:
      return ctx->tables[point].va;
   case AGX_TABLE_VERTEX:
   case AGX_TABLE_DRAW:
   case AGX_TABLE_GRID:
   case AGX_TABLE_STAGE:
   case AGX_TABLE_LINK:
   case AGX_TABLE_ASSEMBLY:
   case AGX_TABLES:
      break;
   }
   return NULL;
}

static void
prepare_table(struct agx_context *ctx, enum pipe_bind_point point, enum agx_table table, unsigned needed_dw)
{
   const struct agx_tables *tables = &ctx->tables[point];
   const void *words = words_of(ctx, point, table);

   if (tables->va[table] && tables->dw[table] >= needed_dw)
      return;
   assert(words && "who records has put the tables of draws and grids into memory");
   agx_table_upload(ctx, point, table, words, needed_dw);
}

void
agx_tables_prepare(struct agx_context *ctx, enum pipe_bind_point point, const struct agx_arguments *arguments)
{
   unsigned addresses_dw = arguments->table_dw[AGX_TABLE_ADDRESSES];

   for (unsigned table = 0; table < AGX_TABLES; table++) {
      if (arguments->table_dw[table] && table != AGX_TABLE_ADDRESSES)
         prepare_table(ctx, point, table, arguments->table_dw[table]);
   }
   if (!addresses_dw)
      return;
   prepare_table(ctx, point, AGX_TABLE_ADDRESSES, addresses_dw);
}

char *
agx_usc_push(const struct agx_tables *tables, const struct agx_arguments *arguments, char *usc)
{
   for (unsigned i = 0; i < arguments->push_count; i++) {
      const struct agx_push *push = &arguments->pushes[i];
      uint64_t va = tables->va[push->table] + 4u * push->first_dw;

      if (push->first_half < 256)
         agx_usc_uniform_pack(
            usc, &(struct agx_usc_uniform){.start = push->first_half, .size = push->halves, .buffer = va});
      else
         agx_usc_uniform_high_pack(usc, &(struct agx_usc_uniform_high){
                                           .start = push->first_half - 256u, .size = push->halves, .buffer = va});
      usc += AGX_USC_UNIFORM_SIZE_B;
   }
   return usc;
}

bool
agx_report_unbound(struct agx_context *ctx, enum pipe_bind_point point, uint32_t sets)
{
   if (sets & ~ctx->descriptors[point].reported_sets)
      log_error("%s with a pipeline that reads descriptor set %d, where no set is bound: left out",
                point == PIPE_BIND_COMPUTE ? "a dispatch" : "a draw", __builtin_ctz(sets));
   ctx->descriptors[point].reported_sets |= sets;
   return false;
}
