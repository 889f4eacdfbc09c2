/* Preloaded into Herald: records whether the kernel may dump the process's memory when it opens a file.
 *
 * Each line of the file OPENED_FILES has PR_GET_DUMPABLE, both limits of RLIMIT_CORE, and the path.
 * Unlike a tracer, it needs no capability to read the path of a process that is not dumpable.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int log_file = -1;

#define REAL(name) \
    static typeof(&name) real; \
    if (!real) real = (typeof(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    REAL(open);
    const char *path = getenv("OPENED_FILES");
    if (path) log_file = real(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void record(const char *path) {
    char line[PATH_MAX + 64];
    struct rlimit core;
    if (log_file < 0 || getrlimit(RLIMIT_CORE, &core)) return;
    int length = snprintf(line, sizeof line, "%d %llu %llu %s\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0),
        (unsigned long long)core.rlim_cur, (unsigned long long)core.rlim_max, path);
    if (length < 0 || length >= (int)sizeof line || write(log_file, line, length) != length) abort();
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        record(path); \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
