import CampaignModel
import Text
import Time

/// The columns of a file of outcomes, and those of Google's BigQuery export.
enum OutcomeColumn: String, CaseIterable {
    case identity
    case fingerprint
    case registration
    case instance = "instance_id"
    case message = "message_id"
    case time
    case eventTime = "event_timestamp"
    case value
    case name
    case event
    /// Distinguishes events that are otherwise equal.
    case id

    /// FCM's export has both; the message is used only if the registration is unknown.
    static let subjects: [OutcomeColumn] = [.identity, .fingerprint, .registration, .instance]
    static let times: [OutcomeColumn] = [.time, .eventTime]
}

/// The texts of one row, by column; empty texts are missing.
struct OutcomeFields {
    let line: Int
    private var texts: [OutcomeColumn: String] = [:]

    /// Longer names are probably another column.
    private static let longestName = 100

    init(line: Int) {
        self.line = line
    }

    mutating func set(_ text: String, in column: OutcomeColumn) {
        texts[column] = text.isEmpty ? nil : text
    }

    /// Returns the row, or what is wrong with it.
    func row() -> Result<OutcomeRow, OutcomeRowFailure> {
        do throws(OutcomeRowFailure) {
            let subject = try subject()
            let time = try time()
            let name = try name()
            let row = OutcomeRow(
                line: line,
                subject: subject.value,
                time: time.value,
                name: name,
                value: try value(),
                content: [
                    subject.column.rawValue, texts[subject.column] ?? "", time.text, name,
                    texts[.value] ?? "", texts[.message] ?? "", texts[.id] ?? "",
                ].joined(separator: "\0")
            )
            return .success(row)
        } catch {
            return .failure(error)
        }
    }

    private func subject() throws(OutcomeRowFailure) -> (
        column: OutcomeColumn, value: OutcomeRow.Subject
    ) {
        let given = OutcomeColumn.subjects.filter { texts[$0] != nil }
        guard given.count < 2 else {
            throw OutcomeRowFailure(.severalSubjects(given.map(\.rawValue)))
        }
        guard let column = given.first, let text = texts[column] else {
            guard let id = texts[.message] else { throw OutcomeRowFailure(.noSubject) }
            return (.message, .message(String(id.split(separator: "/").last ?? "")))
        }
        switch column {
        case .identity: return (column, .identity(text))
        case .fingerprint:
            guard text.utf8.count == 16, text.utf8.allSatisfy(\.isASCIILowercaseHexDigit),
                let short = UInt64(text, radix: 16)
            else { throw OutcomeRowFailure(.noFingerprint) }
            return (column, .fingerprint(short))
        default:
            guard let registration = Registration(text) else {
                throw OutcomeRowFailure(.noRegistration(column: column.rawValue))
            }
            return (column, .registration(registration))
        }
    }

    private func time() throws(OutcomeRowFailure) -> (text: String, value: Instant) {
        let column = OutcomeColumn.times.first { texts[$0] != nil } ?? .time
        guard let text = texts[column], let time = Instant(outcomeTime: text) else {
            throw OutcomeRowFailure(.noTime(column: column.rawValue))
        }
        return (text, time)
    }

    private func value() throws(OutcomeRowFailure) -> Double? {
        guard let text = texts[.value] else { return nil }
        guard let number = Double(text), number.isFinite,
            text.utf8.allSatisfy({ $0.isASCIIDigit || "+-.eE".utf8.contains($0) })
        else { throw OutcomeRowFailure(.noNumber(column: OutcomeColumn.value.rawValue)) }
        return number
    }

    /// The names of FCM events are in lower case: `message_delivered`.
    private func name() throws(OutcomeRowFailure) -> String {
        let column: OutcomeColumn = texts[.name] != nil ? .name : .event
        guard let text = texts[column] else { return OutcomeRow.usualName }
        guard text.utf8.count <= Self.longestName else {
            throw OutcomeRowFailure(.longName(column: column.rawValue))
        }
        return column == .event ? text.lowercased() : text
    }
}

struct OutcomeRowFailure: Error {
    let reason: OutcomeFault.Reason

    init(_ reason: OutcomeFault.Reason) {
        self.reason = reason
    }
}

extension Instant {
    /// Reads RFC 3339, and BigQuery's `2037-03-20 07:30:00.123456 UTC`.
    fileprivate init?(outcomeTime text: String) {
        if let instant = Instant(rfc3339: text) {
            self = instant
            return
        }
        guard text.hasSuffix(" UTC") else { return nil }
        let parts = text.dropLast(4).split(separator: " ")
        guard parts.count == 2, let instant = Instant(rfc3339: "\(parts[0])T\(parts[1])Z") else {
            return nil
        }
        self = instant
    }
}
