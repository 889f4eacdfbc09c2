import Foundation
import Glibc
import PostgresClient
import Synchronization
import Testing

/// Forwards connections to a server's Unix socket, and can cut one off after its next commit of changes: the
/// server has answered, and the client never gets the answer.
///
/// A class, because its deinitializer removes the socket.
final class CuttingProxy: Sendable {
    private let folder: String
    private let listener: CInt
    private let isCutting: Mutex<Bool>

    /// `server`: the folder with the server's socket.
    init(to server: String) throws {
        folder = "/tmp/herald-proxy-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = Self.socket()
        isCutting = Mutex(false)
        let isBound = Self.withAddress(of: folder) { [listener] in bind(listener, $0, $1) }
        try #require(isBound == 0 && listen(listener, 16) == 0)
        let socket = listener
        DispatchQueue(label: "proxy").async { [weak self] in
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0, let self else { return }
                let upstream = Self.socket()
                guard Self.withAddress(of: server, { connect(upstream, $0, $1) }) == 0 else {
                    return
                }
                forward(client, upstream)
            }
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of the database through this proxy.
    func address(like address: PostgresAddress) throws -> PostgresAddress {
        let user = try #require(address.settings["user"])
        let name = try #require(address.settings["dbname"])
        return try PostgresAddress("host=\(folder) user=\(user) dbname=\(name)", variables: [:])
    }

    func cutNextCommit() {
        isCutting.withLock { $0 = true }
    }

    private func forward(_ client: CInt, _ server: CInt) {
        let cut = Cut()
        DispatchQueue.global().async { [weak self] in
            Self.copy(from: client, to: server) { bytes in
                guard bytes.containsCommit else { return .forward }
                let isWanted =
                    self?.isCutting.withLock { isCutting in
                        defer { isCutting = false }
                        return isCutting
                    } ?? false
                if isWanted { cut.set() }
                return .forward
            }
        }
        DispatchQueue.global().async {
            Self.copy(from: server, to: client) { bytes in
                guard cut.isSet else { return .forward }
                return bytes.isEndOfAnswers ? .stop : .drop
            }
            for end in [client, server] { shutdown(end, CInt(SHUT_RDWR)) }
        }
    }

    /// A class, because both directions share it.
    private final class Cut: Sendable {
        private let state = Mutex(false)

        var isSet: Bool { state.withLock(\.self) }

        func set() { state.withLock { $0 = true } }
    }

    private enum Step {
        case forward
        case drop
        case stop
    }

    /// Copies until the end, or until the body stops it.
    private static func copy(from: CInt, to: CInt, _ body: ([UInt8]) -> Step) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &buffer, buffer.count)
            let step = count > 0 ? body(Array(buffer[..<count])) : .stop
            if step == .stop { break }
            if step == .drop { continue }
            var sent = 0
            while sent < count {
                let written = buffer[sent..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
            guard sent == count else { break }
        }
        shutdown(to, CInt(SHUT_WR))
    }

    private static func socket() -> CInt {
        Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    }

    private static func withAddress(
        of folder: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: Array("\(folder)/.s.PGSQL.5432".utf8).prefix(path.count - 1))
        }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension [UInt8] {
    /// Whether they end with `ReadyForQuery` outside of a transaction (PostgreSQL documentation,
    /// Message Formats).
    fileprivate var isEndOfAnswers: Bool {
        suffix(6).elementsEqual([UInt8(ascii: "Z"), 0, 0, 0, 5, UInt8(ascii: "I")])
    }

    /// Whether the messages end a transaction that writes; transactions that read have no fence.
    fileprivate var containsCommit: Bool {
        firstRange(of: Array("COMMIT\0".utf8)) != nil
            && ["fence(", "fleet_pass(", "fleet_commit("]
                .contains { firstRange(of: Array($0.utf8)) != nil }
    }
}
