import Glibc

/// A listener with a full queue, so that connecting to it never completes.
///
/// A class, because it closes its sockets in its deinitializer.
final class FullListener {
    let port: UInt16
    private var sockets: [Int32]

    init() throws {
        let (listener, port) = try listenOnLoopback(backlog: 0)
        self.port = port
        sockets = [listener]
        // Linux accepts one connection more than the backlog; the others wait.
        for _ in 0..<3 { sockets.append(try connectWithoutWaiting(port)) }
    }

    deinit {
        for socket in sockets { close(socket) }
    }
}

/// Returns a port on which nothing listens.
///
/// Its socket stays bound until the tests end, so that no other test gets the port.
func unusedPort() throws -> UInt16 { try bindToLoopback().port }

struct RawSocketError: Error {}

let rawStreamSocket = Int32(SOCK_STREAM.rawValue)
let rawSendFlags = Int32(MSG_NOSIGNAL)

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

private func withAddress<Result>(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
) -> Result {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
}

func listenOnLoopback(backlog: Int32) throws -> (listener: Int32, port: UInt16) {
    let (listener, port) = try bindToLoopback()
    guard Glibc.listen(listener, backlog) == 0 else { throw RawSocketError() }
    return (listener, port)
}

private func bindToLoopback() throws -> (socket: Int32, port: UInt16) {
    let bound = socket(AF_INET, rawStreamSocket, 0)
    var address = loopback(0)
    let isBound = withAddress(&address) { pointer, length in
        bind(bound, pointer, length.pointee) == 0 && getsockname(bound, pointer, length) == 0
    }
    guard bound >= 0, isBound else { throw RawSocketError() }
    return (bound, UInt16(bigEndian: address.sin_port))
}

private func connectWithoutWaiting(_ port: UInt16) throws -> Int32 {
    let client = socket(AF_INET, rawStreamSocket, 0)
    guard client >= 0, fcntl(client, F_SETFL, O_NONBLOCK) == 0 else { throw RawSocketError() }
    var address = loopback(port)
    _ = withAddress(&address) { pointer, length in connect(client, pointer, length.pointee) }
    return client
}
