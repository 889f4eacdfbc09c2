#ifndef HERALD_CLIBZLIB_SHIM_H
#define HERALD_CLIBZLIB_SHIM_H

#include <zlib.h>

// A macro, which Swift cannot call. 16 selects gzip, without zlib's own format.
static inline int herald_gzip_begin(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}

#endif
