/* The parts of `indium manual`. */
#ifndef INDIUM_TOOLS_MANUAL_H
#define INDIUM_TOOLS_MANUAL_H

#define INDIUM_PURPOSE "a GPU driver stack and models of GPUs, from the command line"
#define EXIT_STATUS_TEXT                                                                                             \
   "0: done. 1: done, and the answer is no (a check failed, a run faulted). 2: the command line or an input file is" \
   " at fault."

/* A script on stdout that completes the commands, their options and the values of these. */
void completion_bash(void);
void completion_fish(void);
void completion_zsh(void);

#endif
