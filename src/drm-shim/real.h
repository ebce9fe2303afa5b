/* The C library's own functions, behind the ones that the shim interposes. */
#ifndef INDIUM_DRM_SHIM_REAL_H
#define INDIUM_DRM_SHIM_REAL_H

#include <dirent.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

struct real_libc {
   int (*open)(const char *, int, ...);
   int (*openat)(int, const char *, int, ...);
   FILE *(*fopen)(const char *, const char *);
   int (*fclose)(FILE *);
   int (*stat)(const char *, struct stat *);
   int (*lstat)(const char *, struct stat *);
   int (*fstat)(int, struct stat *);
   int (*fstatat)(int, const char *, struct stat *, int);
   int (*statx)(int, const char *, int, unsigned, struct statx *);
   int (*access)(const char *, int);
   int (*faccessat)(int, const char *, int, int);
   int (*chmod)(const char *, mode_t);
   int (*fchmod)(int, mode_t);
   int (*fchmodat)(int, const char *, mode_t, int);
   int (*chown)(const char *, uid_t, gid_t);
   int (*lchown)(const char *, uid_t, gid_t);
   int (*fchown)(int, uid_t, gid_t);
   int (*fchownat)(int, const char *, uid_t, gid_t, int);
   ssize_t (*getxattr)(const char *, const char *, void *, size_t);
   ssize_t (*lgetxattr)(const char *, const char *, void *, size_t);
   ssize_t (*listxattr)(const char *, char *, size_t);
   ssize_t (*llistxattr)(const char *, char *, size_t);
   int (*setxattr)(const char *, const char *, const void *, size_t, int);
   int (*lsetxattr)(const char *, const char *, const void *, size_t, int);
   int (*removexattr)(const char *, const char *);
   int (*lremovexattr)(const char *, const char *);
   ssize_t (*readlink)(const char *, char *, size_t);
   ssize_t (*readlinkat)(int, const char *, char *, size_t);
   char *(*realpath)(const char *, char *);
   DIR *(*opendir)(const char *);
   int (*scandir)(const char *, struct dirent ***, int (*)(const struct dirent *),
                  int (*)(const struct dirent **, const struct dirent **));
   int (*ioctl)(int, unsigned long, ...);
   void *(*mmap)(void *, size_t, int, int, int, off_t);
   int (*munmap)(void *, size_t);
   void *(*mremap)(void *, size_t, size_t, int, ...);
   int (*mprotect)(void *, size_t, int);
   int (*madvise)(void *, size_t, int);
   ssize_t (*read)(int, void *, size_t);
   ssize_t (*write)(int, const void *, size_t);
   off_t (*lseek)(int, off_t, int);
   int (*close)(int);
   int (*close_range)(unsigned, unsigned, int);
   void (*closefrom)(int);
   int (*dup)(int);
   int (*dup2)(int, int);
   int (*dup3)(int, int, int);
   int (*fcntl)(int, int, ...);
   int (*execve)(const char *, char *const[], char *const[]);
   int (*execvpe)(const char *, char *const[], char *const[]);
   int (*fexecve)(int, char *const[], char *const[]);
   int (*execveat)(int, const char *, char *const[], char *const[], int);
   int (*posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                      char *const[], char *const[]);
   int (*posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                       char *const[], char *const[]);
};

/* Resolved at the first call. */
const struct real_libc *real(void);

#endif
