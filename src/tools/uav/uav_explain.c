/* indium uav --explain: which bits a draw gets by our rule and by others', from the functions that decide. */
#include <stdio.h>
#include <stdlib.h>

#include "intel/hw/chips.h"
#include "tools/uav/uav.h"
#include "tools/uav/uav_state.h"

static const char *const stages[INTEL_STAGES] = {"VS", "HS", "DS", "GS", "PS"};

static void
print_bits(const char *who, const struct intel_uav_bits *bits)
{
   bool any = false;
   printf("%s", who);
   for (unsigned i = 0; i < INTEL_STAGES; i++) {
      if (bits->accesses_uav[i]) {
         printf("%s%s", any ? "+" : " UAV in ", stages[i]);
         any = true;
      }
   }
   const struct {
      bool set;
      const char *text;
   } others[] = {
      {bits->force_dispatch == INTEL_FORCE_ON, "dispatch forced"},
      {bits->dispatch_enable, "dispatch enabled"},
      {bits->uav_only, "UAV-only"},
      {bits->coherency_required, "coherency required"},
      {bits->cs_stall, "CS stall before"},
      {bits->reset_wm, "force taken back before the HiZ operation"},
   };
   for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++) {
      if (others[i].set) {
         printf("%s %s", any ? "," : "", others[i].text);
         any = true;
      }
   }
   printf("%s", any ? "" : " no bit");
}

static void
explain(const struct uav_state *state)
{
   enum intel_uav_reason reason;
   const struct intel_uav_bits bits = intel_uav_rule(&state->input, &reason);
   printf("%s:", state->chip->name);
   print_bits("", &bits);
   printf(": %s\n", intel_uav_reasons[reason]);
   for (enum intel_stage i = INTEL_VS; i < INTEL_PS; i++) {
      if (state->input.side_effects[i])
         printf("  %-12s stores, and has no bit: no API orders stores of primitives, and the bit costs a flush for "
                "each\n",
                stages[i]);
   }
   for (unsigned i = 0; i < intel_uav_text_rule_count; i++) {
      const struct intel_uav_text_rule *rule = &intel_uav_text_rules[i];
      if (!(rule->gens >> state->chip->gen & 1))
         continue;
      char name[24];
      snprintf(name, sizeof(name), "  %-12s", rule->name);
      const struct intel_uav_bits other = rule->bits(&state->input);
      print_bits(name, &other);
      printf(" (%s)\n", rule->purpose);
   }
}

int
uav_explain(const char *argument)
{
   struct uav_state state;
   struct order_error error;
   const char *where;
   size_t size_B;
   char *text = order_state_read("uav", argument, &size_B, &where);
   if (!text)
      return 2;
   const bool ok = uav_state_parse(text, size_B, &state, &error);
   free(text);
   if (!ok) {
      fprintf(stderr, "indium uav: %s:%u:%u: %s\n", where, error.line, error.column, error.message);
      return 2;
   }
   explain(&state);
   return 0;
}
