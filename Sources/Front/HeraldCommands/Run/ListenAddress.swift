import ArgumentParser
import Text

/// An address to listen on: a port of this machine, or host and port.
struct ListenAddress: ExpressibleByArgument, Hashable {
    let host: String
    let port: Int

    /// `PORT`, `HOST:PORT` or `[IPv6]:PORT`; port 0 is any free port.
    init?(argument: String) {
        let end = argument.lastIndex(of: ":")
        let digits = end.map { argument[argument.index(after: $0)...] } ?? argument[...]
        let isNumber = (1...5).contains(digits.utf8.count) && digits.utf8.allSatisfy(\.isASCIIDigit)
        guard isNumber, let port = Int(digits), port <= 65_535 else { return nil }
        self.port = port
        guard let end else {
            host = "127.0.0.1"
            return
        }
        guard let address = ServerAddress(of: "http://\(argument[..<end])"), address.port == nil,
            address.rest.isEmpty
        else { return nil }
        host = address.host
    }

    /// `port`: the actual port.
    func url(port: Int) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
