/// A frame in its wire format (RFC 9113, section 4.1).
struct HTTP2WireFrame: Equatable {
    let type: UInt8
    let flags: UInt8
    let stream: Int
    let payload: [UInt8]

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let endStream: UInt8 = 1

    /// Returns the 32-bit number at a byte offset of the payload.
    func number(at offset: Int) -> Int {
        payload[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A minimal HTTP/2 client over a blocking connection, which shows every frame of the server.
final class HTTP2Client {
    let connection: LoopbackClient

    /// Connects with `settings` in the format of a SETTINGS frame.
    init(url: String, settings: [UInt8] = []) throws {
        connection = try LoopbackClient(url: url)
        try connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        try send(type: HTTP2WireFrame.settings, flags: 0, stream: 0, settings)
    }

    /// Sends requests without bodies in one write, on separate streams from 1 on.
    func get(_ paths: String...) throws {
        let frames = paths.enumerated().flatMap { index, path in
            frame(type: HTTP2WireFrame.headers, flags: 5, stream: 2 * index + 1, block(path))
        }
        try connection.send(frames)
    }

    func open(_ path: String, stream: Int, isWhole: Bool = true) throws {
        let flags: UInt8 = isWhole ? 5 : 4
        try send(type: HTTP2WireFrame.headers, flags: flags, stream: stream, block(path))
    }

    func send(type: UInt8, flags: UInt8, stream: Int, _ payload: [UInt8]) throws {
        try connection.send(frame(type: type, flags: flags, stream: stream, payload))
    }

    /// Returns the next frame, skipping SETTINGS and WINDOW_UPDATE.
    func next() throws -> HTTP2WireFrame {
        while true {
            let frame = try read()
            let isAside =
                frame.type == HTTP2WireFrame.settings || frame.type == HTTP2WireFrame.windowUpdate
            if !isAside { return frame }
        }
    }

    func read() throws -> HTTP2WireFrame {
        let head = try connection.receive(9)
        let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
        return HTTP2WireFrame(
            type: head[3],
            flags: head[4],
            stream: head[5...].reduce(0) { $0 << 8 | Int($1) },
            payload: try connection.receive(length)
        )
    }

    /// Encodes `GET http://x/PATH` without the dynamic table (RFC 7541, appendix A).
    private func block(_ path: String) -> [UInt8] {
        [0x82, 0x86, 0x04, UInt8(path.utf8.count)] + Array(path.utf8) + [0x01, 1, 0x78]
    }

    private func frame(type: UInt8, flags: UInt8, stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let length = [16, 8, 0].map { UInt8(payload.count >> $0 & 255) }
        let number = [24, 16, 8, 0].map { UInt8(stream >> $0 & 255) }
        return length + [type, flags] + number + payload
    }
}
