import Glibc
import JSON

struct LoopbackFailure: Error {
    let what: String
}

struct HTTPAnswer {
    let status: Int
    /// By lower-case name.
    let headers: [String: String]
    let body: [UInt8]

    var json: JSONValue? { JSONValue(parsing: body) }
}

/// A blocking HTTP/1.1 connection over a socket, which can send malformed bytes on purpose.
final class LoopbackClient {
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(url: String) throws {
        guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw LoopbackFailure(what: "no port in \(url)")
        }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw LoopbackFailure(what: "connect: \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    static func text(
        _ method: String,
        _ path: String,
        body: String,
        authorization: String? = "Bearer owner",
        projectID: String? = nil
    ) -> String {
        let credentials = authorization.map { "Authorization: \($0)\r\n" } ?? ""
        let project = projectID.map { "project_id: \($0)\r\n" } ?? ""
        return "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(credentials)\(project)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw LoopbackFailure(what: "send: \(errno)") }
            done += count
        }
    }

    func receive() throws -> HTTPAnswer {
        let headEnd = try readUntilBlankLine()
        let lines = String(decoding: received[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while received.count < headEnd + length { try fill() }
        let body = Array(received[headEnd..<headEnd + length])
        received.removeFirst(headEnd + length)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return HTTPAnswer(status: status ?? 0, headers: headers, body: body)
    }

    /// Receives exactly this number of bytes.
    func receive(_ count: Int) throws -> [UInt8] {
        while received.count < count { try fill() }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    /// Receives all bytes until the connection ends, and returns errno if it ends abnormally.
    func receiveRest() -> (bytes: [UInt8], problem: Int32) {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, 0)
            guard count == 1 else { return (received, count == 0 ? 0 : errno) }
            received.append(byte)
        }
    }

    /// Returns whether the connection is open and no data has arrived.
    func isSilent() -> Bool {
        var byte: UInt8 = 0
        let count = recv(
            descriptor,
            &byte,
            1,
            Int32(MSG_DONTWAIT | MSG_PEEK)
        )
        return received.isEmpty && count < 0 && errno == EAGAIN
    }

    /// Returns whether the server has closed the connection.
    func isAtEnd() -> Bool {
        var byte: [UInt8] = [0]
        return received.isEmpty && read(into: &byte) == 0
    }

    private func readUntilBlankLine() throws -> Int {
        var searched = 0
        while true {
            let tail = received.indices.dropFirst(searched).dropLast(3).first {
                received[$0...].starts(with: "\r\n\r\n".utf8)
            }
            if let tail { return tail + 4 }
            searched = max(0, received.count - 3)
            try fill()
        }
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(into: &buffer)
        guard count > 0 else { throw LoopbackFailure(what: "connection ended: \(errno)") }
        received.append(contentsOf: buffer[..<count])
    }
    /// Returns the number of received bytes, 0 at the end, or -1 with an error number.
    ///
    /// A signal to the process of the tests interrupts a call with a time limit (signal(7)).
    private func read(into buffer: inout [UInt8]) -> Int {
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
