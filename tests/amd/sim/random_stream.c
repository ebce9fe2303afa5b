#include "random_stream.h"

#include "native_engine.h"
#include "scene.h"
#include "util/macros.h"

/* Addresses are mostly inside of memory, so that packets get further. */
static uint32_t
random_word(struct random_source *source)
{
   switch (random_source_next(source) % 6) {
   case 0:
      return random_source_next(source);
   case 1:
      return 1; /* the high dword of addresses */
   case 2:
      return random_source_next(source) % STREAM_MEMORY_B & ~3u;
   case 3:
      return random_source_next(source) % 16;
   default:
      return random_source_next(source) & random_source_next(source) & random_source_next(source);
   }
}

static void
random_packet(struct stream *s, struct random_source *source)
{
   const struct amd_pm4_packet *packet = NULL;
   for (unsigned opcode = random_source_next(source); !packet; opcode++)
      packet = amd_pm4_find(AMD_GFX10_3, (uint8_t)opcode);
   const struct amd_pm4_form *form = &packet->forms[random_source_next(source) % packet->form_count];
   unsigned count = form->word_count + (form->has_rest ? random_source_next(source) % 4 : 0);
   count += random_source_next(source) % 50 == 0;
   /* Packets that wait for memory may wait long by right. */
   if (!count || packet->opcode == PKT3_WAIT_REG_MEM)
      return;
   emit(s, PKT3(packet->opcode, count) | (random_source_next(source) % 20 == 0));
   for (unsigned i = 0; i < count; i++) {
      const struct amd_reg *info = amd_pm4_word(form, i);
      /* Not too much work. */
      bool work = !strncmp(packet->name, "DRAW", 4) || packet->opcode == PKT3_NUM_INSTANCES;
      uint32_t value = work ? random_source_next(source) % 8 : random_word(source);
      emit(s, info && random_source_next(source) % 30 ? value & ~amd_reg_unknown_bits(AMD_GFX10_3, info) : value);
   }
}

/* A register of the table with a value of its own bits. */
static void
random_register(struct stream *s, struct random_source *source)
{
   unsigned count = 0;
   while (amd_reg_at(AMD_GFX10_3, count))
      count++;
   const struct amd_reg *reg = amd_reg_at(AMD_GFX10_3, random_source_next(source) % count);
   uint32_t offset_B = reg->gen[AMD_GFX10_3].offset_B;
   offset_B += random_source_next(source) % reg->count * reg->gen[AMD_GFX10_3].step_B;
   if (offset_B >= AMD_SH_REG_START && (offset_B < AMD_SH_REG_END || offset_B >= AMD_CONTEXT_REG_START))
      set_reg(s, offset_B, random_word(source) & ~amd_reg_unknown_bits(AMD_GFX10_3, reg));
}

static void
random_draw(struct stream *s, struct random_source *source)
{
   static const uint32_t types[] = {V_DI_PT_POINTLIST, V_DI_PT_LINELIST, V_DI_PT_LINESTRIP, V_DI_PT_TRILIST,
                                    V_DI_PT_TRIFAN,    V_DI_PT_TRISTRIP, V_DI_PT_RECTLIST};
   set_reg(s, R_PA_SC_WINDOW_SCISSOR_BR, 64 << 16 | 64);
   draw_auto(s, types[random_source_next(source) % ARRAY_SIZE(types)], random_source_next(source) % 64);
}

static void
fuzz_vertex(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   float values[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      uint32_t hash = start->vgpr[0][lane] * 2654435761u;
      for (unsigned c = 0; c < 4; c++) {
         hash = hash * 1664525u + 1013904223u;
         uint32_t any = hash * 3;
         if (hash >> 28)
            values[lane][c] = (float)(int32_t)hash / 1e9f;
         else
            memcpy(&values[lane][c], &any, 4); /* infinities and NaN come by */
      }
   }
   for (unsigned target = 12; target < 16; target++)
      native_export(exports, count, target, start->exec, target == 12, values);
   native_export(exports, count, 32, start->exec, false, values);
}

static void
fuzz_pixel(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   float values[AMD_WAVE_MAX_LANES][4];
   memcpy(values, start->vgpr, sizeof(values));
   native_export(exports, count, 0, start->exec, false, values);
   native_export(exports, count, 8, start->exec, false, values);
   native_export(exports, count, 1, start->exec & 0x5555555555555555u, true, values);
}

void
random_stream(struct stream *s, struct random_source *source)
{
   const struct target_info target = {
      .va = stream_base + RANDOM_TARGET_B, .width = 64, .height = 64, .format = V_COLOR_8_8_8_8};
   native_shaders[1] = fuzz_vertex;
   native_shaders[2] = fuzz_pixel;
   if (random_source_next(source) % 4) {
      set_defaults(s, 64, 64);
      set_target(s, 0, &target);
   }
   unsigned items = random_source_next(source) % 12;
   for (unsigned i = 0; i < items; i++) {
      unsigned what = random_source_next(source) % 8;
      if (what < 2)
         random_packet(s, source);
      else if (what < 6)
         random_register(s, source);
      else
         random_draw(s, source);
   }
   if (random_source_next(source) % 10 == 0 && s->count_dw)
      s->count_dw -= random_source_next(source) % s->count_dw;
}
