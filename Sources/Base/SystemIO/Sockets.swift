package import Glibc

/// IP addresses as bytes.
package enum InternetAddress {
    /// Four or sixteen bytes; nil if the text is not an address.
    package static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }
}

/// Values of socket options.
package enum SocketOption {
    /// The `SO_LINGER` value with which closing a connection sends a TCP RST.
    package static var closingWithReset: linger { linger(l_onoff: 1, l_linger: 0) }
}
