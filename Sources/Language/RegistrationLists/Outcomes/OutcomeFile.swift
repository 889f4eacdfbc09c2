import CampaignModel
import JSON

/// Streams the rows of a file of outcomes: CSV with a header line, or one JSON object per line.
///
/// The first character tells which; gzip and zstd data is decompressed. Memory use does not depend
/// on the length.
package struct OutcomeFile: ~Copyable {
    private enum Format {
        case csv
        case ndjson
    }

    private var format = Format.csv
    private var csv: CSVReader? = nil
    private var lines: ListLineReader? = nil
    /// The columns of the fields of a record; nil for other columns.
    private var columns: [OutcomeColumn?] = []
    private var isBelowFirst = false

    package init(path: String) throws(OutcomeFileError) {
        var isEmpty = false
        do throws(RegistrationListError.Reason) {
            switch try Self.format(of: path) {
            case .csv?: csv = try CSVReader(path: path)
            case .ndjson?:
                format = .ndjson
                lines = try ListLineReader(path: path)
            case nil: isEmpty = true
            }
        } catch {
            throw .unreadable(error)
        }
        if isEmpty { throw .empty }
        if format == .csv { try readHead() }
    }

    /// Nil if the file has only white space.
    private static func format(
        of path: String
    ) throws(RegistrationListError.Reason) -> Format? {
        var blocks = try FileBlocks(path: path)
        var buffer: [UInt8] = []
        while try blocks.append(to: &buffer) {
            let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
            if let first = buffer.first(where: { !blank.contains($0) }) {
                return first == UInt8(ascii: "{") ? .ndjson : .csv
            }
            buffer.removeAll(keepingCapacity: true)
        }
        return nil
    }

    /// Returns the next row, or what is wrong with it; nil at the end.
    package mutating func next() throws(OutcomeFileError) -> Result<OutcomeRow, OutcomeFault>? {
        switch format {
        case .csv: try nextRecord()
        case .ndjson: try nextObject()
        }
    }
}

extension Result where Success == OutcomeRow, Failure == OutcomeRowFailure {
    fileprivate func fault(inLine line: Int) -> Result<OutcomeRow, OutcomeFault> {
        mapError { OutcomeFault(line: line, reason: $0.reason) }
    }
}

// MARK: - CSV

extension OutcomeFile {
    private mutating func readHead() throws(OutcomeFileError) {
        switch try record() {
        case .record(let head)?:
            columns = head.fields.map { OutcomeColumn(rawValue: $0.text) }
            for column in OutcomeColumn.allCases where columns.count(where: { $0 == column }) > 1 {
                throw .repeatedColumn(column.rawValue)
            }
            try Self.require(Set(columns.compactMap(\.self)))
        case .broken(let line)?: throw .brokenHead(line.reason)
        case nil: throw .empty
        }
    }

    private static func require(_ columns: Set<OutcomeColumn>) throws(OutcomeFileError) {
        let subjects = OutcomeColumn.subjects + [.message]
        guard !columns.isDisjoint(with: subjects) else { throw .noSubjectColumn }
        guard !columns.isDisjoint(with: OutcomeColumn.times) else { throw .noTimeColumn }
    }

    private mutating func record() throws(OutcomeFileError) -> CSVParser.Row? {
        do throws(RegistrationListError.Reason) { return try csv?.next() } catch {
            throw .unreadable(error)
        }
    }

    private mutating func nextRecord() throws(OutcomeFileError) -> Result<
        OutcomeRow, OutcomeFault
    >? {
        switch try record() {
        case .record(let record)?:
            guard record.fields.count == columns.count else {
                let reason =
                    "it has \(record.fields.count) fields, and the header line has \(columns.count)"
                return .failure(OutcomeFault(line: record.line, reason: .broken(reason)))
            }
            var fields = OutcomeFields(line: record.line)
            for (column, field) in zip(columns, record.fields) {
                if let column { fields.set(field.text, in: column) }
            }
            return fields.row().fault(inLine: record.line)
        case .broken(let line)?:
            return .failure(OutcomeFault(line: line.number, reason: .broken(line.reason)))
        case nil: return nil
        }
    }
}

// MARK: - NDJSON

extension OutcomeFile {
    private mutating func nextObject() throws(OutcomeFileError) -> Result<
        OutcomeRow, OutcomeFault
    >? {
        while true {
            let found: ListLineReader.Line?
            do throws(RegistrationListError.Reason) { found = try lines?.next() } catch {
                throw .unreadable(error)
            }
            switch found {
            case nil: return nil
            case .broken(let line)?:
                return .failure(OutcomeFault(line: line.number, reason: .broken(line.reason)))
            case .complete(let line)?:
                let blank = line.bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
                if blank { continue }
                return try row(of: line)
            }
        }
    }

    private mutating func row(
        of line: ListLine
    ) throws(OutcomeFileError) -> Result<OutcomeRow, OutcomeFault> {
        let object: PlacedJSONObject
        do throws(PlacedJSONObject.Failure) {
            object = try PlacedJSONObject(parsing: line.bytes)
        } catch {
            let reason = Self.reason(error)
            return .failure(OutcomeFault(line: line.number, reason: .broken(reason)))
        }
        if !isBelowFirst {
            try Self.require(
                Set(object.members.compactMap { OutcomeColumn(rawValue: $0.key) })
            )
            isBelowFirst = true
        }
        var fields = OutcomeFields(line: line.number)
        for member in object.members {
            guard let column = OutcomeColumn(rawValue: member.key) else { continue }
            switch member.value {
            case .null: break
            case .string(let text): fields.set(text, in: column)
            case .integer, .number: fields.set(object.text(of: member), in: column)
            case .bool, .array, .object:
                let reason = "its `\(member.key)` is neither text nor a number"
                return .failure(OutcomeFault(line: line.number, reason: .broken(reason)))
            }
        }
        return fields.row().fault(inLine: line.number)
    }

    private static func reason(_ failure: PlacedJSONObject.Failure) -> String {
        switch failure {
        case .notJSON: "it is not JSON"
        case .notAnObject: "it is not a JSON object"
        case .repeatedKey: "it has the same key twice"
        case .nul: RegistrationListError.BrokenLine.nul
        }
    }
}
