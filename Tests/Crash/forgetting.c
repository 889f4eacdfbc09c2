/* A file layer that can forget: after the process has ended, unsynced changes of the watched
 * files can be discarded, as in a power failure.
 *
 * Preloaded into Herald. Before each change of a watched file or of its name, it appends the
 * previous content to a journal. It also appends each sync. forgetting.py reads the journal.
 *
 *   FORGET_ROOT      the folder of the watched files, which exclude -shm and .writer
 *   FORGET_JOURNAL   the folder of the journal and of files that were unlinked
 *   FORGET_PAUSE     milliseconds to wait before each sync, so that more happens in the meantime
 *   FORGET_KILL      the number of the sync, from 1, in the middle of which to kill the process
 *   FORGET_BOOT      a file with the boot ID that the process sees, because a power failure changes it
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A journal entry as forgetting.py reads it. The path, the old and the new content follow. */
struct record {
    char operation;
    char padding[3];
    uint32_t path, old, new;
    uint64_t inode;
    int64_t offset, size;
};

static char root[PATH_MAX], folder[PATH_MAX], boot[PATH_MAX];
static int journal = -1;
static useconds_t sync_pause;
static long fatal_sync;
static atomic_long syncs, unlinked;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
    static typeof(&name) real; \
    if (!real) real = (typeof(&name))dlsym(RTLD_NEXT, #name)

static ssize_t append(const void *bytes, size_t count) {
    REAL(write);
    return real(journal, bytes, count);
}

__attribute__((constructor)) static void begin(void) {
    const char *watched = getenv("FORGET_ROOT"), *kept = getenv("FORGET_JOURNAL");
    if (!watched || !kept || !realpath(watched, root) || !realpath(kept, folder)) return;
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/journal", folder);
    journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *pause = getenv("FORGET_PAUSE"), *fatal = getenv("FORGET_KILL");
    sync_pause = pause ? atoi(pause) * 1000 : 0;
    fatal_sync = fatal ? atol(fatal) : 0;
    const char *other = getenv("FORGET_BOOT");
    if (other) snprintf(boot, sizeof boot, "%s", other);
}

static int ends(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static int is_watched(const char *path) {
    size_t length = strlen(root);
    return journal >= 0 && !strncmp(path, root, length) && (path[length] == '/' || !path[length])
        && !ends(path, "-shm") && !ends(path, ".writer") && !strstr(path + length, "/emulator/");
}

/* Returns the path of a descriptor if it is watched. */
static int watched_descriptor(int descriptor, char *path) {
    char link[64];
    if (journal < 0 || descriptor == journal) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_watched(path);
}

/* Returns a path with its folder resolved if it is watched; the file need not exist yet. */
static int watched_path(const char *given, char *path) {
    if (journal < 0) return 0;
    char parent[PATH_MAX], resolved[PATH_MAX];
    const char *slash = strrchr(given, '/');
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - given) + 1 : 1, slash ? given : ".");
    if (!realpath(parent, resolved)) return 0;
    if (snprintf(path, PATH_MAX, "%s/%s", resolved, slash ? slash + 1 : given) >= PATH_MAX) return 0;
    return is_watched(path);
}

static void note(char operation, const char *path, struct stat *status, int64_t offset,
                 const void *old, size_t old_count, const void *new, size_t new_count) {
    struct record head = {
        .operation = operation, .path = strlen(path), .old = old_count, .new = new_count,
        .inode = status->st_ino, .offset = offset, .size = status->st_size};
    size_t total = sizeof head + head.path + old_count + new_count;
    char *bytes = malloc(total), *next = bytes;
    if (!bytes) abort();
    next = mempcpy(next, &head, sizeof head);
    next = mempcpy(next, path, head.path);
    if (old_count) next = mempcpy(next, old, old_count);
    if (new_count) mempcpy(next, new, new_count);
    if (append(bytes, total) != (ssize_t)total) abort();
    free(bytes);
}

/* Returns at most `count` bytes of a file from `offset` on; the caller frees them. */
static char *saved(int descriptor, int64_t offset, int64_t size, size_t count, size_t *got) {
    *got = offset >= size ? 0 : (size_t)(size - offset) < count ? (size_t)(size - offset) : count;
    char *bytes = malloc(*got + 1), link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    /* The descriptor itself may be write-only. */
    int reader = open(link, O_RDONLY | O_CLOEXEC);
    if (!bytes || reader < 0 || pread(reader, bytes, *got, offset) != (ssize_t)*got) abort();
    close(reader);
    return bytes;
}

static void before_write(int descriptor, const void *new, size_t count, int64_t offset) {
    char path[PATH_MAX];
    struct stat status;
    if (!watched_descriptor(descriptor, path) || fstat(descriptor, &status)) return;
    if (!S_ISREG(status.st_mode)) return;
    size_t got;
    char *old = saved(descriptor, offset, status.st_size, count, &got);
    note('W', path, &status, offset, old, got, new, count);
    free(old);
}

