package import CampaignModel
import JSON
import RegistrationLists
package import State
package import SystemIO
import Time

/// Why messages could not be appended to a file.
package enum UpstreamAppendError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case file(path: String, SystemError)
    /// The file has a last line that Herald did not write.
    case foreignFile(path: String)
}

/// Appends the messages of an inbox to the files of rules.
///
/// Each line has the position of its message, and appending continues after the position in the last line
/// of a file. A message is therefore appended once, even if the process ends at any time. A line that a crash
/// cut off is removed. The files contain fingerprints in place of registrations.
package struct UpstreamAppender: Sendable {
    private let inbox: any InboxStore
    private let rules: [UpstreamRule]
    private let folder: String

    /// Messages that are read at once.
    private static let pageSize = 4_096

    package init(from inbox: any InboxStore, rules: [UpstreamRule], to folder: String) {
        self.inbox = inbox
        self.rules = rules.filter { $0.actions.append != nil }
        self.folder = folder
    }

    /// - Returns: The number of lines that were appended to each file that got any.
    package func append() async throws(UpstreamAppendError) -> [String: Int] {
        var counts: [String: Int] = [:]
        for file in Set(rules.compactMap(\.actions.append)) {
            let count = try await append(to: file)
            if count > 0 { counts[file.name] = count }
        }
        return counts
    }

    private func append(to file: UpstreamFile) async throws(UpstreamAppendError) -> Int {
        let own = rules.filter { $0.actions.append == file }
        let path = "\(folder)/\(file.name)"
        var target = try AppendedFile(path, format: file.format)
        var last = target.last
        var count = 0
        while true {
            let page: [InboxMessage]
            do throws(StateStoreError) {
                page = try await inbox.messages(after: last, limit: Self.pageSize)
            } catch {
                throw .state(error)
            }
            let wanted = page.filter { message in
                own.contains {
                    $0.match.applies(
                        toCategory: message.message.category,
                        data: message.message.data
                    )
                }
            }
            try target.append(wanted)
            count += wanted.count
            last = page.last?.position ?? last
            guard page.count == Self.pageSize else { return count }
        }
    }
}

/// A file whose last line tells which message it has.
private struct AppendedFile: ~Copyable {
    /// The message of the last line; nil if there is none.
    let last: InboxPosition?
    private let path: String
    private let format: UpstreamFile.Format
    private let file: File
    private var size: Int

    /// No line is longer: a message has 4,096 bytes, of which each needs 6 at most.
    private static let longestLine = 65_536

    init(_ path: String, format: UpstreamFile.Format) throws(UpstreamAppendError) {
        let file = try Self.open(path)
        let (size, tail) = try Self.fileErrors(path) { () throws(SystemError) in
            try Self.tail(of: file)
        }
        let end = tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = tail[..<end].split(separator: UInt8(ascii: "\n")).last.map { Array($0) }
        let last = line.flatMap { InboxPosition(line: $0, format: format) }
        // A line that a crash cut off may be the first one.
        let isOwn = line.map { last != nil || $0 == MessageLine.head(format) }
        guard isOwn ?? MessageLine.mayBegin(with: tail, format) else {
            throw .foreignFile(path: path)
        }
        let kept = size - (tail.count - end)
        if kept < size {
            try Self.fileErrors(path) { () throws(SystemError) in try file.truncate(to: kept) }
        }
        self.init(last: last, path: path, format: format, file: file, size: kept)
    }

    private init(
        last: InboxPosition?,
        path: String,
        format: UpstreamFile.Format,
        file: consuming File,
        size: Int
    ) {
        self.last = last
        self.path = path
        self.format = format
        self.file = file
        self.size = size
    }

    private static func open(_ path: String) throws(UpstreamAppendError) -> File {
        try fileErrors(path) { () throws(SystemError) in
            try File(
                path,
                for: .readingAndWriting,
                options: [.creating, .refusingLinks, .withoutWaiting]
            )
        }
    }

