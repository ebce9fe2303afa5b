/* The C library's functions that start a program: it sees the device, whatever environment it is given. */
#include <alloca.h>
#include <spawn.h>
#include <stdarg.h>
#include <unistd.h>

#include "drm-shim/environment.h"
#include "drm-shim/interpose.h"
#include "drm-shim/real.h"

/* Valid as long as the function that uses it runs. */
#define KEPT(variables) shim_environment_keep(variables, alloca(shim_environment_room_B(variables)))

PUBLIC int
execve(const char *path, char *const argv[], char *const variables[])
{
   return real()->execve(path, argv, KEPT(variables));
}

PUBLIC int
execv(const char *path, char *const argv[])
{
   return real()->execve(path, argv, KEPT(environ));
}

PUBLIC int
execvpe(const char *file, char *const argv[], char *const variables[])
{
   return real()->execvpe(file, argv, KEPT(variables));
}

PUBLIC int
execvp(const char *file, char *const argv[])
{
   return real()->execvpe(file, argv, KEPT(environ));
}

PUBLIC int
fexecve(int fd, char *const argv[], char *const variables[])
{
   return real()->fexecve(fd, argv, KEPT(variables));
}

PUBLIC int
execveat(int directory, const char *path, char *const argv[], char *const variables[], int flags)
{
   return real()->execveat(directory, path, argv, KEPT(variables), flags);
}

PUBLIC int
posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
            const posix_spawnattr_t *attributes, char *const argv[], char *const variables[])
{
   return real()->posix_spawn(pid, path, actions, attributes, argv, KEPT(variables));
}

PUBLIC int
posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const argv[], char *const variables[])
{
   return real()->posix_spawnp(pid, file, actions, attributes, argv, KEPT(variables));
}

/* Arguments up to the NULL, which counts, too. */
static size_t
count(va_list args)
{
   va_list copy;
   size_t number = 2;
   va_copy(copy, args);
   while (va_arg(copy, char *))
      number++;
   va_end(copy);
   return number;
}

static void
collect(char **argv, const char *first, va_list *args)
{
   *argv++ = (char *)first;
   while ((*argv++ = va_arg(*args, char *)))
      ;
}

PUBLIC int
execl(const char *path, const char *argument, ...)
{
   va_list args;
   va_start(args, argument);
   char **argv = alloca(count(args) * sizeof(*argv));
   collect(argv, argument, &args);
   va_end(args);
   return real()->execve(path, argv, KEPT(environ));
}

PUBLIC int
execlp(const char *file, const char *argument, ...)
{
   va_list args;
   va_start(args, argument);
   char **argv = alloca(count(args) * sizeof(*argv));
   collect(argv, argument, &args);
   va_end(args);
   return real()->execvpe(file, argv, KEPT(environ));
}

/* The environment follows the NULL. */
PUBLIC int
execle(const char *path, const char *argument, ...)
{
   va_list args;
   va_start(args, argument);
   char **argv = alloca(count(args) * sizeof(*argv));
   collect(argv, argument, &args);
   char *const *variables = va_arg(args, char *const *);
   va_end(args);
   return real()->execve(path, argv, KEPT(variables));
}
