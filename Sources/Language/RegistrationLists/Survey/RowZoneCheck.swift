import CampaignModel
import Time

/// Finds rows whose time zone the IANA database does not know.
struct RowZoneCheck {
    private let columns: ListColumns?
    private let zones: TimeZoneDatabase?
    /// Why a zone cannot be used, by name; an empty text if it can.
    private var reasons: [String: String] = ["": ""]

    /// The zones to remember; the database has fewer than 1,000.
    private static let remembered = 2_000

    /// `zones`: nil accepts all names.
    init(of list: RegistrationList, zones: TimeZoneDatabase?) {
        self.zones = zones
        columns =
            if case .described(let file) = list {
                ListColumns(of: file, others: OtherColumns())
            } else { nil }
    }

    /// Returns the row, or what is wrong with it.
    ///
    /// `path`: The row's file, if the list has several.
    mutating func checked(_ entry: ListEntry, path: String?) -> ListEntry {
        guard case .row(let row) = entry, let value = row.timeZone, let name = value.text,
            let columns, let column = columns.timeZone, let reason = reason(against: name)
        else { return entry }
        let text = "its `\(column)` \(reason)"
        return .broken(columns.broken(value, named: column, reason: text).of(path))
    }

    private mutating func reason(against name: String) -> String? {
        guard let zones else { return nil }
        if let known = reasons[name] { return known.isEmpty ? nil : known }
        let reason = Self.reason(against: name, in: zones)
        if reasons.count < Self.remembered { reasons[name] = reason ?? "" }
        return reason
    }

    /// The name is not repeated, because values of rows are personal.
    private static func reason(against name: String, in zones: TimeZoneDatabase) -> String? {
        do throws(TimeZoneError) {
            _ = try zones.rules(named: name)
            return nil
        } catch {
            return switch error {
            case .invalidName: "is not an IANA time zone such as `Atlantic/Azores`"
            case .unknown: "is a time zone that tzdata does not know"
            case .noDatabase(let directory):
                "cannot be checked: there is no time zone database in \(directory)"
            case .unreadable, .malformed, .countsLeapSeconds:
                "is a time zone whose file in tzdata cannot be read"
            }
        }
    }
}