    private static func tail(
        of file: borrowing File
    ) throws(SystemError) -> (size: Int, bytes: [UInt8]) {
        let status = try file.status()
        guard status.isFile else { throw .notSupported }
        let start = max(0, status.size - longestLine)
        return (status.size, try file.read(at: start, count: status.size - start))
    }

    private static func fileErrors<Value: ~Copyable>(
        _ path: String,
        work: () throws(SystemError) -> Value
    ) throws(UpstreamAppendError) -> Value {
        do throws(SystemError) { return try work() } catch { throw .file(path: path, error) }
    }

    /// The lines are on the disk when it returns.
    mutating func append(_ messages: [InboxMessage]) throws(UpstreamAppendError) {
        guard !messages.isEmpty else { return }
        var bytes: [UInt8] = []
        let head = MessageLine.head(format)
        if size == 0, !head.isEmpty { bytes += head + [UInt8(ascii: "\n")] }
        for message in messages { bytes += MessageLine(message).bytes(format) }
        do throws(SystemError) {
            try file.write(bytes, at: size)
            try file.sync()
        } catch {
            throw .file(path: path, error)
        }
        size += bytes.count
    }
}

/// A message as a line of a file.
private struct MessageLine {
    private let message: InboxMessage

    init(_ message: InboxMessage) {
        self.message = message
    }

    /// The first line without its end; empty if the format has none.
    static func head(_ format: UpstreamFile.Format) -> [UInt8] {
        switch format {
        case .csv: Array("position,received,registration,message_id,category,data".utf8)
        case .ndjson: []
        }
    }

    /// Whether bytes can be the beginning of a file's first line.
    static func mayBegin(with bytes: [UInt8], _ format: UpstreamFile.Format) -> Bool {
        let beginning = format == .csv ? head(format) : Array(#"{"position":""#.utf8)
        return bytes.starts(with: beginning) || beginning.starts(with: bytes)
    }

    func bytes(_ format: UpstreamFile.Format) -> [UInt8] {
        let content = message.message
        let pairs = content.data.sorted { $0.key < $1.key }
            .map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        let data = JSONValue.object(JSONObject(pairs))
        let texts = [
            ("position", message.position.text), ("received", content.arrival.time.utcText),
            ("registration", message.fingerprint.description), ("message_id", content.id),
            ("category", content.category),
        ]
        switch format {
        case .ndjson:
            let members = texts.map { JSONObject.Member(key: $0, value: .string($1)) }
            let object = JSONObject(members + [JSONObject.Member(key: "data", value: data)])
            return JSONValue.object(object).compactBytes + [UInt8(ascii: "\n")]
        case .csv:
            var line = CSVLine()
            for (_, text) in texts { line.append(Self.cell(text)) }
            line.append(data.compactBytes)
            return line.finish()
        }
    }

    /// On one line, and never a formula of a spreadsheet.
    private static func cell(_ text: String) -> [UInt8] {
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            guard byte < 0x20 || byte == 0x7F else { return [byte] }
            let digits = String(byte, radix: 16)
            return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
        let isFormula = bytes.first.map { "=+-@".utf8.contains($0) } ?? false
        return isFormula ? [UInt8(ascii: "'")] + bytes : bytes
    }
}

extension InboxPosition {
    fileprivate var text: String { "\(inbox):\(number)" }

    fileprivate init?(text: some StringProtocol) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let number = Int64(parts[1]) else { return nil }
        self.init(inbox: String(parts[0]), number: number)
    }

    fileprivate init?(line: [UInt8], format: UpstreamFile.Format) {
        switch format {
        case .csv:
            let field = line.prefix { $0 != UInt8(ascii: ",") }
            self.init(text: String(decoding: field, as: UTF8.self))
        case .ndjson:
            guard let text = JSONValue(stored: line)?["position"]?.stringValue else { return nil }
            self.init(text: text)
        }
    }
}
