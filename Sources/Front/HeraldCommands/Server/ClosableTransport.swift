import CurlTransport
import HTTPTransport

/// A transport with connections to close.
protocol ClosableTransport: Transport {
    /// Closes the connections.
    ///
    /// Open requests and all later requests fail as cancelled.
    func shutdown() async
}

extension CurlTransport: ClosableTransport {}
