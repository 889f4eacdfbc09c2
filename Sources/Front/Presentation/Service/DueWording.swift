package import Planning
package import Time

/// What a run without the files reports about due sends.
package enum DueWording {
    /// `next`: when the next occurrence is due; nil if none is scheduled.
    package static func nothingDue(next: Instant?, at now: Instant) -> String {
        let wording = MomentWording(now: now)
        let outlook =
            next.map { "The next send is due at \(wording.distance(of: $0))." }
            ?? "Nothing is scheduled."
        return "Nothing is due. \(outlook)\n"
    }

    /// One line per send of a plan that waits for a person; empty if there is none.
    ///
    /// `isReported`: whether the report of a run names those that are paused or stopped.
    package static func waiting(
        _ steps: [CampaignStep],
        isReported: Bool,
        hint: CommandHint
    ) -> String {
        steps.compactMap { step -> String? in
            switch step {
            case .held(let send, _):
                "\(send.occurrence) is held; `\(hint("status"))` shows what to do\n"
            case .paused(let send, _) where !isReported:
                "\(send.occurrence) is paused until `\(hint("resume"))`\n"
            case .stopped(let occurrence, _) where !isReported:
                "\(occurrence) is stopped until its unknown outcome is resolved: "
                    + "\(hint("resolve \(occurrence) sent|resend|drop"))\n"
            case .send, .resume, .lapse, .paused, .rename, .schedule, .reschedule, .expire, .skip,
                .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered, .ended, .stopped,
                .cancel, .retire, .unchanged:
                nil
            }
        }.joined()
    }

    /// One line per campaign that is due and may not be sent; empty if there is none.
    package static func refused(
        _ refused: [AppliedCampaigns.Refused],
        hint: CommandHint
    ) -> String {
        refused.map { "\($0.campaign) is not sent: \($0.reason.wording(hint))\n" }.joined()
    }
}

extension AppliedCampaigns.Refused.Reason {
    fileprivate func wording(_ hint: CommandHint) -> String {
        switch self {
        case .notReviewed:
            "its definition was applied without a reviewed plan; review "
                + "`\(hint("plan"))` and run `\(hint("apply --expect DIGEST"))`"
        case .notStored:
            "the state does not contain its whole definition; run `\(hint("apply"))`"
        case .noList: "the state does not contain its list; run `\(hint("apply"))`"
        case .listAtSend:
            "the state does not contain its list, which is read when the send begins; run "
                + "`\(hint("apply"))`"
        }
    }
}
