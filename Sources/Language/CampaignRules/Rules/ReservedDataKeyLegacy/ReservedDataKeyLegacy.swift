import CampaignModel
import Diagnostics
import JSON

extension Rule {
    static let reservedDataKeyLegacy = Rule.ofCampaigns(.reservedDataKeyLegacy) { subject, log in
        for map in [["data"], ["android", "data"], ["webpush", "data"]] {
            for member in subject.content.value(at: map)?.objectValue?.members ?? [] {
                guard let words = legacyReservation(member.key) else { continue }
                let place = subject.keySpan(at: map + [member.key])
                log.report(.reservedDataKeyLegacy(member.key, words: words, at: place))
            }
        }
    }
}

/// Returns the reason that a key may fail; nil for free keys and for keys that are refused anyway.
private func legacyReservation(_ key: String) -> String? {
    if key == "collapse_key" { return "FCM overwrites this key" }
    if ["google.", "gcm.notification."].contains(where: key.hasPrefix) { return nil }
    return ["google", "gcm"].first { key.hasPrefix($0) }
        .map { "older documents reserve keys that begin with `\($0)`" }
}

extension Diagnostic {
    fileprivate static func reservedDataKeyLegacy(
        _ key: String,
        words: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .reservedDataKeyLegacy,
            message: "the data key `\(key)` may not reach the app unchanged",
            span: span,
            label: words,
            help: ["rename the key"]
        )
    }
}
