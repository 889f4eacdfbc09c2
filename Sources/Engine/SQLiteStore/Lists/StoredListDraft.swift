import CampaignModel
import FoundationEssentials
import State
import StoreTables
import Synchronization

/// A list that is being stored: in memory and then, if it is long, in a file.
///
/// A class, because it is appended to while its list is read, and kept later.
final class StoredListDraft: ListDraft {
    private let store: SQLiteStore
    private let shape: ListShape
    /// The list's name in its encrypted values.
    private let name = StoredList.randomName()
    private let content = Mutex(Content())

    /// The bytes of the longest list without a file.
    private static let maximumHeld = 1 << 18

    private struct Content {
        var chunks: [DraftedChunk] = []
        var count = 0
        var held = 0
        var file: ListFile?
        /// Why nothing more can be stored.
        var failure: StateStoreError?
    }

    init(of shape: ListShape, in store: SQLiteStore) {
        self.shape = shape
        self.store = store
    }

    func append(_ rows: [PackedRows]) {
        content.withLock { content in
            guard content.failure == nil else { return }
            do {
                try append(rows, to: &content)
            } catch {
                content.failure = StateStoreError(error, path: store.path)
            }
        }
    }

    private func append(_ rows: [PackedRows], to content: inout Content) throws {
        for value in try store.sealer.values(of: rows, in: name, from: content.count) {
            content.chunks.append(DraftedChunk(value))
            content.count += value.count
            content.held += value.bytes.count
        }
        guard content.held > Self.maximumHeld || content.file != nil else { return }
        let file = try content.file ?? store.listFile()
        content.file = file
        try content.chunks.write(to: file)
        content.held = 0
    }

    func keep(as list: ListID) async throws(StateStoreError) {
        let content = content.withLock { $0 }
        if let failure = content.failure { throw failure }
        try content.file?.sync()
        try await store.keep(
            DraftedList(
                name: name,
                file: content.file?.name,
                shape: shape,
                count: content.count,
                chunks: content.chunks
            ),
            as: list
        )
        content.file?.keep()
    }
}

/// A draft that becomes a list of the state.
struct DraftedList: Sendable {
    let name: String
    /// The name of the file with its chunks; nil if they are in memory.
    let file: String?
    let shape: ListShape
    let count: Int
    let chunks: [DraftedChunk]
}

/// Consecutive rows of a draft.
struct DraftedChunk: Sendable {
    enum Place: Sendable {
        case memory([UInt8])
        case file(start: Int, length: Int)
    }

    let first: Int
    let count: Int
    let checksum: Int64
    let place: Place

    init(first: Int, count: Int, checksum: Int64, place: Place) {
        self.first = first
        self.count = count
        self.checksum = checksum
        self.place = place
    }

    /// In memory.
    init(_ value: ListValue) {
        self.init(
            first: value.first,
            count: value.count,
            checksum: value.checksum,
            place: .memory(value.bytes)
        )
    }

    var length: Int {
        switch place {
        case .memory(let value): value.count
        case .file(_, let length): length
        }
    }
}

extension [DraftedChunk] {
    /// Writes the last chunks, which are in memory.
    fileprivate mutating func write(to file: ListFile) throws(StateStoreError) {
        var first = endIndex
        var values: [[UInt8]] = []
        while first > startIndex, case .memory(let value) = self[first - 1].place {
            values.append(value)
            first -= 1
        }
        values.reverse()
        var start = try file.append(values)
        for index in first..<endIndex {
            let chunk = self[index]
            self[index] = DraftedChunk(
                first: chunk.first,
                count: chunk.count,
                checksum: chunk.checksum,
                place: .file(start: start, length: chunk.length)
            )
            start += chunk.length
        }
    }
}
