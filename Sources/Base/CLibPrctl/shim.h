#ifndef HERALD_CLIBPRCTL_SHIM_H
#define HERALD_CLIBPRCTL_SHIM_H

#ifdef __linux__
#include <sys/prctl.h>
#endif

// prctl(2) takes variable arguments, which Swift cannot call. Returns 0 on success.
static inline int herald_forbid_dumps(void) {
#ifdef __linux__
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
    return 0;
#endif
}

#endif
