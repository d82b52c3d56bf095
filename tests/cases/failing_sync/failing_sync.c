/* Loaded before the C library: every sync fails, as a dying disk's does, while the file that FAILS_WHILE names is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int sync_or_fail(const char *name, int file)
{
    const char *sign = getenv("FAILS_WHILE");
    if (sign != NULL && access(sign, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return real(file);
}

int fsync(int file)
{
    return sync_or_fail("fsync", file);
}

int fdatasync(int file)
{
    return sync_or_fail("fdatasync", file);
}
