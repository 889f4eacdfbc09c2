import Glibc

/// Sends datagrams to Unix sockets.
package enum DatagramSocket {
    /// Sends one datagram.
    ///
    /// Waits at most one second if the receiver's queue is full.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The socket's path. `@` at its start stands for the NUL byte of an abstract name
    ///     (unix(7)).
    /// - Throws: The operating system's error, such as `.notFound` without a receiver.
    package static func send(_ bytes: [UInt8], to path: String) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        let isAbstract = name.first == UInt8(ascii: "@")
        if isAbstract { name[0] = 0 }
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        // A path ends with a NUL byte.
        guard !name.isEmpty, name.count < capacity else { throw .nameTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let offset = MemoryLayout<sockaddr_un>.size - capacity
        let length = socklen_t(offset + name.count + (isAbstract ? 0 : 1))

        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .last }
        let file = File(owning: descriptor)
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(file.descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let sent = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(
                    file.descriptor,
                    bytes,
                    bytes.count,
                    CInt(MSG_NOSIGNAL),
                    address,
                    length
                )
            }
        }
        guard sent == bytes.count else { throw .last }
    }
}
