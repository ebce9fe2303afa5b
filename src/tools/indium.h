/* The `indium` command: one row of the table in indium.c and one file for each subcommand.
 *
 * A command gets its own name in argv[0] and returns the exit status: 0 done, 1 done and the answer is no (a check
 * failed, a run faulted), 2 the command line or an input file is at fault. */
#ifndef INDIUM_TOOLS_INDIUM_H
#define INDIUM_TOOLS_INDIUM_H

#include <limits.h>
#include <stdbool.h>

/* Prints "indium COMMAND: " and the message to stderr, with the hint where help is; returns 2. */
int usage_error(const char *command, const char *message, ...) __attribute__((format(printf, 2, 3)));

/* True if argv[*i] is the option, spelled "--name value" or "--name=value". *value: NULL where the value is missing
 * (the end, nothing behind '=', another option); else *i is left at the last argument of the option. argv ends with
 * NULL. */
bool option_value(const char *name, char **argv, int *i, const char **value);

/* True for "--help" or "-h" anywhere in the arguments. */
bool wants_help(int argc, char **argv);

/* A file of the build folder; the command itself is src/tools/indium there. False if that cannot be read. */
bool build_path(const char *file, char path[PATH_MAX]);

int command_format(int argc, char **argv);
int command_gpus(int argc, char **argv);
int command_layout(int argc, char **argv);
int command_mutants(int argc, char **argv);
int command_run(int argc, char **argv);
int command_shader(int argc, char **argv);
int command_trace(int argc, char **argv);

#endif
