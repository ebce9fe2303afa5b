/* A subcommand of `indium` as data. What it takes is parsed by this table, and --help, the manual pages and the
 * completion of shells are made from it. */
#ifndef INDIUM_TOOLS_COMMAND_H
#define INDIUM_TOOLS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Words that stand for something have an uppercase first letter and are alternatives by '|': "indium|radv|FILE.json".
 * Completion offers the others as they are, the chips for CHIP, and files for what starts with FILE. */
struct option {
   const char *name;  /* "--gpu", or "-D" */
   const char *value; /* what follows it; NULL: nothing; "=...": may be left out, which makes it "" */
   size_t offset;     /* in the command's request: a const char *, or a bool where no value follows */
   const char *text;  /* whole sentences without the full stop; ends with the default, after a semicolon */
};

/* The value follows without a space, and the whole ("-DNAME") stays among the operands. */
static inline bool
is_attached(const struct option *option)
{
   return option->name[1] != '-';
}

static inline bool
is_optional(const struct option *option)
{
   return option->value && option->value[0] == '=';
}

/* What stands between the option and its value, and after that. */
static inline const char *
before_value(const struct option *option)
{
   return !option->value || is_attached(option) ? "" : is_optional(option) ? "[" : " ";
}

static inline const char *
after_value(const struct option *option)
{
   return is_optional(option) ? "]" : "";
}

struct command {
   const char *name, *purpose;
   const char *synopsis[3];      /* what follows the name, one line a way to use it */
   const char *text;             /* sentences; "\n\n" parts paragraphs */
   const struct option *options; /* NULL name after the last; NULL: it has none */
   bool runs_program;            /* options end at the first operand: the rest is a program and its arguments */
   /* Gets its own name in argv[0], NULL after the last argument; returns the exit status: 0 done, 1 done and the
    * answer is no (a check failed, a run faulted), 2 the command line or an input file is at fault. */
   int (*run)(int argc, char **argv);
};

/* Reads the options after argv[0] into the request, "--name value" or "--name=value", and moves the operands to
 * argv[0] and on, with NULL after the last; "--" ends the options. The number of operands, or -1 after a message. */
int parse_options(const struct command *command, char **argv, void *request);

/* Appends what the request holds to arguments from `used` on, for another program that takes the same options. How
 * many arguments there are then. Of no command with optional values. */
unsigned append_options(const struct command *command, const void *request, const char **arguments, unsigned used);

void print_help(const struct command *command);

/* Prints text in lines of up to width columns that begin with indent spaces; the first one has already `column`. */
void print_wrapped(const char *text, unsigned indent, unsigned column, unsigned width);

/* The alternatives of a value, one after the other: where the next one starts and its length, false after the last.
 * *at is the value at first. */
bool next_word(const char **at, const char **word, size_t *length);

/* Prints "indium COMMAND: " and the message to stderr, with the hint where help is; returns 2. */
int usage_error(const char *command, const char *message, ...) __attribute__((format(printf, 2, 3)));

#endif
