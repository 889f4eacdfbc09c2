import Glibc

/// The loop of the server's thread.
struct RawService {
    struct Connection {
        let number: Int
        let socket: Int32
        var unread: [UInt8] = []
        var head: (text: String, bodyLength: Int)?
    }

    let server: RawServer
    var listener: Int32
    let stop: Int32
    let readsBodies: Bool
    let greeting: String
    let react: (RawServer.Received) -> RawServer.Reaction
    var connections: [Int32: Connection] = [:]
    var accepted = 0

    mutating func run() {
        while true {
            var polled = ([stop, listener] + connections.keys).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&polled, nfds_t(polled.count), -1) > 0, polled[0].revents == 0 else { break }
            if polled[1].revents != 0 { accept() }
            for entry in polled.dropFirst(2) where entry.revents != 0 { read(entry.fd) }
        }
        for socket in connections.keys { end(socket) }
        if listener >= 0 { close(listener) }
        close(stop)
    }

    private mutating func accept() {
        let socket = Glibc.accept(listener, nil, nil)
        guard socket >= 0 else { return }
        connections[socket] = Connection(number: accepted, socket: socket)
        accepted += 1
        write(Array(greeting.utf8), to: socket)
        server.note { $0.transcripts.append([]) }
    }

    private mutating func read(_ socket: Int32) {
        guard var connection = connections[socket] else { return }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &piece, piece.count, 0)
        guard count > 0 else {
            end(socket)
            return
        }
        let bytes = piece[..<count]
        server.note { $0.transcripts[connection.number] += bytes }
        connection.unread += bytes
        connections[socket] = connection
        while connections[socket] != nil, let request = nextRequest(socket) {
            perform(react(request), on: socket, for: request)
        }
    }

    private mutating func nextRequest(_ socket: Int32) -> RawServer.Received? {
        guard var connection = connections[socket] else { return nil }
        defer { if connections[socket] != nil { connections[socket] = connection } }
        if connection.head == nil {
            guard let end = headEnd(connection.unread) else { return nil }
            let text = String(decoding: connection.unread[..<end], as: UTF8.self)
            connection.unread.removeFirst(end)
            connection.head = (text, bodyLength(text))
        }
        guard let head = connection.head else { return nil }
        let length = readsBodies ? head.bodyLength : 0
        guard connection.unread.count >= length else { return nil }
        let body = Array(connection.unread.prefix(length))
        connection.unread.removeFirst(length)
        connection.head = nil
        let words = head.text.prefix { $0 != "\r\n" }.split(separator: " ")
        return RawServer.Received(
            connection: connection.number,
            method: String(words[0]),
            path: String(words[1]),
            head: head.text,
            body: body
        )
    }

    private func headEnd(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count))
            .first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
            .map { $0 + mark.count }
    }

    private func bodyLength(_ head: String) -> Int {
        for line in head.split(separator: "\r\n")
        where line.lowercased().hasPrefix("content-length:") {
            return Int(line.dropFirst("content-length:".count).filter(\.isNumber)) ?? 0
        }
        return 0
    }

    private mutating func perform(
        _ reaction: RawServer.Reaction,
        on socket: Int32,
        for request: RawServer.Received
    ) {
        // Record the request before the client, and therefore the test, can see the reaction.
        server.note { $0.requests.append(request) }
        switch reaction {
        case .answer(let text): write(Array(text.utf8), to: socket)
        case .answerBytes(let bytes): write(bytes, to: socket)
        case .answerAndClose(let text):
            write(Array(text.utf8), to: socket)
            end(socket)
        case .nothing: break
        case .close: end(socket)
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                socket,
                SOL_SOCKET,
                SO_LINGER,
                &linger,
                socklen_t(MemoryLayout.size(ofValue: linger))
            )
            end(socket)
        case .closeEverything:
            close(listener)
            listener = -1
            end(socket)
        }
    }

    private func write(_ bytes: [UInt8], to socket: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, rawSendFlags)
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private mutating func end(_ socket: Int32) {
        close(socket)
        connections[socket] = nil
        server.note { $0.closedConnections += 1 }
    }
}
