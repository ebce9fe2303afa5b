#include "tools/launch/supervise.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/base/command.h"

static int
wait_for(pid_t child)
{
   int status = 0;
   while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
   }
   return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool
supervise(int *status)
{
   void (*const inherited)(int) = signal(SIGCHLD, SIG_DFL); /* ignored, it would leave no status to wait for */
   const pid_t parent = getpid(), child = fork();
   if (!child) {
      signal(SIGCHLD, inherited);
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent)
         _exit(2);
      return true;
   }
   if (child < 0) {
      *status = usage_error("run", "no process for the program: %s", strerror(errno));
      return false;
   }
   signal(SIGINT, SIG_IGN);
   signal(SIGQUIT, SIG_IGN);
   *status = wait_for(child);
   return false;
}
