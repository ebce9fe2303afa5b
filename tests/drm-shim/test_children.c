/* Programs that are started with another environment see the device, too. Without arguments the test; with them a
 * child, which ends with 0 if it has found the device of null_vendor.c and the variables that are named, NAME=VALUE,
 * or NAME: not there. */
#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>
#include <cmocka.h>

#define SELF "/proc/self/exe"

static char self[4096], folder[4096];

static int
be_child(char **expected)
{
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   drmVersionPtr version = fd < 0 ? NULL : drmGetVersion(fd);
   if (!version || strcmp(version->name, "null"))
      return 10;
   for (; *expected; expected++) {
      const char *value = getenv(strndup(*expected, strcspn(*expected, "=")));
      if (strchr(*expected, '=') ? !value || strcmp(value, strchr(*expected, '=') + 1) : value != NULL)
         return 11;
   }
   return 0;
}

enum way {
   EXECVE,
   EXECVPE,
   EXECLE,
   FEXECVE,
   EXECVEAT,
   EXECV,
   EXECVP,
   EXECL,
   EXECLP,
   VFORK,
   SPAWN,
   SPAWNP,
   WAYS,
};

/* Does not come back, if all is well. */
static void
replace(enum way way, char **argv, char **variables)
{
   switch (way) {
   case EXECVE:
   case VFORK:
      execve(self, argv, variables);
      break;
   case EXECVPE:
      execvpe(self, argv, variables);
      break;
   case EXECLE:
      execle(self, argv[0], argv[1], argv[2], argv[3], NULL, variables);
      break;
   case FEXECVE:
      fexecve(open(self, O_RDONLY), argv, variables);
      break;
   case EXECVEAT:
      execveat(AT_FDCWD, self, argv, variables, 0);
      break;
   case EXECV:
      environ = variables;
      execv(self, argv);
      break;
   case EXECVP:
      environ = variables;
      execvp(self, argv);
      break;
   case EXECL:
      environ = variables;
      execl(self, argv[0], argv[1], argv[2], argv[3], NULL);
      break;
   case EXECLP:
      environ = variables;
      execlp(self, argv[0], argv[1], argv[2], argv[3], NULL);
      break;
   case SPAWN:
   case SPAWNP:
   case WAYS:
      break;
   }
}

/* The child's status. */
static int
start(enum way way, char **argv, char **variables)
{
   pid_t child;
   int status;
   if (way == SPAWN) {
      assert_int_equal(posix_spawn(&child, self, NULL, NULL, argv, variables), 0);
   } else if (way == SPAWNP) {
      assert_int_equal(posix_spawnp(&child, self, NULL, NULL, argv, variables), 0);
   } else if (way == VFORK) {
      child = vfork();
      if (!child) {
         execve(self, argv, variables);
         _exit(99);
      }
   } else {
      child = fork();
      if (!child) {
         replace(way, argv, variables);
         _exit(99);
      }
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   return WEXITSTATUS(status);
}

/* The other variables are the child's own. */
static void
check(char **variables, const char *first, const char *second, int status)
{
   for (enum way way = EXECVE; way < WAYS; way++) {
      char *argv[] = {self, "child", (char *)first, (char *)second, NULL};
      assert_int_equal(start(way, argv, variables), status);
   }
}

static void
test_lacking(void **state)
{
   char path[4200], bare[] = "LD_PRELOAD=libindium_null_shim.so", other[] = "LD_PRELOAD=libm.so.6", both[8400];
   char *none[] = {NULL}, *some[] = {"A=1", "INDIUM_CARD=0", NULL}, *unfound[] = {bare, NULL};
   char *others[] = {other, NULL};
   snprintf(path, sizeof(path), "LD_PRELOAD=%s/libindium_null_shim.so", folder);
   check(none, path, "INDIUM_TEST=kept", 0);
   check(NULL, path, "INDIUM_CARD=1", 0);
   check(some, "A=1", "INDIUM_CARD=0", 0); /* its own */
   check(some, "LD_LIBRARY_PATH", path, 0);
   check(unfound, path, "INDIUM_TEST=kept", 0);
   snprintf(both, sizeof(both), "LD_PRELOAD=libm.so.6:%s/libindium_null_shim.so", folder);
   check(others, both, "INDIUM_TEST=kept", 0);
}

/* What has the shim stays as it is; an empty LD_PRELOAD means to be without it. */
static void
test_as_given(void **state)
{
   char path[4200], list[8400], libraries[4200];
   char *whole[] = {path, NULL}, *found[] = {list, libraries, NULL}, *empty[] = {"LD_PRELOAD=", NULL};
   snprintf(path, sizeof(path), "LD_PRELOAD=%s/libindium_null_shim.so libm.so.6", folder);
   check(whole, path, "INDIUM_TEST=kept", 0);
   snprintf(list, sizeof(list), "LD_PRELOAD=libm.so.6:libindium_null_shim.so");
   snprintf(libraries, sizeof(libraries), "LD_LIBRARY_PATH=/lib:%s", folder);
   check(found, list, libraries, 0);
   check(empty, "A=1", "B=2", 10);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_lacking), cmocka_unit_test(test_as_given)};
   if (argc > 1)
      return be_child(argv + 2);
   if (readlink(SELF, self, sizeof(self) - 1) < 0)
      return 1;
   snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(self, '/') - self), self);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
