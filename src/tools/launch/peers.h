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

/* A release's folder, absolute. False if it is not there. */
bool look_for_peer(const char *peer, char root[PATH_MAX]);

/* The folder of a release, empty for the system itself (peer is NULL). kind and name: what is looked for in it. 0, or
 * an exit status after a message. */
int find_release(const char *kind, const char *name, const char *peer, char root[PATH_MAX]);

/* The same of the driver's release. */
int find_peer(const struct driver *driver, char root[PATH_MAX]);

/* The same of Mesa's drm-shims. */
int find_shim_peer(char root[PATH_MAX]);

/* Whether it has a C library and its loader. */
bool has_loader(const char *root);

/* Sets what makes libraries look for their parts there. */
void set_peer_environment(const char *root);

/* Puts the program in this process's place; the exit status when that fails. Bare names are looked for among the
 * release's own programs first. */
int exec_in_peer(const char *root, char **argv);

/* The same with a library of Mesa's drm-shims preloaded, which lie in shim_root and need a newer C library than the
 * system's. root: of a driver's release that has a loader; empty: the loader is that next to the shims. */
int exec_with_shim(const char *root, const char *shim_root, const char *library, char **argv);

/* Puts a path ahead of what a list of the environment holds. */
void put_ahead(const char *name, const char *path);

#endif
