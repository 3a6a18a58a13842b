/* Records what a process does to its disk, and can make the disk fail. Loaded with LD_PRELOAD.

   Environment:
     FELTWIRE_DISK        folder whose files are recorded; an absolute path without links
     FELTWIRE_DISK_LOG    the log is this path, a dot and the process's number; without it nothing is recorded
     FELTWIRE_DISK_FAULT  a file that says what fails now: lines `sync ERRNO`, `write ERRNO`, `slow MILLISECONDS`
     FELTWIRE_DEATH       a file that says at which call the process is killed (SIGKILL), once: `WHEN CALL WHERE COUNT`.
                          WHEN: before, half (half of the bytes are written), after. CALL: write, sync, unlink with the
                          end of a file's name; send with the peer's port, 0 for any; device (a terminal) with `-`.

   One lock is held over each call and its record, so that the log has one order: a sync covers every write before it.
   A record is the header below and two strings of bytes. Bytes sent to sockets and terminals are recorded too: they
   are what the process acknowledged. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <netinet/in.h>
#include "death.h"

#define MOST_FILES 4096

struct header {
    uint32_t op; /* a letter */
    uint32_t fd;
    uint64_t inode;
    uint64_t at; /* offset, size, 1 for a file that was created, or the peer's port */
    uint32_t first, second; /* lengths of the two strings */
} __attribute__((packed));

static char root[PATH_MAX], fault_file[PATH_MAX];
static size_t root_length;
static int log_file = -1;
static unsigned char watched[MOST_FILES]; /* descriptors of files under the root */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("FELTWIRE_DISK"), *log = getenv("FELTWIRE_DISK_LOG");
    const char *fault = getenv("FELTWIRE_DISK_FAULT"), *death = getenv("FELTWIRE_DEATH");
    if (death != NULL) snprintf(death_file, sizeof death_file, "%s", death);
    if (folder == NULL) return;
    snprintf(root, sizeof root, "%s/", folder);
    root_length = strlen(root);
    if (fault != NULL) snprintf(fault_file, sizeof fault_file, "%s", fault);
    if (log == NULL) return;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%d", log, (int)getpid());
    log_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int under_root(const char *path) {
    if (root_length == 0 || path == NULL) return 0;
    if (strncmp(path, root, root_length - 1) != 0) return 0;
    return path[root_length - 1] == 0 || path[root_length - 1] == '/'; /* the folder itself, or something in it */
}

static int of_interest(int fd) { return fd >= 0 && fd < MOST_FILES && watched[fd]; }

static void put(char op, int fd, uint64_t inode, uint64_t at, const void *first, size_t first_length,
                const void *second, size_t second_length) {
    if (log_file < 0) return;
    struct header header = {(uint32_t)op, (uint32_t)fd, inode, at, (uint32_t)first_length, (uint32_t)second_length};
    struct iovec parts[3] = {{&header, sizeof header}, {(void *)first, first_length}, {(void *)second, second_length}};
    if (syscall(SYS_writev, log_file, parts, 3) < 0) abort();
}

static uint64_t inode_of(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

/* The error that `call` is to fail with now, 0 for none; sleeps where the disk is to be slow. */
static int fault_of(const char *call) {
    if (fault_file[0] == 0) return 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, fault_file, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) return 0;
    char text[256] = {0};
    long got = syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    int fails = 0;
    for (char *line = got > 0 ? strtok(text, "\n") : NULL; line != NULL; line = strtok(NULL, "\n")) {
        char *value = strchr(line, ' ');
        if (value == NULL) continue;
        *value++ = 0;
        if (strcmp(line, call) == 0) fails = atoi(value);
        if (strcmp(line, "slow") == 0 && strcmp(call, "sync") == 0) {
            int ms = atoi(value);
            struct timespec pause = {ms / 1000, (ms % 1000) * 1000000L};
            nanosleep(&pause, NULL);
        }
    }
    return fails;
}

/* ------------------------------------------------------------------------------------------------ files */

static int opened(int fd, const char *path, int there) {
    if (fd >= 0 && fd < MOST_FILES) watched[fd] = 1;
    struct stat found;
    if (fd >= 0 && fstat(fd, &found) == 0 && S_ISREG(found.st_mode))
        put('O', fd, found.st_ino, (uint64_t)!there, path, strlen(path), NULL, 0);
    return fd;
}

static int open_file(int folder, const char *path, int flags, unsigned mode) {
    if (!under_root(path)) {
        int fd = (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
        if (fd >= 0 && fd < MOST_FILES) watched[fd] = 0;
        return fd;
    }
    pthread_mutex_lock(&lock);
    struct stat found;
    int there = stat(path, &found) == 0;
    int fd = (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
    int error = errno;
    if (fd >= 0 && there && (flags & O_TRUNC)) put('T', fd, inode_of(fd), 0, NULL, 0, NULL, 0);
    opened(fd, path, there);
    pthread_mutex_unlock(&lock);
    errno = error;
    return fd;
}

#define MODE_OF(flags) \
    unsigned mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, unsigned); va_end(more); }

