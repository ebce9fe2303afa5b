#include "drm-shim/master.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "drm-shim/file.h"
#include "drm-shim/shim.h"

struct shim_master {
   unsigned refs;
   bool has_unique;
   struct shim_handles magics; /* struct shim_file *; used: authenticated already */
};

static struct shim_master *current; /* a reference; NULL: none */
static char used;

/* Stands for CAP_SYS_ADMIN. */
static bool
is_administrator(void)
{
   return geteuid() == 0;
}

static struct shim_master *
ref(struct shim_master *master)
{
   master->refs++;
   return master;
}

static void
unref(struct shim_master *master)
{
   if (!master || --master->refs)
      return;
   shim_handles_free(&master->magics);
   free(master);
}

static bool
is_current(const struct shim_file *file)
{
   return file->is_master && file->master == current;
}

int
shim_master_permit(const struct shim_file *file, unsigned needs)
{
   const bool is_render = !file->master;
   if (((needs & SHIM_NEEDS_PRIMARY) && is_render) || ((needs & SHIM_NEEDS_MASTER) && !is_current(file)) ||
       ((needs & SHIM_NEEDS_AUTH) && !is_render && !file->authenticated))
      return -EACCES;
   return 0;
}

static void
make_current(struct shim_file *file)
{
   current = ref(file->master);
   file->was_master = true;
}

/* Its number among the clients of its master goes, too. */
static void
leave(struct shim_file *file)
{
   if (!file->master)
      return;
   shim_handles_remove(&file->master->magics, file->magic);
   file->magic = 0;
   unref(file->master);
}

static void
become_new_master(struct shim_file *file)
{
   leave(file);
   file->master = shim_alloc(sizeof(*file->master));
   file->master->refs = 1;
   file->is_master = file->authenticated = true;
   make_current(file);
}

static void
drop(void)
{
   unref(current);
   current = NULL;
}

void
shim_master_open(struct shim_file *file)
{
   if (file->node != TREE_CARD_NODE)
      return;
   file->authenticated = is_administrator();
   if (current)
      file->master = ref(current);
   else
      become_new_master(file);
}

void
shim_master_close(struct shim_file *file)
{
   if (file->master && is_current(file))
      drop();
   leave(file);
}

/* Who was master may be it again, and take it away from nobody but himself. */
static bool
may_change(const struct shim_file *file)
{
   return (file->was_master && file->opener == getpid()) || is_administrator();
}

int
shim_master_set(struct shim_file *file)
{
   if (!may_change(file))
      return -EACCES;
   if (is_current(file))
      return 0;
   if (current)
      return -EBUSY;
   if (file->is_master)
      make_current(file);
   else
      become_new_master(file);
   return 0;
}

int
shim_master_drop(struct shim_file *file)
{
   if (!may_change(file))
      return -EACCES;
   if (!is_current(file))
      return -EINVAL;
   drop();
   return 0;
}

int
shim_master_get_magic(struct shim_file *file, uint32_t *magic)
{
   if (!file->magic)
      file->magic = shim_handles_add(&file->master->magics, file);
   *magic = file->magic;
   return 0;
}

int
shim_master_auth_magic(struct shim_file *file, uint32_t magic)
{
   void *client = shim_handles_get(&file->master->magics, magic);
   if (!client || client == &used)
      return -EINVAL;
   ((struct shim_file *)client)->authenticated = true;
   /* The number stays taken until the client closes. */
   shim_handles_replace(&file->master->magics, magic, &used);
   return 0;
}

const char *
shim_master_unique(const struct shim_file *file)
{
   return !file->master->has_unique ? "" : shim_vendor()->platform.name ? SHIM_SOC_NAME : "pci:" SHIM_PCI_SLOT;
}

void
shim_master_set_unique(struct shim_file *file)
{
   file->master->has_unique = true;
}
