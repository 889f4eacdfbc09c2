#ifndef HERALD_CLIBZSTD_SHIM_H
#define HERALD_CLIBZSTD_SHIM_H

#include <zstd.h>
#include <zstd_errors.h>

// The codes of errors are an enumeration whose type differs between platforms.
static inline int herald_zstd_needs_larger_window(size_t result) {
    return ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge;
}
static inline int herald_zstd_lacks_memory(size_t result) {
    return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation;
}

#endif