int open(const char *path, int flags, ...) { MODE_OF(flags) return open_file(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_file(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE_OF(flags) return open_file(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE_OF(flags) return open_file(folder, path, flags, mode); }

int close(int fd) {
    if (fd >= 0 && fd < MOST_FILES) watched[fd] = 0;
    return (int)syscall(SYS_close, fd);
}

static ssize_t write_at(int fd, const void *data, size_t length, int64_t offset, int positioned) {
    pthread_mutex_lock(&lock);
    char path[PATH_MAX];
    enum when when = death_file[0] && path_of(fd, path, sizeof path) > 0 ? due("write", path, 0) : NOT;
    if (when == HALF) length /= 2;
    int fails = fault_of("write");
    ssize_t done = -1;
    if (fails) {
        errno = fails;
    } else {
        if (!positioned) {
            struct stat found;
            int append = fcntl(fd, F_GETFL) & O_APPEND;
            offset = append && fstat(fd, &found) == 0 ? found.st_size : lseek(fd, 0, SEEK_CUR);
        }
        done = positioned ? syscall(SYS_pwrite64, fd, data, length, offset) : syscall(SYS_write, fd, data, length);
        int error = errno;
        if (done > 0) put('W', fd, inode_of(fd), (uint64_t)offset, NULL, 0, data, (size_t)done);
        errno = error;
    }
    over(when);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    if (!of_interest(fd)) return syscall(SYS_pwrite64, fd, data, length, offset);
    return write_at(fd, data, length, offset, 1);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
    if (!of_interest(fd)) return syscall(SYS_pwrite64, fd, data, length, offset);
    return write_at(fd, data, length, offset, 1);
}

static int truncated(int fd, int64_t size) {
    if (!of_interest(fd)) return (int)syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_ftruncate, fd, size);
    if (done == 0) put('T', fd, inode_of(fd), (uint64_t)size, NULL, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate(int fd, off_t size) { return truncated(fd, size); }
int ftruncate64(int fd, off64_t size) { return truncated(fd, size); }

static int synced(int fd, long call) {
    if (!of_interest(fd)) return (int)syscall(call, fd);
    pthread_mutex_lock(&lock);
    char path[PATH_MAX];
    enum when when = death_file[0] && path_of(fd, path, sizeof path) > 0 ? due("sync", path, 0) : NOT;
    int fails = fault_of("sync"), done = -1;
    if (fails) {
        errno = fails;
    } else {
        struct stat found;
        done = (int)syscall(call, fd);
        if (done == 0 && fstat(fd, &found) == 0) {
            if (S_ISDIR(found.st_mode)) {
                ssize_t length = path_of(fd, path, sizeof path);
                put('D', fd, found.st_ino, 0, path, length > 0 ? (size_t)length : 0, NULL, 0);
            } else {
                put('S', fd, found.st_ino, 0, NULL, 0, NULL, 0);
            }
        }
    }
    over(when);
    pthread_mutex_unlock(&lock);
    return done;
}

int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

/* -------------------------------------------------------------------------------------------- directories */

int rename(const char *from, const char *to) {
    if (!under_root(from)) return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (done == 0) put('R', 0, 0, 0, from, strlen(from), to, strlen(to));
    pthread_mutex_unlock(&lock);
    return done;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    if (under_root(from)) return rename(from, to);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int unlink(const char *path) {
    if (!under_root(path) && !death_file[0]) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&lock);
    enum when when = due("unlink", path, 0);
    int done = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    over(when);
    if (done == 0 && under_root(path)) put('U', 0, 0, 0, path, strlen(path), NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}

int unlinkat(int folder, const char *path, int flags) {
    if (under_root(path) && flags == 0) return unlink(path);
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    if (!under_root(path)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (done == 0) put('M', 0, 0, 0, path, strlen(path), NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}

/* ------------------------------------------------------------------------------------- what it tells others */

/* The port of a socket's peer, 0 for a terminal, whose path is then in `path`, -1 for anything else. */
static int64_t peer_of(int fd, char *path, size_t size) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    path[0] = 0;
    if (getpeername(fd, (struct sockaddr *)&peer, &length) == 0 && peer.ss_family == AF_INET)
        return ntohs(((struct sockaddr_in *)&peer)->sin_port);
    path_of(fd, path, size);
    return strncmp(path, "/dev/pts", 8) == 0 ? 0 : -1;
}

static ssize_t tell(int fd, const void *data, size_t length, int flags, int socket) {
    char path[PATH_MAX];
    pthread_mutex_lock(&lock);
    int64_t peer = peer_of(fd, path, sizeof path);
    const char *call = peer > 0 ? "send" : peer == 0 ? "device" : "write";
    enum when when = due(call, peer > 0 ? NULL : path, peer > 0 ? (uint64_t)peer : 0);
    if (when == HALF) length = (length + 1) / 2;
    ssize_t done = socket ? syscall(SYS_sendto, fd, data, length, flags, NULL, 0) : syscall(SYS_write, fd, data, length);
    int error = errno;
    over(when);
    if (done > 0 && peer >= 0) put('X', fd, 0, (uint64_t)peer, path, strlen(path), data, (size_t)done);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t write(int fd, const void *data, size_t length) {
    if (of_interest(fd)) return write_at(fd, data, length, 0, 0);
    if (log_file < 0 && death_file[0] == 0) return syscall(SYS_write, fd, data, length);
    return tell(fd, data, length, 0, 0);
}

ssize_t send(int fd, const void *data, size_t length, int flags) {
    if (log_file < 0 && death_file[0] == 0) return syscall(SYS_sendto, fd, data, length, flags, NULL, 0);
    return tell(fd, data, length, flags, 1);
}
