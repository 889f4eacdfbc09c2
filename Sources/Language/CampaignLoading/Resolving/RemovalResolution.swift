import CampaignModel
import Diagnostics

extension ProjectResolver {
    /// An audience is removed at most once, and only if it no longer has a `subscribe` key.
    mutating func resolveRemovals(_ audiences: [Audience]) -> [AudienceRemoval] {
        let subscribing = subscribeKeys(of: Set(audiences.map(\.id)))
        var seen = NameTable()
        var removals: [AudienceRemoval] = []
        for document in declarations.removals {
            guard let removed = document.value.removed?.value, let audience = removed.audience
            else { continue }
            let name = audience.value.rawValue
            guard seen.add(name, as: "removal of", at: audience.span, reportingTo: &log) else {
                continue
            }
            if let key = subscribing[audience.value] {
                log.report(
                    .removedAndSubscribing(audience.value, at: audience.span, subscribe: key)
                )
                continue
            }
            guard let members = removed.members else { continue }
            if members.value == .forget, let key = document.value.acknowledge {
                log.report(.uselessAcknowledgement(at: key.span, members: members.span))
            }
            removals.append(
                AudienceRemoval(
                    audience: audience.value,
                    members: members.value,
                    acknowledgement: document.value.acknowledge?.value.resolved
                )
            )
        }
        return removals
    }

    /// Returns the span of each audience's `subscribe` key, if it has one.
    private func subscribeKeys(of audiences: Set<AudienceID>) -> [AudienceID: SourceSpan] {
        var places: [AudienceID: SourceSpan] = [:]
        for declared in declarations.audiences {
            guard let id = declared.value.audience?.value, audiences.contains(id),
                let key = declared.value.subscribe?.span
            else { continue }
            places[id] = places[id] ?? key
        }
        return places
    }
}

extension Diagnostic {
    fileprivate static func uselessAcknowledgement(
        at span: SourceSpan,
        members: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "`acknowledge` has no effect: `members: forget` makes no member leave",
            span: span,
            label: "has no effect",
            related: [RelatedPlace(span: members, message: "keeps all members subscribed")],
            help: ["delete `acknowledge`, or write `members: unsubscribe`"]
        )
    }

    fileprivate static func removedAndSubscribing(
        _ audience: AudienceID,
        at span: SourceSpan,
        subscribe: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "audience `\(audience)` is removed, but it still has `subscribe`",
            span: span,
            label: "removed",
            related: [RelatedPlace(span: subscribe, message: "its `subscribe`")],
            help: [
                "delete this document, or the audience's `subscribe`; `subscribe: []` already "
                    + "removes all members"
            ]
        )
    }
}
