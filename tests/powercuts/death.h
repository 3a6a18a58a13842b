/* A process that kills itself at a named call: see FELTWIRE_DEATH in shim.c. */
#pragma once

static char death_file[PATH_MAX];

enum when { NOT = 0, BEFORE = 'b', HALF = 'h', AFTER = 'a' };

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static ssize_t path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = 0;
    return length;
}

/* Whether this call is the one to die at; called under the lock. `where`: the file's path, or NULL for a peer of
   `port`. Before the call it dies here; otherwise the answer says when. */
static enum when due(const char *call, const char *where, uint64_t port) {
    static ino_t armed; /* the file that said so: each order is counted anew */
    static unsigned left;
    if (death_file[0] == 0) return NOT;
    int error = errno, fd = (int)syscall(SYS_openat, AT_FDCWD, death_file, O_RDONLY | O_CLOEXEC, 0);
    errno = error;
    if (fd < 0) return NOT;
    struct stat order;
    char text[PATH_MAX] = {0}, when[8], wanted[8], of[256];
    unsigned count;
    int known = fstat(fd, &order) == 0;
    long got = syscall(SYS_read, fd, text, sizeof text - 1);
    syscall(SYS_close, fd);
    if (!known || got <= 0 || sscanf(text, "%7s %7s %255s %u", when, wanted, of, &count) != 4) return NOT;
    if (strcmp(wanted, call) != 0) return NOT;
    if (where != NULL && strcmp(of, "-") != 0 && !ends_with(where, of)) return NOT;
    if (where == NULL && atol(of) != 0 && (uint64_t)atol(of) != port) return NOT;
    if (order.st_ino != armed) armed = order.st_ino, left = count;
    if (--left > 0) return NOT;
    syscall(SYS_unlinkat, AT_FDCWD, death_file, 0);
    if (when[0] == BEFORE) die();
    return (enum when)when[0];
}

static void over(enum when when) { if (when != NOT) die(); }
