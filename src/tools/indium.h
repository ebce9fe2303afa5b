/* The `indium` command: one row of the table in indium.c and one file for each subcommand. */
#ifndef INDIUM_TOOLS_INDIUM_H
#define INDIUM_TOOLS_INDIUM_H

#include "tools/base/command.h"

extern const struct command command_decode, command_disasm, command_drivers, command_format, command_gpus,
   command_layout, command_manual, command_mutants, command_order, command_replay, command_run, command_shader,
   command_sparse, command_trace, command_uav, command_varyings, command_wave;

/* By name; NULL after the last. */
extern const struct command *const commands[];

/* Arguments of indium, and what they are for; NULL after the last. */
struct example {
   const char *arguments, *purpose;
};
extern const struct example examples[];

/* NULL: there is none. */
const struct command *find_command(const char *name);

#endif
