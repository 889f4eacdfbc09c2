/// Builds TZif files from parts (RFC 9636, section 3), valid and invalid ones.
struct TZifBytes {
    var version = UInt8(ascii: "3")
    var transitions: [(seconds: Int64, type: UInt8)] = []
    var types: [(seconds: Int32, isSaving: UInt8, name: UInt8)] = [(3600, 0, 0)]
    var names = Array("ONE\0TWO\0".utf8)
    var leapSeconds = 0
    var footer = ""

    /// Returns a file with only a footer, like those of zones without a history.
    static func footer(_ text: String) -> [UInt8] {
        TZifBytes(footer: text).bytes
    }

    var bytes: [UInt8] {
        guard version != 0 else { return header(empty: false) + block(timeSize: 4) }
        // RFC 9636, 5.1, allows a writer to minimize the 32-bit data.
        let old = header(empty: true) + [0, 0, 0, 0, 0, 0] + [0]
        return old + header(empty: false) + block(timeSize: 8) + Array("\n\(footer)\n".utf8)
    }

    private func header(empty: Bool) -> [UInt8] {
        let counts =
            empty
            ? [0, 0, 0, 0, 1, 1]
            : [0, 0, leapSeconds, transitions.count, types.count, names.count]
        return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            + counts.flatMap { Self.bigEndian(Int64($0), size: 4) }
    }

    private func block(timeSize: Int) -> [UInt8] {
        transitions.flatMap { Self.bigEndian($0.seconds, size: timeSize) }
            + transitions.map(\.type)
            + types.flatMap {
                Self.bigEndian(Int64($0.seconds), size: 4) + [$0.isSaving, $0.name]
            }
            + names
            + [UInt8](repeating: 0, count: leapSeconds * (timeSize + 4))
    }

    private static func bigEndian(_ number: Int64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
