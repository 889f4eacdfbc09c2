import CampaignModel
import Diagnostics
import JSON

extension Rule {
    static let reservedDataKeyLegacy = Rule.ofCampaigns(.reservedDataKeyLegacy) { subject, log in
        for map in [["data"], ["android", "data"], ["webpush", "data"]] {
            for member in subject.content.value(at: map)?.objectValue?.members ?? [] {
                let place = subject.keySpan(at: map + [member.key])
                if member.key == "collapse_key" {
                    log.report(.overwrittenDataKey(member.key, at: place))
                } else if let prefix = legacyPrefix(of: member.key) {
                    log.report(.legacyDataKey(member.key, prefix: prefix, at: place))
                }
            }
        }
    }
}

/// Returns the reserved prefix of a key; nil for free keys and for keys that are refused anyway.
private func legacyPrefix(of key: String) -> String? {
    if ["google.", "gcm.notification."].contains(where: key.hasPrefix) { return nil }
    return ["google", "gcm"].first { key.hasPrefix($0) }
}

extension Diagnostic {
    fileprivate static func legacyDataKey(
        _ key: String,
        prefix: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .reservedDataKeyLegacy,
            message: "FCM may refuse the data key `\(key)`",
            span: span,
            label: "some of its documents reserve keys that begin with `\(prefix)`",
            help: ["rename the key, or allow it with a comment if FCM accepts it"]
        )
    }

    fileprivate static func overwrittenDataKey(
        _ key: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .reservedDataKeyLegacy,
            severity: .warning,
            message: "the data key `\(key)` may not reach the app unchanged",
            span: span,
            label: "FCM overwrites this key",
            help: ["rename the key"]
        )
    }
}
