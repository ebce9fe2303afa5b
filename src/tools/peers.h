/* What bin/peers fetched: a folder a release of Mesa, with packages of Debian unpacked as in a root. One that has a C
 * library is of a newer Debian, and its own loader (ld.so) starts programs in it; the libraries of the others stand
 * ahead of the system's. */
#ifndef INDIUM_TOOLS_PEERS_H
#define INDIUM_TOOLS_PEERS_H

#include <limits.h>
#include <stdbool.h>

#define PEER_LIBRARIES "/usr/lib/x86_64-linux-gnu"
#define PEER_ABSENT 77 /* exit status; test runners take it as skipped */

struct driver;

/* The folder of the driver's release, absolute. False if it is not there. */
bool look_for_peer(const struct driver *driver, char root[PATH_MAX]);

/* The same, empty for the system itself. 0, or an exit status after a message. */
int find_peer(const struct driver *driver, char root[PATH_MAX]);

/* Sets what makes libraries look for their parts there. */
void set_peer_environment(const char *root);

/* Puts the program in this process's place; the exit status when that fails. Bare names are looked for among the
 * release's own programs first. */
int exec_in_peer(const char *root, char **argv);

/* Puts a path ahead of what a list of the environment holds. */
void put_ahead(const char *name, const char *path);

#endif
