import CampaignModel
import RegistrationLists

/// Describes how the registrations of a set come from its lists.
struct SetWording {
    private let composition: ListComposition

    init(_ composition: ListComposition) {
        self.composition = composition
    }

    /// One sentence for the list, then one for each set among its lists.
    ///
    /// For example, `The list is the union of anglers and sailors, except staff, compared by
    /// identity (user): 9,000 + 3,000 − 380 in both − 600 of staff = 11,020 registrations of 8,412
    /// people.`
    var sentences: [String] { sentences(about: "The list") }

    private func sentences(about subject: String) -> [String] {
        ["\(subject) is \(lists), compared by \(basis): \(calculation)."]
            + composition.parts.flatMap { part in
                part.composition.map { SetWording($0).sentences(about: part.wording) } ?? []
            }
    }

    private var lists: String {
        let names = composition.parts.map(\.wording).joined(by: "and")
        let excluded = composition.excluded.map(\.wording).joined(by: "and")
        return combination + names + (excluded.isEmpty ? "" : ", except \(excluded)")
    }

    private var combination: String {
        guard composition.parts.count > 1 else { return "" }
        return switch composition.operation {
        case .union: "the union of "
        case .allOf: "the intersection of "
        }
    }

    /// A union without `except` depends only on the registrations.
    private var basis: String {
        guard composition.operation == .allOf || !composition.excluded.isEmpty,
            case .identity(let columns) = composition.basis
        else { return "registration" }
        return "identity (\(columns.joined(by: "and")))"
    }

    private var calculation: String {
        let result = composition.count.counting("registration")
        let people = composition.people.map {
            " of " + $0.counting("person", plural: "people")
        }
        let terms = combinedTerm + excludedTerm
        let isTrivial = composition.parts.count == 1 && composition.excluded.isEmpty
        return (isTrivial ? "" : terms + " = ") + result + (people ?? "")
    }

    private var combinedTerm: String {
        let sum = composition.parts.map(\.count.grouped).joined(separator: " + ")
        let count = composition.parts.count
        guard count > 1 else { return sum }
        switch composition.operation {
        case .union:
            let place = count == 2 ? "both" : "several"
            return "\(sum) − \(composition.dropped.repeated.grouped) in \(place)"
        case .allOf:
            let place = count == 2 ? "both" : "all"
            return "\(composition.combinedCount.grouped) in \(place) (of \(sum))"
        }
    }

    private var excludedTerm: String {
        guard !composition.excluded.isEmpty else { return "" }
        let names = composition.excluded.map(\.wording).joined(by: "or")
        return " − \(composition.dropped.excluded.grouped) of \(names)"
    }
}

extension ListComposition.Part {
    fileprivate var wording: String { name ?? "the listed registrations" }
}

extension [AudienceID] {
    /// For the name of a list, ` without staff and testers`; empty if nothing is excluded.
    var exclusionWording: String {
        isEmpty ? "" : " without " + map(\.rawValue).joined(by: "and")
    }
}
