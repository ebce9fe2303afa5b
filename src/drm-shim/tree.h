/* A private directory tree of real files that stands for the device in /dev and /sys. */
#ifndef INDIUM_DRM_SHIM_TREE_H
#define INDIUM_DRM_SHIM_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#define SHIM_DRM_MAJOR 226
#define SHIM_PCI_SLOT "0000:04:00.0"
#define SHIM_SOC_NAME "406400000.gpu" /* the address of its registers, and its name in the device tree */
#define SHIM_NODE_PATH "/dev/dri/renderD128"
#define SHIM_CARD_PATH "/dev/dri/card0"
#define SHIM_SW_SYNC_PATH "/sys/kernel/debug/sync/sw_sync"

/* Files of the tree of which each open is the shim's. */
enum tree_node {
   TREE_NO_NODE,
   TREE_RENDER_NODE,
   TREE_CARD_NODE, /* only where INDIUM_CARD asks for it */
   TREE_SW_SYNC,
   TREE_NODES,
};

/* The path to use instead of `path`: the same pointer if the path is none of the device's, or `buffer`. */
const char *tree_rewrite(const char *path, char buffer[PATH_MAX]);

/* Replaces a path inside the tree by the one it stands for, in place. */
void tree_restore(char *path);

/* False as long as nobody has asked for one of the device's paths. */
bool tree_exists(void);

/* What the file that stat names stands for. */
enum tree_node tree_find_node(dev_t device, ino_t inode);

/* True for the nodes of the device. */
bool tree_is_device(enum tree_node node);

/* The path that the program knows, and the minor number of a node of the device. */
const char *tree_node_path(enum tree_node node);
unsigned tree_node_minor(enum tree_node node);

#endif
