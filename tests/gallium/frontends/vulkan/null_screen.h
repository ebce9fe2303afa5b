/* A second driver of the contract, for tests: memory is the host's, and commands are done when they are recorded. It
 * has what the tests call. */
#ifndef INDIUM_TEST_NULL_SCREEN_H
#define INDIUM_TEST_NULL_SCREEN_H

struct pipe_screen;

/* Takes the nodes of the kernel driver "null". */
struct pipe_screen *null_screen_open(int fd);

#endif