static void before_truncation(int descriptor, int64_t size) {
    char path[PATH_MAX];
    struct stat status;
    if (!watched_descriptor(descriptor, path) || fstat(descriptor, &status)) return;
    size_t got;
    char *old = saved(descriptor, size, status.st_size, SIZE_MAX, &got);
    note('T', path, &status, size, old, got, 0, 0);
    free(old);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    pthread_mutex_lock(&one);
    before_write(descriptor, bytes, count, offset);
    ssize_t result = real(descriptor, bytes, count, offset);
    pthread_mutex_unlock(&one);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(write);
    char path[PATH_MAX];
    if (!watched_descriptor(descriptor, path)) return real(descriptor, bytes, count);
    pthread_mutex_lock(&one);
    int appends = fcntl(descriptor, F_GETFL) & O_APPEND;
    before_write(descriptor, bytes, count, lseek(descriptor, 0, appends ? SEEK_END : SEEK_CUR));
    ssize_t result = real(descriptor, bytes, count);
    pthread_mutex_unlock(&one);
    return result;
}

int ftruncate64(int descriptor, off64_t size) {
    REAL(ftruncate64);
    pthread_mutex_lock(&one);
    before_truncation(descriptor, size);
    int result = real(descriptor, size);
    pthread_mutex_unlock(&one);
    return result;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

/* D for a folder, S for a file: all its earlier entries are now on the disk. */
static int synced(int descriptor, int (*real)(int)) {
    char path[PATH_MAX];
    struct stat status;
    if (!watched_descriptor(descriptor, path) || fstat(descriptor, &status)) return real(descriptor);
    if (sync_pause) usleep(sync_pause);
    if (atomic_fetch_add(&syncs, 1) + 1 == fatal_sync) {
        usleep(50000);
        kill(getpid(), SIGKILL);
    }
    pthread_mutex_lock(&one);
    int result = real(descriptor);
    if (!result) note(S_ISDIR(status.st_mode) ? 'D' : 'S', path, &status, 0, 0, 0, 0, 0);
    pthread_mutex_unlock(&one);
    return result;
}

int fsync(int descriptor) {
    REAL(fsync);
    return synced(descriptor, real);
}

int fdatasync(int descriptor) {
    REAL(fdatasync);
    return synced(descriptor, real);
}

static int opened(const char *given, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
    char path[PATH_MAX];
    struct stat status;
    if (boot[0] && !strcmp(given, "/proc/sys/kernel/random/boot_id")) return real(boot, flags, mode);
    if (!(flags & (O_CREAT | O_TRUNC)) || !watched_path(given, path)) return real(given, flags, mode);
    pthread_mutex_lock(&one);
    int was_there = !stat(path, &status);
    int descriptor = real(given, flags & ~O_TRUNC, mode);
    if (descriptor >= 0 && !was_there && !fstat(descriptor, &status))
        note('C', path, &status, 0, 0, 0, 0, 0);
    pthread_mutex_unlock(&one);
    if (descriptor >= 0 && (flags & O_TRUNC)) ftruncate64(descriptor, 0);
    return descriptor;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        return opened(path, flags, mode, real); \
    }
OPEN(open)
OPEN(open64)

int unlink(const char *given) {
    REAL(unlink);
    char path[PATH_MAX], kept[PATH_MAX + 64];
    struct stat status;
    if (!watched_path(given, path) || stat(path, &status)) return real(given);
    pthread_mutex_lock(&one);
    /* A second name keeps the file and prevents its inode number from being reused. */
    snprintf(kept, sizeof kept, "%s/unlinked-%ld", folder, atomic_fetch_add(&unlinked, 1));
    while (linkat(AT_FDCWD, path, AT_FDCWD, kept, 0) && errno == EEXIST)
        snprintf(kept, sizeof kept, "%s/unlinked-%ld", folder, atomic_fetch_add(&unlinked, 1));
    note('U', path, &status, 0, kept, strlen(kept), 0, 0);
    int result = real(given);
    pthread_mutex_unlock(&one);
    return result;
}

int link(const char *from, const char *to) {
    REAL(link);
    char path[PATH_MAX];
    struct stat status;
    int result = real(from, to);
    if (!result && watched_path(to, path) && !stat(path, &status)) {
        pthread_mutex_lock(&one);
        note('C', path, &status, 0, 0, 0, 0, 0);
        pthread_mutex_unlock(&one);
    }
    return result;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    char before[PATH_MAX], after[PATH_MAX];
    struct stat status;
    int is_watched = watched_path(from, before) && watched_path(to, after) && !stat(before, &status);
    int result = real(from, to);
    if (!result && is_watched) {
        pthread_mutex_lock(&one);
        note('R', after, &status, 0, before, strlen(before), 0, 0);
        pthread_mutex_unlock(&one);
    }
    return result;
}
