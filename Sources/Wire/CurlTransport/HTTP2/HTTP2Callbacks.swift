internal import CLibNGHTTP2
internal import HTTPTransport

/// Handles libnghttp2's callbacks; each call happens while the link passes bytes to its session.
extension HTTP2Link {
    @unsafe static func setCallbacks(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) {
            _,
            frame,
            context in
            guard let frame = unsafe frame, unsafe herald_h2_is_request(frame) != 0 else {
                return 0
            }
            let isKnown = unsafe link(context).willWriteRequest(herald_h2_frame_stream(frame))
            return isKnown ? 0 : NGHTTP2_ERR_CANCEL.rawValue
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            nameLength,
            value,
            valueLength,
            _,
            context in
            if let frame = unsafe frame {
                unsafe link(context).receive(
                    name: UnsafeBufferPointer(start: name, count: nameLength),
                    value: UnsafeBufferPointer(start: value, count: valueLength),
                    of: herald_h2_frame_stream(frame)
                )
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _,
            _,
            stream,
            bytes,
            count,
            context in
            let piece = unsafe UnsafeBufferPointer(start: bytes, count: count)
            unsafe link(context).receive(body: piece, of: stream)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) {
            _,
            frame,
            context in
            if let frame = unsafe frame {
                unsafe link(context).receive(
                    frameOf: herald_h2_frame_stream(frame),
                    isHeaders: herald_h2_frame_type(frame) == UInt8(NGHTTP2_HEADERS.rawValue),
                    endsStream: herald_h2_frame_ends_stream(frame) != 0
                )
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            _,
            stream,
            code,
            context in
            unsafe link(context).end(stream, code: code)
            return 0
        }
    }

    static let bodyReader: nghttp2_data_source_read_callback = {
        _,
        stream,
        space,
        size,
        flags,
        _,
        context in
        let space = unsafe UnsafeMutableRawBufferPointer(start: space, count: size)
        let (count, isEnd) = unsafe link(context).readBody(of: stream, into: space)
        if isEnd { unsafe flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        return count
    }
}

private func link(_ context: UnsafeMutableRawPointer?) -> HTTP2Link {
    guard let context = unsafe context else {
        preconditionFailure("a callback without its context")
    }
    return unsafe Unmanaged<HTTP2Link>.fromOpaque(context).takeUnretainedValue()
}
