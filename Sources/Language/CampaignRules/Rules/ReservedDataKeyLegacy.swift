import CampaignModel
import Diagnostics
import JSON

extension RulePage {
    static let reservedDataKeyLegacy = RulePage(
        .reservedDataKeyLegacy,
        whatItDoes: """
            Finds data keys that begin with `google` or `gcm`, and the key `collapse_key`.

            Those that FCM refuses today are another rule's, `reserved-data-key`.
            """,
        whyIsThisBad: """
            Older documents and libraries keep these beginnings for FCM, and FCM writes its own \
            value over `collapse_key`.
            """,
        example: """
            campaign: fish-auction
            audience: { topic: azores }
            message:
              data: { gcm_lot: "0123" }
            """,
        useInstead: """
            campaign: fish-auction
            audience: { topic: azores }
            message:
              data: { lot: "0123" }
            """,
        source: """
            Firebase reference, REST resource projects.messages; Firebase documentation, Legacy \
            HTTP Server Protocol
            """
    )
}

extension Rule {
    static let reservedDataKeyLegacy = Rule.ofCampaigns(.reservedDataKeyLegacy) { subject, log in
        for map in [["data"], ["android", "data"], ["webpush", "data"]] {
            for member in subject.content.value(at: map)?.objectValue?.members ?? [] {
                guard let words = legacyReservation(member.key) else { continue }
                let place = subject.keySpan(at: map + [member.key])
                log.report(.reservedDataKeyLegacy(member.key, words, at: place))
            }
        }
    }
}

/// Returns the reason that a key may fail; nil for free keys and for keys that are refused anyway.
private func legacyReservation(_ key: String) -> String? {
    if key == "collapse_key" { return "FCM writes its own value here" }
    if ["google.", "gcm.notification."].contains(where: key.hasPrefix) { return nil }
    return ["google", "gcm"].first { key.hasPrefix($0) }
        .map { "older documents reserve everything that begins with `\($0)`" }
}

extension Diagnostic {
    fileprivate static func reservedDataKeyLegacy(
        _ key: String,
        _ words: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .reservedDataKeyLegacy,
            message: "the data key `\(key)` may not arrive as it is written",
            span: span,
            label: words,
            help: ["choose another name"]
        )
    }
}
