#include "amd/sim/report.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/pm4.h"
#include "amd/sim/base/model.h"
#include "util/macros.h"

/* Ignored registers are in reg_lists.h. docs/quirks.md has the same rows, with details, and deviations that depend on
 * more than a name. */
static const struct note {
   const char *kind, *pattern;
   bool ignored;
   const char *text;
} notes[] = {
   {"packet", "NOP", true, "carries data that nothing reads"},
   {"packet", "PRIME_UTCL2", true, "warms a cache of translations"},
   {"packet", "REWIND", true, "the model does not prefetch"},
   {"packet", "WAIT_REG_MEM", false, "gives up after 10 s"},
   {"sdma", "*COPY_*", false, "copies forwards and in order, one ring for all queues"},
   {"sdma", "*POLL_REGMEM", false, "gives up after 10 s"},
   {"event", "VGT_STREAMOUT_SYNC", true, "one packet ends before the next begins"},
   {"event", "VGT_FLUSH", true, "one packet ends before the next begins"},
   {"event", "BREAK_BATCH", true, "the model does not batch primitives"},
   {"event", "PERFCOUNTER_ST*", true, "there are no performance counters"},
   {"event", "SQ_NON_EVENT", true, "a bubble in the pipeline"},
#define TABLES "within 1 ulp of the exact result; the hardware's tables are not public"
   {"instruction", "v_rcp_*", false, TABLES},
   {"instruction", "v_rsq_*", false, TABLES},
   {"instruction", "v_sqrt_*", false, TABLES},
   {"instruction", "v_log_*", false, TABLES},
   {"instruction", "v_exp_*", false, TABLES},
   {"instruction", "v_sin_*", false, TABLES},
   {"instruction", "v_cos_*", false, TABLES},
   {"instruction", "v_fma_f16", false, "rounds twice where product and addend span more than 53 bits"},
   {"instruction", "v_pk_fma_f16", false, "rounds twice where product and addend span more than 53 bits"},
   {"instruction", "v_wmma_f*", false, "adds pairs of products, each sum rounded: the order is not public"},
   {"instruction", "v_wmma_bf*", false, "adds pairs of products, each sum rounded: the order is not public"},
   {"instruction", "image_sample*", false,
    "weights are the nearest of 256, TRUNC_COORD changes nothing, anisotropic footprints are Vulkan's example"},
   {"instruction", "image_get_lod", false, "levels of detail are floats"},
   {"instruction", "s_memtime", false, "counts instructions and rounds"},
   {"instruction", "s_memrealtime", false, "counts instructions and rounds"},
   {"instruction", "s_setprio", true, "the schedule decides which wave runs"},
   {"instruction", "s_clause", true, "a hint for the order of fetches"},
   {"instruction", "s_nop", true, "takes no time"},
   {"instruction", "s_inst_prefetch", true, "a hint for the order of fetches"},
   {"instruction", "s_version", true, "names a program's generation for tools"},
   /* Registers that the model reads. */
   {"register", "CB_BLEND*_CONTROL", false, "blends in 32-bit floats for every format and rounds to nearest"},
   {"register", "DB_ALPHA_TO_MASK", false, "covers the first samples, as many as alpha and a pixel's offset make"},
   {"register", "PA_SU_LINE_CNTL", false, "single-sample lines follow the diamond rule, others are rectangles"},
   {"register", "DB_HTILE_SURFACE", false,
    "depth is stored uncompressed; no tile passes by its range without tests of pixels, large ranges with stencil "
    "are not kept"},
   {"register", "CB_COLOR?_DCC_BASE", false,
    "pixels are stored uncompressed, and DCC says so; fast clears are exact"},
   {"register", "CB_COLOR?_FDCC_CONTROL", false,
    "pixels are stored uncompressed, and DCC says so; fast clears are exact"},
   {"register", "GE_CNTL", false,
    "PRIM_GRP_SIZE and VERT_GRP_SIZE of GFX10 are ignored: other limits fill subgroups"},
   {"register", "GE_NGG_SUBGRP_CNTL", false, "subgroups are as full as their limits allow and share every vertex"},
   {"register", "VGT_TF_PARAM", false, "points are in the order of the Direct3D reference; pow2 is integer"},
};

const char *
amd_report_pattern(unsigned i, const char **kind)
{
   *kind = i < ARRAY_SIZE(notes) ? notes[i].kind : NULL;
   return i < ARRAY_SIZE(notes) ? notes[i].pattern : NULL;
}

const char *
amd_report_note(const char *kind, const char *name, bool *ignored)
{
   for (unsigned i = 0; i < ARRAY_SIZE(notes); i++) {
      if (!strcmp(notes[i].kind, kind) && !fnmatch(notes[i].pattern, name, 0)) {
         *ignored = notes[i].ignored;
         return notes[i].text;
      }
   }
   *ignored = true;
   return strcmp(kind, "register") ? NULL : amd_model_why_ignored(name);
}

static void
write_line(FILE *out, const char *kind, const char *name, uint64_t count, const char *element)
{
   bool ignored;
   const char *note = amd_report_note(kind, element ? element : name, &ignored);
   fprintf(out, "%s %s %" PRIu64 "%s%s\n", kind, name, count,
           !note     ? ""
           : ignored ? " ignored: "
                     : " approximate: ",
           note ? note : "");
}

/* As the packet's table names it. */
static const char *
event_name(enum amd_gen gen, unsigned event)
{
   const struct amd_pm4_packet *packet = amd_pm4_find(gen, PKT3_EVENT_WRITE);
   const struct amd_reg *word = packet ? amd_pm4_word(&packet->forms[0], 0) : NULL;
   return word ? amd_field_value_name(amd_reg_field(gen, word, 0), event) : NULL;
}

void
amd_report_write(const struct amd_report *report, const struct amd_chip *chip, FILE *out)
{
   fprintf(out, "report %s\n", chip->name);
   for (unsigned i = 0; i < ARRAY_SIZE(report->packets); i++) {
      const struct amd_pm4_packet *packet = amd_pm4_find(chip->gen, (uint8_t)i);
      if (report->packets[i])
         write_line(out, "packet", packet ? packet->name : "?", report->packets[i], NULL);
   }
   for (unsigned i = 0; i < AMD_REPORT_SDMA; i++) {
      const struct amd_pm4_packet *packet = report->sdma[i] ? amd_sdma_find(chip->gen, i) : NULL;
      if (packet)
         write_line(out, "sdma", packet->name, report->sdma[i], NULL);
   }
   for (unsigned i = 0; i < AMD_REPORT_EVENTS; i++) {
      const char *name = event_name(chip->gen, i);
      if (report->events[i])
         write_line(out, "event", name ? name : "?", report->events[i], NULL);
   }
   const struct amd_reg *reg;
   for (unsigned n = 0; (reg = amd_reg_at(chip->gen, n)); n++) {
      const struct amd_reg_layout *layout = &reg->gen[chip->gen];
      for (unsigned i = 0; i < reg->count; i++) {
         uint64_t count = report->registers[(layout->offset_B + i * layout->step_B) / 4];
         char name[64];
         amd_reg_name(reg, i, name, sizeof(name));
         if (count)
            write_line(out, "register", name, count, reg->name);
      }
   }
   for (unsigned i = 0; i < AMD_OP_COUNT; i++) {
      if (report->instructions[i])
         write_line(out, "instruction", amd_isa_op_name((enum amd_op)i), report->instructions[i], NULL);
   }
}
