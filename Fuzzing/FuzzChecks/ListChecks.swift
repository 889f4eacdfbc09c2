package import CampaignModel
import Decompression
package import RegistrationLists
import SystemIO

/// Reads bytes as a list, and checks what it reports.
package struct ListChecks: Sendable {
    package typealias Survey = ListSurveys.Survey

    private let folder: String
    private let list: RegistrationList
    private let columns: [String]

    private static let fingerprinter = Fingerprinter(
        key: FingerprintKey(bytes: [UInt8](repeating: 7, count: 32))
    )

    /// All inputs are written to the same file.
    package init(_ format: RegistrationFile.Format) {
        // In memory, because every input is written several times.
        let place = Folder.exists("/dev/shm") ? "/dev/shm" : "/tmp"
        folder = "\(place)/herald-fuzz-\(CurrentProcess.id)"
        do throws(SystemError) {
            try Folder.create(folder)
        } catch {
            fatalError("\(folder): \(error.reason)")
        }
        columns = format == .text ? [] : ["locale"]
        list = .described(
            RegistrationFile(
                path: "list",
                format: format,
                kind: .token,
                column: format == .text ? nil : "registration",
                identity: format == .text ? nil : "user",
                reading: .atApply
            )
        )
    }

    /// Reads the bytes as a list.
    package func survey(_ bytes: [UInt8]) -> Survey {
        write(bytes)
        return Survey { () throws(RegistrationListError) in
            try ListSurvey(list, directory: folder, fingerprinter: Self.fingerprinter)
        }
    }

    private func write(_ bytes: [UInt8]) {
        do throws(SystemError) {
            let file = try File(
                folder + "/list",
                for: .writing,
                options: [.creating, .truncating]
            )
            try file.write(bytes)
        } catch {
            fatalError("\(folder): \(error.reason)")
        }
    }

    /// Whether the bytes begin like those of a compressed file.
    package static func isCompressed(_ bytes: [UInt8]) -> Bool {
        CompressionFormat(firstBytes: bytes) != nil
    }

    /// Checks that every way of reading the bytes has the same result, and that places are right.
    package func check(_ bytes: [UInt8]) {
        let found = survey(bytes)
        guard !Self.isCompressed(bytes) else { return }
        hold(Self.same(found, survey(bytes)), "a second time another result")
        switch found {
        case .success(let survey): checkRows(survey, of: bytes)
        case .failure(let error): Self.check(error, of: bytes)
        }
    }

    package static func same(_ one: Survey, _ other: Survey) -> Bool {
        switch (one, other) {
        case (.success(let one), .success(let other)):
            one.id == other.id && one.fingerprints.inOrder() == other.fingerprints.inOrder()
                && one.identities == other.identities && one.columns == other.columns
        case (.failure(let one), .failure(let other)): one == other
        case (.success, .failure), (.failure, .success): false
        }
    }
}

// MARK: - Rows

extension ListChecks {
    /// Checks that the table has the same rows, and that the list can be divided.
    private func checkRows(_ survey: ListSurvey, of bytes: [UInt8]) {
        var count = 0
        var lines: [Int] = []
        let table = ListTable(list, columns: [], directory: folder)
        var fingerprints: [Fingerprint] = []
        let isRead: Void? = try? table.forEachRow { row in
            count += 1
            lines.append(row.line)
            fingerprints.append(Self.fingerprinter.fingerprint(of: row.registration))
        }
        hold(
            isRead != nil && count == survey.count
                && fingerprints == survey.fingerprints.inOrder(),
            "the table has other rows"
        )
        hold(zip(lines, lines.dropFirst()).allSatisfy { $0 < $1 }, "lines do not ascend")
        _ = try? ListTable(list, columns: columns, directory: folder).forEachRow { _ in }
        checkDivision(of: survey)
    }

    private func checkDivision(of survey: ListSurvey) {
        var number = 0
        let division = try? ListDivision(list, directory: folder) { _ in
            number += 1
            return number.isMultiple(of: 3)
        }
        guard let division else { return hold(false, "the list cannot be divided") }
        hold(division.removedCount == survey.count / 3, "other rows are removed")
        hold(division.keptCount + division.removedCount == survey.count, "rows are missing")
        var parts: [Fingerprint] = []
        for (part, count) in [
            (division.kept, division.keptCount), (division.removed, division.removedCount),
        ] where count > 0 {
            guard case .success(let found) = self.survey(part), found.count == count else {
                return hold(false, "a part is not a list of \(count) rows")
            }
            parts += found.fingerprints.inOrder()
        }
        hold(Set(parts) == Set(survey.fingerprints.inOrder()), "the parts have other rows")
    }
}

// MARK: - Errors

extension ListChecks {
    private static func check(_ error: RegistrationListError, of bytes: [UInt8]) {
        switch error {
        case .brokenLines(let lines, let path, let count):
            hold(path == "list" && !lines.isEmpty, "no lines: \(error)")
            hold(lines.count == min(count, 10), "lines are missing: \(error)")
            for line in lines { check(line, of: bytes) }
            let places = lines.map(\.byte)
            hold(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "places do not ascend")
        case .repeated(let line, let first, let path, let count, let firstPath):
            hold(path == "list" && firstPath == nil && count > 0, "another file: \(error)")
            hold(0 < first && first < line, "wrong lines: \(error)")
            hold(line <= lineCount(bytes[...]), "outside of the file: \(error)")
        case .missingColumn(let column):
            hold((1...lineCount(bytes[...])).contains(column.line), "outside: \(error)")
        case .empty(let path): hold(path == "list", "another file: \(error)")
        case .unreadable, .changed, .sourceNotRead: hold(false, "unexpected: \(error)")
        }
    }

    /// Checks that the byte is in the line.
    private static func check(_ line: RegistrationListError.BrokenLine, of bytes: [UInt8]) {
        hold(!line.reason.isEmpty && line.path == nil, "no reason: \(line)")
        hold((1...bytes.count + 1).contains(line.byte), "outside of the file: \(line)")
        hold(lineCount(bytes[..<(line.byte - 1)]) == line.number, "another line: \(line)")
        if case .number(let column) = line.column { hold(column > 0, "no column: \(line)") }
    }

    /// The number of the line that begins or continues after these bytes.
    private static func lineCount(_ bytes: ArraySlice<UInt8>) -> Int {
        1 + bytes.count { $0 == UInt8(ascii: "\n") }
    }
}
