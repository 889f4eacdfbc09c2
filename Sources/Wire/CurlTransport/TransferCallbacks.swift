internal import CLibCurl
internal import HTTPTransport

extension Transfer {
    /// Points libcurl at this object, unretained, because the object frees the handle in its
    /// deinitializer.
    @unsafe func setCallbacks() throws(TransportError) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_PREREQDATA, CURLOPT_READDATA, CURLOPT_HEADERDATA,
            CURLOPT_WRITEDATA,
        ] {
            try unsafe easy.setPointer(option, to: context)
        }
        try unsafe easy.setPrerequest { context, _, _, _, _ in
            unsafe transfer(context).mayWriteRequest() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        try unsafe easy.setReader { space, size, count, context in
            unsafe transfer(context).readBody(
                into: UnsafeMutableRawBufferPointer(start: space, count: size * count)
            )
        }
        try unsafe easy.setWriter(CURLOPT_HEADERFUNCTION) { line, size, count, context in
            unsafe transfer(context).receive(headerLine: bytes(from: line, count: size * count))
            return size * count
        }
        try unsafe easy.setWriter(CURLOPT_WRITEFUNCTION) { piece, size, count, context in
            let isTaken = unsafe transfer(context).receive(
                body: bytes(from: piece, count: size * count)
            )
            // Any other number ends the transfer.
            return isTaken ? size * count : 0
        }
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
    guard let context = unsafe context else {
        preconditionFailure("a callback without its context")
    }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private func bytes(
    from start: UnsafeMutablePointer<CChar>?,
    count: Int
) -> UnsafeBufferPointer<UInt8> {
    let raw = unsafe UnsafeRawBufferPointer(start: start, count: count)
    return unsafe raw.bindMemory(to: UInt8.self)
}
