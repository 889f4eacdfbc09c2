package import Planning
package import Time

/// What a run without the files reports about due sends.
package struct DueWording {
    private let hint: CommandHint
    /// Whether an apply leaves what is due to a service.
    private let handsOver: Bool

    package init(hint: CommandHint, handsOver: Bool) {
        self.hint = hint
        self.handsOver = handsOver
    }

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
    package func waiting(_ steps: [CampaignStep], isReported: Bool) -> String {
        steps.compactMap { step -> String? in
            switch step {
            case .held(let send, _):
                "\(send.occurrence) is held; `\(hint("status"))` shows what to do\n"
            case .paused(let send, _) where !isReported:
                "\(send.occurrence) is paused until `\(hint("resume"))`\n"
            case .stopped(let occurrence, _) where !isReported:
                "\(occurrence) is stopped until its unknown outcome is resolved: "
                    + "\(hint("resolve \(occurrence) sent|resend|drop"))\n"
            case .send, .handOver, .resume, .lapse, .paused, .rename, .schedule, .reschedule,
                .expire, .skip, .miss, .unschedule, .outlive, .redefine, .alreadySent, .lowered,
                .ended, .stopped, .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
                nil
            }
        }.joined()
    }

    /// One line per campaign that is due and may not be sent; empty if there is none.
    package func refused(_ refused: [AppliedCampaigns.Refused]) -> String {
        refused.map { "\($0.campaign) is not sent: \(wording(of: $0.reason))\n" }.joined()
    }

    private func wording(of reason: AppliedCampaigns.Refused.Reason) -> String {
        switch reason {
        case .notReviewed:
            "its definition was applied without a reviewed plan; review "
                + "`\(hint("plan"))` and run `\(hint("apply --expect DIGEST"))`"
        case .notStored:
            "the state does not contain its whole definition; run `\(hint("apply"))`"
        case .noList: "the state does not contain its list; run `\(hint("apply"))`"
        case .listAtSend:
            "its list is read when the send begins; name the directory of the lists with "
                + "`--lists DIR`" + (handsOver ? "" : ", or run `\(hint("apply"))`")
        case .sourceAtSend:
            "its list is the output of a source and is read when the send begins, which only "
                + "`\(hint("apply"))` does"
        }
    }
}
