import CampaignModel
import JSON
import Planning
import RegistrationLists
import State

extension PlanJSON {
    /// The number of registrations that a plan lists of each set, unless it lists all.
    package static let sampleSize = 10

    static let registrations = JSONShape<RegistrationSample>(
        "A number of registrations, and fingerprints of some of them.",
        [
            .required("count", .count, about: "Number of registrations.") { $0.count },
            .required(
                "fingerprints",
                .list(of: .text(pattern: "^[0-9a-f]{16}$")),
                about: "The first \(sampleSize); all with `--full`."
            ) { $0.fingerprints },
        ]
    )

    static let membership = JSONShape<ShownMembership>(
        "The registrations that join or leave a topic for an audience.",
        [
            .required("audience", .text, about: "Audience.") { $0.change.scope.audience.rawValue },
            .required("topic", .text, about: "Topic.") { $0.change.scope.topic.name },
            .required("joins", .object(registrations)) { $0.sample(\.joins) },
            .required("leaves", .object(registrations)) { $0.sample(\.leaves) },
            .required("forgotten", .object(registrations)) { $0.sample(\.forgotten) },
            .required("noted", .object(registrations)) { $0.sample(\.noted) },
            .required(
                "staying",
                .count,
                about: "Managed memberships that stay without a request."
            ) { $0.change.staying },
            .optional("set", .object(listSet)) { $0.change.composition },
        ]
    )

    static let request = JSONShape(
        "One request, or one per registration, if `{registration}` stands for it. `{registrations}` "
            + "stands for all of them in one request.",
        ShownRequest.members.reading { (shown: ShownRequests) in
            ShownRequest(body: shown.body, path: shown.requests.path)
        } + purposeMembers
    )

    private static let purposeMembers: [JSONMember<ShownRequests>] = [
        .optional("audience", .text, about: "Audience that joins or leaves.") { shown in
            switch shown.requests.purpose {
            case .join(let audience), .leave(let audience): audience.rawValue
            case .send: nil
            }
        },
        .optional("campaign", .text, about: "Campaign that is sent.") { shown in
            switch shown.requests.purpose {
            case .join, .leave: nil
            case .send(let campaign): campaign.rawValue
            }
        },
        .optional("registrations", .object(registrations)) { $0.registrations },
    ]
}

/// A membership with as many fingerprints as a plan lists.
struct ShownMembership {
    let change: MembershipChange
    /// Nil for all.
    let limit: Int?

    func sample(_ part: KeyPath<MembershipChange, [Fingerprint]>) -> RegistrationSample {
        RegistrationSample(change[keyPath: part], limit: limit)
    }
}

/// The number of registrations, and the fingerprints of the first.
struct RegistrationSample {
    let count: Int
    let fingerprints: [String]

    /// `limit`: the number of fingerprints to list; nil for all.
    init(_ all: [Fingerprint], limit: Int?) {
        self.init(named: all.prefix(limit ?? all.count).map(\.description), of: all.count)
    }

    init(named fingerprints: [String], of count: Int) {
        self.fingerprints = fingerprints
        self.count = count
    }
}

/// A notice with as many fingerprints as a plan lists.
struct ShownNotice {
    let notice: PlanNotice
    /// Nil for all.
    let limit: Int?
}

/// Requests with a mark in place of registrations, and with as many of those as a plan lists.
struct ShownRequests {
    let requests: PlannedRequests
    let body: JSONValue
    /// Nil if the requests name no registration.
    let registrations: RegistrationSample?

    /// Stands for all registrations of a request.
    private static let mark: JSONValue = ["{registrations}"]
    /// The member of a membership change that contains the registrations.
    private static let batch = "registration_tokens"

    /// `limit`: nil for all.
    init(_ requests: PlannedRequests, limit: Int?) {
        self.requests = requests
        if let all = requests.registrations {
            body = requests.body
            registrations = RegistrationSample(all, limit: limit)
        } else if case .object(var content) = requests.body,
            let all = content[Self.batch]?.arrayValue
        {
            content[Self.batch] = Self.mark
            body = .object(content)
            registrations = RegistrationSample(
                named: all.prefix(limit ?? all.count).compactMap(\.stringValue),
                of: all.count
            )
        } else {
            body = requests.body
            registrations = nil
        }
    }
}
