package import CampaignModel
package import Time

/// The subjects of one occurrence of an experiment, each with its arm.
///
/// It is recorded before the first request, so that an outcome can be assigned to an arm after the
/// list was dropped. Registrations and identities are stored as keyed hashes only.
package struct Exposure: Hashable, Sendable {
    package let unit: UnitID
    package let occurrence: OccurrenceID
    package let experiment: ExperimentRecord
    /// The subjects, in the order of the requests.
    package let people: PeopleID
    /// The number of requests.
    package let count: Int
    /// An outcome before this time cannot be an effect of the message.
    package let begins: Instant

    package init(
        unit: UnitID,
        occurrence: OccurrenceID,
        experiment: ExperimentRecord,
        people: PeopleID,
        count: Int,
        begins: Instant
    ) {
        self.unit = unit
        self.occurrence = occurrence
        self.experiment = experiment
        self.people = people
        self.count = count
        self.begins = begins
    }
}

/// The arms between which an occurrence divided its subjects.
package struct ExperimentRecord: Hashable, Sendable {
    package struct Arm: Hashable, Sendable {
        package let kind: Kind
        /// The share of the subjects that the project does not hold out, in basis points of `whole`.
        package let weight: Int

        package init(_ kind: Kind, weight: Int) {
            self.kind = kind
            self.weight = weight
        }
    }

    package enum Kind: Hashable, Sendable {
        /// Receives nothing, because the campaign holds these people out.
        case heldOut
        /// Receives the campaign's own message.
        case own
        case variant(String)
        /// Receives nothing, because the project holds these people out: no arm of the comparison.
        case heldOutGlobally
    }

    /// The experiment's name.
    package let name: String
    /// In a fixed order: the hold-out, then the variants in the order of the file.
    package let arms: [Arm]

    package init(name: String, arms: [Arm]) {
        self.name = name
        self.arms = arms
    }

    /// Marks a subject without an arm.
    package static let noArm = UInt8.max

    /// The number of the arm with this value in the stored column; `noArm` if there is none.
    ///
    /// Without variants, the column may contain locales, which all belong to the campaign's own arm.
    package func number(ofColumn value: String) -> UInt8 {
        let found = arms.firstIndex { $0.kind.column == value }
        let number = found ?? arms.firstIndex { $0.kind == .own }
        return number.flatMap { UInt8(exactly: $0) } ?? Self.noArm
    }
}

extension ExperimentRecord.Kind {
    /// The value in the list's column.
    package var column: String {
        switch self {
        case .heldOut: TextColumn.heldOut
        case .own: ""
        case .variant(let name): name
        case .heldOutGlobally: TextColumn.heldOutGlobally
        }
    }

    package init(column: String) {
        switch column {
        case TextColumn.heldOut: self = .heldOut
        case "": self = .own
        case TextColumn.heldOutGlobally: self = .heldOutGlobally
        default: self = .variant(column)
        }
    }
}

extension ExperimentRecord {
    /// The arms of a design; a variant of weight 0 has none.
    package init(_ design: ExperimentDesign) {
        let held = design.holdOut.basisPoints
        let sum = design.variants.reduce(0) { $0 + $1.weight }
        var arms: [Arm] = []
        if held > 0 { arms.append(Arm(.heldOut, weight: held * max(1, sum))) }
        if design.variants.isEmpty {
            arms.append(Arm(.own, weight: 10_000 - held))
        } else {
            arms += design.variants.map {
                Arm(.variant($0.id.rawValue), weight: (10_000 - held) * $0.weight)
            }
        }
        if design.globalHoldOut != .none { arms.append(Arm(.heldOutGlobally, weight: 0)) }
        self.init(name: design.name, arms: arms)
    }
}

extension ExperimentRecord {
    /// Whether both divide people in the same way; arms that get no one do not matter.
    package func divides(as other: ExperimentRecord) -> Bool {
        let (own, others) = (arms.filter { $0.weight > 0 }, other.arms.filter { $0.weight > 0 })
        let sums = (own.reduce(0) { $0 + $1.weight }, others.reduce(0) { $0 + $1.weight })
        return name == other.name && own.map(\.kind) == others.map(\.kind)
            && zip(own, others).allSatisfy { $0.weight * sums.1 == $1.weight * sums.0 }
    }

    /// Returns the number of each arm of another record in this one; `noArm` if it has none.
    package func numbers(ofArmsIn other: ExperimentRecord) -> [UInt8] {
        other.arms.map { arm in
            let number = arms.firstIndex { $0.kind == arm.kind }
            return number.flatMap { UInt8(exactly: $0) } ?? Self.noArm
        }
    }
}

/// A range of an exposure's subjects, in the order of the requests.
package struct ExposedSubjects: Sendable {
    /// The first half of each registration's fingerprint; 0 if it was erased.
    package let registrations: [UInt64]
    /// The first half of the fingerprint of each subject: the person, or else the registration.
    package let subjects: [UInt64]
    /// The number of each subject's arm.
    package let arms: [UInt8]
    /// A number from before the experiment; nil if the list has none.
    package let covariates: [Double]?

    package init(
        registrations: [UInt64],
        subjects: [UInt64],
        arms: [UInt8],
        covariates: [Double]? = nil
    ) {
        self.registrations = registrations
        self.subjects = subjects
        self.arms = arms
        self.covariates = covariates
    }
}
