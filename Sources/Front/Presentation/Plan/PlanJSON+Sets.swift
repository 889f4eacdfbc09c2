import CampaignModel
import JSON
import RegistrationLists

extension PlanJSON {
    static let listSet = JSONShape<ListComposition>(
        "How a set of lists is formed: `registrations` are those of all `lists`, without "
            + "`unmatched`, `repeated` and `excluded`.",
        [
            .required("operation", .openChoice, about: "How the lists are combined.") {
                $0.operation
            },
            .required(
                "identity",
                .list(of: .text),
                about: "Columns by which `all_of` and `except` compare rows; empty if they compare "
                    + "registrations."
            ) {
                if case .identity(let columns) = $0.basis { columns } else { [] }
            },
            .required("lists", .list(of: .object(listPart)), about: "Combined lists.") {
                $0.parts
            },
            .required("except", .list(of: .object(listPart)), about: "Lists that are left out.") {
                $0.excluded
            },
            .required(
                "unmatched",
                .count,
                about: "Registrations that `all_of` drops, because not all lists have them."
            ) { $0.dropped.unmatched },
            .required(
                "repeated",
                .count,
                about: "Registrations that an earlier list has."
            ) { $0.dropped.repeated },
            .required("excluded", .count, about: "Registrations that `except` drops.") {
                $0.dropped.excluded
            },
            .required("registrations", .count, about: "Size of the set.") { $0.count },
            .optional("people", .count, about: "Different identities in the set.") { $0.people },
        ]
    )

    private static let listPart = JSONShape<ListComposition.Part>(
        "A list of a set.",
        [
            .required(
                "list",
                .nullable(.text),
                about: "Name of the audience or path of the list; null if in the YAML."
            ) { $0.name },
            .required("registrations", .count, about: "Size of the list.") { $0.count },
        ]
    )
}
