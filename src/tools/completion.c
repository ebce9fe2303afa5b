/* What shells complete, from the tables of the commands. */
#include <ctype.h>
#include <string.h>

#include "tools/indium.h"
#include "tools/manual.h"
#include "tools/launch/vendors.h"

/* In single quotes, as all three shells read them. */
static void
print_quoted(const char *text)
{
   putchar('\'');
   for (; *text; text++) {
      if (*text == '\'')
         printf("'\\''");
      else
         putchar(*text);
   }
   putchar('\'');
}

static bool
takes_files(const char *value)
{
   const char *word;
   for (size_t length; next_word(&value, &word, &length);) {
      if (!strncmp(word, "FILE", 4))
         return true;
   }
   return false;
}

static unsigned
print_chips(void)
{
   unsigned count = 0;
   for (const struct vendor *vendor = vendors; vendor->chip_name; vendor++) {
      for (unsigned i = 0; vendor->chip_name(i); i++, count++)
         printf(" %s", vendor->chip_name(i));
   }
   return count;
}

/* The alternatives of a value that can be written down, each after a space: chips for CHIP, "seed=" for "seed=N".
 * Their number. */
static unsigned
print_words(const char *value)
{
   const char *word;
   unsigned count = 0;
   for (size_t length; next_word(&value, &word, &length);) {
      size_t fixed = 0;
      length -= *word == '=';
      word += *word == '=';
      while (fixed < length && !isupper((unsigned char)word[fixed]))
         fixed++;
      if (fixed)
         printf(" %.*s", (int)fixed, word);
      count += fixed > 0;
      if (length == 4 && !strncmp(word, "CHIP", 4))
         count += print_chips();
   }
   return count;
}

void
completion_bash(void)
{
   printf("# bash completion of indium\n"
          "_indium()\n{\n"
          "   local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "   local words= i\n"
          "   COMPREPLY=()\n"
          "   [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "   [ \"$word\" != = ] || word=\n"
          "   if ((COMP_CWORD == 1)); then\n"
          "      COMPREPLY=($(compgen -W '--help");
   for (unsigned i = 0; commands[i]; i++)
      printf(" %s", commands[i]->name);
   printf("' -- \"$word\"))\n"
          "      return\n"
          "   fi\n"
          "   case $command in");
   const char *separator = " ";
   for (unsigned i = 0; commands[i]; i++) {
      if (commands[i]->runs_program) {
         printf("%s%s", separator, commands[i]->name);
         separator = " | ";
      }
   }
   printf(")\n"
          "      for ((i = 2; i < COMP_CWORD; i++)); do\n"
          "         [ \"${COMP_WORDS[i]}\" = -- ] || continue\n"
          "         ((i + 1 < COMP_CWORD)) || COMPREPLY=($(compgen -c -- \"$word\"))\n"
          "         return\n"
          "      done ;;\n"
          "   esac\n"
          "   case $command$before in\n");
   for (unsigned i = 0; commands[i]; i++) {
      for (const struct option *option = commands[i]->options; option && option->name; option++) {
         if (!option->value || is_attached(option))
            continue;
         printf("   %s%s) words='", commands[i]->name, option->name);
         print_words(option->value);
         printf("' ;;\n");
      }
   }
   printf("   *) case $command$word in\n");
   for (unsigned i = 0; commands[i]; i++) {
      printf("      %s-*) words='--help%s", commands[i]->name, commands[i]->runs_program ? " --" : "");
      for (const struct option *option = commands[i]->options; option && option->name; option++)
         printf(" %s", option->name);
      printf("' ;;\n");
   }
   printf("      esac ;;\n"
          "   esac\n"
          "   COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\n"
          "complete -o default -F _indium indium\n");
}

void
completion_fish(void)
{
   printf("# fish completion of indium\n");
   for (unsigned i = 0; commands[i]; i++) {
      printf("complete -c indium -n __fish_use_subcommand -f -a %s -d ", commands[i]->name);
      print_quoted(commands[i]->purpose);
      printf("\n");
   }
   for (unsigned i = 0; commands[i]; i++) {
      for (const struct option *option = commands[i]->options; option && option->name; option++) {
         const char *dashes = !is_attached(option) ? "-l " : "-s ";
         printf("complete -c indium -n '__fish_seen_subcommand_from %s' %s%s -d ", commands[i]->name, dashes,
                option->name + (!is_attached(option) ? 2 : 1));
         print_quoted(option->text);
         if (option->value) {
            printf(" %s -a '", takes_files(option->value) ? "-rF" : is_optional(option) ? "-f" : "-x");
            print_words(option->value);
            printf("'");
         }
         printf("\n");
      }
   }
}

/* An option as _arguments of zsh takes it. */
static void
print_zsh_option(const struct option *option)
{
   printf(" \\\n      '%s%s[", option->name,
          is_attached(option)   ? "-"
          : is_optional(option) ? "=-"
          : option->value       ? "="
                                : "");
   for (const char *c = option->text; *c; c++)
      printf(*c == '\'' ? "'\\''" : strchr("[]:\\", *c) ? "\\%c" : "%c", *c);
   printf("]");
   if (option->value) {
      printf("%s:value:{compadd --", is_optional(option) ? ":" : "");
      print_words(option->value);
      printf("%s}", takes_files(option->value) ? "; _files" : "");
   }
   printf("'");
}

void
completion_zsh(void)
{
   printf("#compdef indium\n"
          "local -a commands=(\n");
   for (unsigned i = 0; commands[i]; i++) {
      printf("   %s:", commands[i]->name);
      print_quoted(commands[i]->purpose);
      printf("\n");
   }
   printf(")\n"
          "if ((CURRENT == 2)); then\n"
          "   _describe command commands\n"
          "   return\n"
          "fi\n"
          "shift words\n"
          "((CURRENT--))\n"
          "case $words[1] in\n");
   for (unsigned i = 0; commands[i]; i++) {
      printf("%s)\n   _arguments%s", commands[i]->name, commands[i]->runs_program ? " -S" : "");
      for (const struct option *option = commands[i]->options; option && option->name; option++)
         print_zsh_option(option);
      printf(" \\\n      '%s'\n   ;;\n", commands[i]->runs_program ? "*::program:_normal" : "*:file:_files");
   }
   printf("esac\n");
}
