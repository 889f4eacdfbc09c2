#ifndef HERALD_CLIBNGHTTP2_SHIM_H
#define HERALD_CLIBNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

// The code of a GOAWAY or RST_STREAM frame and the frame's type are in a union.
static inline uint8_t herald_h2_frame_type(const nghttp2_frame *frame) { return frame->hd.type; }
static inline int32_t herald_h2_frame_stream(const nghttp2_frame *frame) {
    return frame->hd.stream_id;
}
static inline int herald_h2_frame_ends_stream(const nghttp2_frame *frame) {
    return (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}
static inline int herald_h2_is_request(const nghttp2_frame *frame) {
    return frame->hd.type == NGHTTP2_HEADERS
        && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
}

#endif
