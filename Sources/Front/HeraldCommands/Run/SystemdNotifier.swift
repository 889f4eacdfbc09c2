import SystemIO

/// Tells the service manager how the service is doing (sd_notify(3)).
///
/// The protocol is one datagram per message to the socket in `NOTIFY_SOCKET`. A message that cannot
/// be sent is dropped, because a service does not depend on its manager.
struct SystemdNotifier: Sendable {
    private let socket: String
    /// Half of the time within which the manager wants a sign of life; nil if it wants none.
    let pingInterval: Duration?

    /// Nil unless a service manager started this process.
    init?(_ variables: [String: String], processID: Int32) {
        guard let socket = variables["NOTIFY_SOCKET"],
            socket.hasPrefix("/") || socket.hasPrefix("@")
        else { return nil }
        self.socket = socket
        // A child process inherits the variables of its parent.
        let isMeant = variables["WATCHDOG_PID"].map { $0 == String(processID) } ?? true
        let limit = variables["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        pingInterval = isMeant && limit > 0 ? .microseconds(limit / 2) : nil
    }

    /// The service started, or has read its configuration again.
    func ready() { send("READY=1") }

    func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicMicroseconds)")
    }

    func stopping() { send("STOPPING=1") }

    func ping() { send("WATCHDOG=1") }

    /// Describes the service in `systemctl status`.
    func show(_ text: String) {
        let line = text.split(separator: "\n").joined(separator: " ")
        send("STATUS=\(line)")
    }

    private func send(_ message: String) {
        try? DatagramSocket.send(Array(message.utf8), to: socket)
    }
}
