/// Another process of this machine.
package struct OtherProcess: Hashable, Sendable {
    private let id: Int32

    package init(id: Int32) {
        self.id = id
    }

    /// Whether a signal such as SIGSTOP has stopped the process.
    ///
    /// False if there is no such process, or if its state cannot be read.
    package var isStopped: Bool {
        guard let text = try? File("/proc/\(id)/stat", for: .reading).readToEnd(limit: 4_096) else {
            return false
        }
        return Self.state(in: String(decoding: text, as: UTF8.self)) == "T"
    }

    /// The letter of the state in the format of `/proc/PID/stat` (proc(5)): after the name of the
    /// program, which is in parentheses and may contain others.
    static func state(in text: String) -> Character? {
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].first { $0 != " " }
    }
}
