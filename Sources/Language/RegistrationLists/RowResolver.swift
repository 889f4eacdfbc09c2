import CampaignModel

/// The values of a row as they are stored and sent.
struct ResolvedRow {
    /// In the order of `MessageColumns.storedNames`.
    var values: [String] = []
    /// The number of the row's text; nil if no text covers its locale, or if the row is held out.
    var text: Int? = 0
    /// Whether the person gets nothing, for comparison.
    var isHeldOut = false
    /// The row's place in a rollout; nil without one.
    var place: RolloutPlace?
    /// The numbers of the columns without a value, and of those with a default instead.
    var missing: [Int] = []
    var defaulted: [Int] = []
    /// Whether the message must be encrypted, and the row has no public key.
    var lacksKey = false
}

/// Resolves the values of rows for one message: fills in defaults and chooses the text.
///
/// A value that the row's text does not contain is omitted. One type for checking and for storing,
/// so that both have the same values.
struct RowResolver {
    private let columns: MessageColumns
    /// The places of the columns among the values of a row.
    private let places: [Int]
    /// The place of the column of times; nil if there is none.
    private let timePlace: Int?
    /// The place of the number from before the experiment; nil if there is none.
    private let covariatePlace: Int?
    private let assignment: ExperimentAssignment?
    private let rollout: RolloutPlaces?
    /// The texts of locales that were seen so far, because few are repeated often.
    private var numbers: [String: Int?] = [:]

    private static let maximumNumbers = 1_000

    /// `names`: the columns of the rows.
    init(_ columns: MessageColumns, in names: [String]) {
        self.columns = columns
        places = columns.names.map { name in names.firstIndex(of: name) ?? 0 }
        assignment = columns.experiment.map { ExperimentAssignment($0.design) }
        rollout = columns.rollout.map(RolloutPlaces.init)
        timePlace = columns.times.flatMap { names.firstIndex(of: $0) }
        covariatePlace = columns.covariate.flatMap { names.firstIndex(of: $0) }
    }

    /// Returns the locale of a row, or the default of the column; empty if there is none.
    func locale(of row: ListRow) -> String {
        guard let texts = columns.texts else { return "" }
        if let own = row.locale, !own.isEmpty { return own }
        return columns.defaults[texts.column] ?? ""
    }

    /// Returns the time of a row; empty if it has none.
    func time(of row: ListRow) -> String { timePlace.map { row.values[$0] } ?? "" }

    mutating func resolve(_ row: ListRow) -> ResolvedRow {
        var resolved = ResolvedRow()
        resolved.values.reserveCapacity(places.count + 2)
        let arm = assignment?.arm(of: row.identity ?? row.registration.token)
        resolved.isHeldOut = arm?.isHeldOut ?? false
        resolved.text =
            switch arm {
            case .heldOut?, .heldOutGlobally?: nil
            case .variant(let number)?: number
            case .own?, nil: number(of: row)
            }
        let text = resolved.text.flatMap { columns.allTexts?[$0] }
        let isOwn = columns.allTexts == nil && !resolved.isHeldOut
        for (number, place) in places.enumerated() {
            let isUsed = text.map { $0.uses[number] } ?? isOwn
            resolved.add(isUsed ? row.values[place] : nil, of: number, in: columns)
        }
        if columns.times != nil { resolved.values.append(time(of: row)) }
        if let place = rollout?.place(of: row) {
            resolved.place = place
            resolved.values.append(place.stored)
        }
        if columns.covariate != nil {
            resolved.values.append(covariatePlace.map { row.values[$0] } ?? "")
        }
        if columns.isEncrypted {
            // A person that is held out gets no message, and needs no key.
            let key = resolved.isHeldOut ? "" : row.publicKey ?? ""
            resolved.lacksKey = key.isEmpty && !resolved.isHeldOut
            resolved.values.append(key)
        }
        if columns.textColumn != nil {
            let key =
                switch arm {
                case .heldOut?: TextColumn.heldOut
                case .heldOutGlobally?: TextColumn.heldOutGlobally
                case .variant?, .own?, nil: text?.key.stored ?? ""
                }
            resolved.values.append(key)
        }
        return resolved
    }

    private mutating func number(of row: ListRow) -> Int? {
        guard let texts = columns.texts else { return 0 }
        let locale = locale(of: row)
        if let known = numbers[locale] { return known }
        let number = texts.number(for: Locale(locale))
        if numbers.count < Self.maximumNumbers { numbers[locale] = .some(number) }
        return number
    }
}

extension ResolvedRow {
    /// `value`: nil if the row's text does not contain the column.
    fileprivate mutating func add(_ value: String?, of number: Int, in columns: MessageColumns) {
        guard let value, value.isEmpty else {
            values.append(value ?? "")
            return
        }
        let standard = columns.defaults[columns.names[number]]
        if standard == nil { missing.append(number) } else { defaulted.append(number) }
        values.append(standard ?? "")
    }
}
