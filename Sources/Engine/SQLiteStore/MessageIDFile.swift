import State
import StoreTables
import SystemIO

/// The IDs of a unit's accepted messages, in a separate file next to the state: one line with their
/// common prefix, then blocks.
///
/// The state contains the committed size. Additional bytes come from a crash, and the next append
/// removes them. Fewer bytes are damage, which only affects readers of the IDs.
struct MessageIDFile {
    let path: String

    /// For example, unit 7 of the state `.herald/dev.sqlite` has `.herald/dev.ids/7`.
    init(of unit: UnitID, state: String) {
        let stem = state.hasSuffix(".sqlite") ? String(state.dropLast(7)) : state
        path = "\(stem).ids/\(unit.number)"
    }

    /// Appends IDs after the committed bytes, syncs them and returns the new size; nil if the file
    /// is damaged, which stays unchanged.
    func append(
        _ entries: [MessageIDBlock.Entry],
        after committed: Int
    ) throws(StateStoreError) -> Int? {
        if committed == 0 { try Files.makeFolder(Files.parent(of: path)) }
        guard let file = try open(.readingAndWriting, committed: committed) else { return nil }
        guard (Files.size(of: path) ?? 0) >= committed else { return nil }
        guard let prefix = try prefix(file, committed: committed, first: entries.first?.id)
        else { return nil }
        let head = committed == 0 ? Array((prefix + "\n").utf8) : []
        let bytes = head + MessageIDBlock.pack(entries, prefix: prefix)
        try stateErrors(path: path) { () throws(SystemError) in
            try file.truncate(to: committed)
            try file.write(bytes, at: committed)
            try file.sync()
        }
        if committed == 0 { try Files.syncFolder(Files.parent(of: path)) }
        return committed + bytes.count
    }

    /// Returns the IDs of all requests in a range, in file order.
    func read(
        _ range: Range<Int>,
        committed: Int
    ) throws(StateStoreError) -> [MessageIDBlock.Entry] {
        var found: [MessageIDBlock.Entry] = []
        do {
            try visit(committed: committed) { entries in
                found += entries.lazy.filter { range.contains($0.request) }
            }
        } catch {
            throw StateStoreError(error, path: path)
        }
        return found
    }

    /// Visits the IDs of each block in file order.
    func visit(
        committed: Int,
        _ body: ([MessageIDBlock.Entry]) throws -> Void
    ) throws {
        guard committed > 0 else { return }
        guard let file = try open(.reading, committed: committed) else {
            throw damaged("it is missing")
        }
        guard let prefix = try prefix(file, committed: committed, first: nil) else {
            throw torn
        }
        var position = prefix.utf8.count + 1
        while position < committed {
            let block = try block(file, at: position, committed: committed)
            guard let entries = MessageIDBlock.unpack(block, prefix: prefix) else { throw torn }
            try body(entries)
            position += MessageIDBlock.headerSize + block.count
        }
    }
}

extension MessageIDFile {
    /// No FCM ID is longer.
    private static let longestPrefix = 4_096

    /// Opens the file, which is created for the first bytes.
    ///
    /// Nil if it is missing although it has committed bytes.
    private func open(
        _ access: File.Access,
        committed: Int
    ) throws(StateStoreError) -> File? {
        do throws(SystemError) {
            let safe: File.Options = [.refusingLinks, .withoutWaiting]
            let file = try File(
                path,
                for: access,
                options: committed == 0 ? safe.union(.creating) : safe
            )
            guard try file.status().isFile else { throw .notSupported }
            return file
        } catch {
            if committed > 0, error == .notFound { return nil }
            throw StateStoreError(error, path: path)
        }
    }

    /// Returns the common prefix: that of the file, or the first ID up to its last slash.
    private func prefix(
        _ file: borrowing File,
        committed: Int,
        first: String?
    ) throws(StateStoreError) -> String? {
        guard committed > 0 else {
            let name = (first ?? "").utf8
            let end = name.lastIndex(of: UInt8(ascii: "/")).map(name.index(after:))
            let prefix = String(decoding: name[..<(end ?? name.startIndex)], as: UTF8.self)
            let isPlain = prefix.utf8.count < Self.longestPrefix && !prefix.contains("\n")
            return isPlain ? prefix : ""
        }
        let head = try read(file, at: 0, count: min(committed, Self.longestPrefix))
        guard let end = head.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return String(decoding: head[..<end], as: UTF8.self)
    }

    private func block(
        _ file: borrowing File,
        at position: Int,
        committed: Int
    ) throws(StateStoreError) -> ArraySlice<UInt8> {
        let start = position + MessageIDBlock.headerSize
        let head = try read(file, at: position, count: MessageIDBlock.headerSize)
        guard let header = MessageIDBlock.header(head[...]), header.length <= committed - start
        else { throw torn }
        let bytes = try read(file, at: start, count: header.length)
        guard bytes.count == header.length, MessageIDBlock.checksum(bytes) == header.checksum else {
            throw torn
        }
        return bytes[...]
    }

    /// Returns fewer bytes at the end of the file.
    private func read(
        _ file: borrowing File,
        at position: Int,
        count: Int
    ) throws(StateStoreError) -> [UInt8] {
        do throws(SystemError) {
            return try file.read(at: position, count: count)
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    private var torn: StateStoreError { damaged("it is incomplete") }

    private func damaged(_ reason: String) -> StateStoreError {
        .damagedIDs(path: path, reason: reason)
    }
}
