#include "drm-shim/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drm-shim/real.h"
#include "drm-shim/settings.h"
#include "drm-shim/shim.h"
#include "util/log.h"
#include "util/macros.h"

#define PCI_SLOT SHIM_PCI_SLOT
#define PCI_PATH "/sys/devices/pci0000:00/" PCI_SLOT
#define SOC_PATH "/sys/devices/platform/soc/" SHIM_SOC_NAME

/* What the tree stands for. The last character decides: '/' or end must follow unless it is a colon. */
static const char *const prefixes[] = {
   "/dev/dri", "/sys/dev/char/226:", PCI_PATH, SOC_PATH, "/sys/class/drm", "/proc/dri", "/sys/kernel/debug/sync",
};
static const char *const node_paths[TREE_NODES] = {
   [TREE_RENDER_NODE] = SHIM_NODE_PATH,
   [TREE_CARD_NODE] = SHIM_CARD_PATH,
   [TREE_SW_SYNC] = SHIM_SW_SYNC_PATH,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char root[PATH_MAX - 256];
static size_t root_B;
static struct stat nodes[TREE_NODES];

static void
fail(const char *what, const char *path)
{
   log_error("drm-shim: cannot %s %s: %s", what, path, strerror(errno));
   exit(2);
}

static void
make_directory(const char *path)
{
   char full[PATH_MAX];
   snprintf(full, sizeof(full), "%s%s", root, path);
   for (char *slash = full + root_B + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
      *slash = 0;
      if (mkdir(full, 0700) && errno != EEXIST)
         fail("create", full);
   }
   if (mkdir(full, 0700) && errno != EEXIST)
      fail("create", full);
}

static bool
has_content(const char *path, const char *text)
{
   char now[512];
   int fd = real()->open(path, O_RDONLY | O_CLOEXEC);
   if (fd < 0)
      return false;
   ssize_t size_B = read(fd, now, sizeof(now));
   real()->close(fd);
   return size_B == (ssize_t)strlen(text) && !memcmp(now, text, strlen(text));
}

/* Several processes may do this at once: the file appears whole. */
static void
make_file(const char *path, const char *text)
{
   char full[PATH_MAX], temporary[PATH_MAX + 32];
   snprintf(full, sizeof(full), "%s%s", root, path);
   if (has_content(full, text))
      return;
   snprintf(temporary, sizeof(temporary), "%s.%d", full, getpid());
   int fd = real()->open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
   if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
      fail("write", temporary);
   real()->close(fd);
   if (rename(temporary, full))
      fail("create", full);
}

static void
make_link(const char *path, const char *target)
{
   char full[PATH_MAX];
   snprintf(full, sizeof(full), "%s%s", root, path);
   if (symlink(target, full) && errno != EEXIST)
      fail("create", full);
}

static void
make_number(const char *name, unsigned digits, unsigned value)
{
   char path[128], text[32];
   snprintf(path, sizeof(path), PCI_PATH "/%s", name);
   snprintf(text, sizeof(text), "0x%0*x\n", digits, value);
   make_file(path, text);
}

static void
make_pci_device(const struct shim_vendor *vendor)
{
   char text[512];
   make_directory("/sys/bus/pci");
   make_directory(PCI_PATH);
   make_link(PCI_PATH "/subsystem", "../../../bus/pci");
   snprintf(text, sizeof(text),
            "DRIVER=%s\nPCI_CLASS=30000\nPCI_ID=%04X:%04X\nPCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=" PCI_SLOT "\n"
            "MODALIAS=pci:v%08Xd%08Xsv%08Xsd%08Xbc03sc00i00\n",
            vendor->driver, vendor->pci.vendor, vendor->pci.device, vendor->pci.subsystem_vendor,
            vendor->pci.subsystem_device, vendor->pci.vendor, vendor->pci.device, vendor->pci.subsystem_vendor,
            vendor->pci.subsystem_device);
   make_file(PCI_PATH "/uevent", text);
   make_number("vendor", 4, vendor->pci.vendor);
   make_number("device", 4, vendor->pci.device);
   make_number("subsystem_vendor", 4, vendor->pci.subsystem_vendor);
   make_number("subsystem_device", 4, vendor->pci.subsystem_device);
   make_number("revision", 2, vendor->pci.revision);
   make_number("class", 6, 0x030000);
}

/* As the kernel shows a node /soc/NAME@ADDRESS of the device tree (drivers/of/device.c, of_device_uevent). */
static void
make_platform_device(const struct shim_vendor *vendor)
{
   char text[512], modalias[256];
   const char *name = vendor->platform.name;
   const int address_B = (int)strcspn(SHIM_SOC_NAME, ".");
   make_directory("/sys/bus/platform");
   make_directory(SOC_PATH);
   make_link(SOC_PATH "/subsystem", "../../../../bus/platform");
   int size = snprintf(text, sizeof(text), "DRIVER=%s\nOF_NAME=%s\nOF_FULLNAME=/soc/%s@%.*s\n", vendor->driver, name,
                       name, address_B, SHIM_SOC_NAME);
   int modalias_B = snprintf(modalias, sizeof(modalias), "of:N%sT(null)", name);
   unsigned count = 0;
   for (; count < ARRAY_SIZE(vendor->platform.compatible) && vendor->platform.compatible[count]; count++) {
      const char *compatible = vendor->platform.compatible[count];
      size += snprintf(text + size, sizeof(text) - size, "OF_COMPATIBLE_%u=%s\n", count, compatible);
      modalias_B += snprintf(modalias + modalias_B, sizeof(modalias) - modalias_B, "C%s", compatible);
   }
   snprintf(text + size, sizeof(text) - size, "OF_COMPATIBLE_N=%u\nMODALIAS=%s\n", count, modalias);
   make_file(SOC_PATH "/uevent", text);
}

/* All may open it, as all may read and write the device's node. */
static void
make_stand_in(enum tree_node node)
{
   char path[PATH_MAX];
   make_file(node_paths[node], "");
   snprintf(path, sizeof(path), "%s%s", root, node_paths[node]);
   if (real()->chmod(path, 0666) || real()->stat(path, &nodes[node]))
      fail("find", path);
}

/* A node of the device in the directory `device`, whose last name is `slot`. */
static void
make_node(enum tree_node node, const char *device, const char *slot)
{
   const char *name = strrchr(node_paths[node], '/') + 1;
   const unsigned minor = tree_node_minor(node);
   char folder[160], path[224], text[224];
   make_stand_in(node);
   snprintf(folder, sizeof(folder), "%s/drm/%s", device, name);
   make_directory(folder);
   snprintf(path, sizeof(path), "%s/device", folder);
   snprintf(text, sizeof(text), "../../../%s", slot);
   make_link(path, text);
   snprintf(path, sizeof(path), "%s/uevent", folder);
   snprintf(text, sizeof(text), "MAJOR=%u\nMINOR=%u\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", SHIM_DRM_MAJOR, minor,
            name);
   make_file(path, text);
   snprintf(path, sizeof(path), "%s/dev", folder);
   snprintf(text, sizeof(text), "%u:%u\n", SHIM_DRM_MAJOR, minor);
   make_file(path, text);
   snprintf(text, sizeof(text), "../..%s", folder + strlen("/sys"));
   snprintf(path, sizeof(path), "/sys/dev/char/%u:%u", SHIM_DRM_MAJOR, minor);
   make_link(path, text);
   snprintf(path, sizeof(path), "/sys/class/drm/%s", name);
   make_link(path, text);
}

/* The tree is kept between processes: its name tells the user, the device, and whether it has a card's node. */
static void
make_tree(void)
{
   const struct shim_vendor *vendor = shim_vendor();
   const char *base = getenv("TMPDIR");
   struct stat owner;
   snprintf(root, sizeof(root), "%s/indium-%u", base && *base == '/' ? base : "/tmp", getuid());
   if (mkdir(root, 0700) && errno != EEXIST)
      fail("create", root);
   if (real()->lstat(root, &owner) || !S_ISDIR(owner.st_mode) || owner.st_uid != getuid() || owner.st_mode & 022) {
      log_error("drm-shim: %s is not a directory of only this user", root);
      exit(2);
   }
   const bool has_card = shim_read_switch("INDIUM_CARD");
   size_t base_B = strlen(root);
   snprintf(root + base_B, sizeof(root) - base_B, "/%s%s", vendor->tree_name, has_card ? "-card" : "");
   root_B = strlen(root);
   if (mkdir(root, 0700) && errno != EEXIST)
      fail("create", root);
   make_directory("/dev/dri");
   make_directory("/sys/dev/char");
   make_directory("/sys/class/drm");
   make_directory("/sys/kernel/debug/sync");
   make_stand_in(TREE_SW_SYNC);
   const char *device = vendor->platform.name ? SOC_PATH : PCI_PATH;
   const char *slot = vendor->platform.name ? SHIM_SOC_NAME : PCI_SLOT;
   if (vendor->platform.name)
      make_platform_device(vendor);
   else
      make_pci_device(vendor);
   make_node(TREE_RENDER_NODE, device, slot);
   if (has_card)
      make_node(TREE_CARD_NODE, device, slot);
}

const char *
tree_rewrite(const char *path, char buffer[PATH_MAX])
{
   if (!path || path[0] != '/')
      return path;
   for (unsigned i = 0; i < ARRAY_SIZE(prefixes); i++) {
      size_t size_B = strlen(prefixes[i]);
      if (strncmp(path, prefixes[i], size_B))
         continue;
      if (prefixes[i][size_B - 1] != ':' && path[size_B] && path[size_B] != '/')
         continue;
      pthread_once(&once, make_tree);
      if (root_B + strlen(path) >= PATH_MAX)
         return path;
      memcpy(buffer, root, root_B);
      strcpy(buffer + root_B, path);
      return buffer;
   }
   return path;
}

void
tree_restore(char *path)
{
   if (root_B && !strncmp(path, root, root_B) && path[root_B] == '/')
      memmove(path, path + root_B, strlen(path + root_B) + 1);
}

bool
tree_exists(void)
{
   return root_B;
}

enum tree_node
tree_find_node(dev_t device, ino_t inode)
{
   enum tree_node node = TREE_NODES;
   while (tree_exists() && --node > TREE_NO_NODE)
      if (inode == nodes[node].st_ino && device == nodes[node].st_dev)
         return node;
   return TREE_NO_NODE;
}

bool
tree_is_device(enum tree_node node)
{
   return node == TREE_RENDER_NODE || node == TREE_CARD_NODE;
}

const char *
tree_node_path(enum tree_node node)
{
   return node_paths[node];
}

unsigned
tree_node_minor(enum tree_node node)
{
   return node == TREE_RENDER_NODE ? 128 : 0;
}
