import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    static let deviceGroupFits = Rule(.deviceGroupFits) { context, log in
        for audience in context.declarations.audiences {
            guard let reference = audience.value.registrations,
                case .success(let survey)? = context.surveys[reference.value.list],
                let people = survey.identities
            else { continue }
            let count = people.sorted().repeatedCount(upTo: largestGroup)
            if count > 0 { log.report(.groupFits(count, at: reference.span)) }
        }
    }
}

/// The most registrations of a device group (Firebase documentation, Send messages to device
/// groups).
private let largestGroup = 20

extension [Fingerprint] {
    /// Returns the number of different elements that this sorted array has at least twice and at
    /// most `limit` times.
    fileprivate func repeatedCount(upTo limit: Int) -> Int {
        var count = 0
        var start = startIndex
        while start < endIndex {
            var end = start + 1
            while end < endIndex, self[end] == self[start] { end += 1 }
            if (2...limit).contains(end - start) { count += 1 }
            start = end
        }
        return count
    }
}

extension Diagnostic {
    fileprivate static func groupFits(_ count: Int, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .deviceGroupFits,
            message: (count == 1 ? "1 person has" : "\(count) people have")
                + " several registrations in this list",
            span: span,
            label: "the `identity` column repeats",
            help: [
                "to reach all devices of one person with one message, create a device group with "
                    + "`herald groups create` and send to `{ group: NAME }`"
            ]
        )
    }
}
