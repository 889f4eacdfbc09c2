package import Applying
import CampaignModel
package import Planning
import State
package import RegistrationLists

/// The text of an error, with advice on how to fix it.
package struct ErrorText: Hashable, Sendable {
    package let message: String
    package let help: String?

    package init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    package init(_ error: ApplyError) {
        switch error {
        case .state(let error): self.init(error)
        case .list(let error): self.init(error)
        case .unreachable(let reason):
            self.init(
                "the server can't be reached: \(TextStyle.safe(reason))",
                help: "nothing was sent; start it, or choose another environment with -e"
            )
        case .unanswered(let reason):
            self.init(
                "the server stopped answering: \(TextStyle.safe(reason))",
                help: "what was done is recorded; run apply again and it goes on from there"
            )
        case .refused(let reason):
            self.init(
                "FCM refuses us: \(TextStyle.safe(reason))",
                help: "nothing more was sent; mend the cause and run apply again"
            )
        case .interrupted:
            self.init(
                "interrupted",
                help: "what was done is recorded; run apply again to go on"
            )
        }
    }

    package init(_ error: PlanningError) {
        switch error {
        case .state(let error): self.init(error)
        case .list(let error): self.init(error)
        case .abandonedMemberships(let memberships):
            let names = memberships.map {
                "\($0.count.counting("registration")) of \($0.audience) in topic \($0.topic)"
            }
            self.init(
                "nobody says what becomes of \(names.joined(separator: ", "))",
                help: "an apply subscribed them for an `audience:` that is gone or has no "
                    + "`subscribe` now; write a document `removed: { audience: "
                    + "\(memberships.first?.audience.rawValue ?? "NAME"), members: unsubscribe }`, "
                    + "or `members: forget` to let them be"
            )
        case .unreadableOccurrence(let id):
            self.init(
                "the state's record of \(id) can't be read",
                help: "it was written by another version of Herald; use that one to finish"
            )
        case .renamedOntoHistory(let old, let new):
            self.init(
                "campaign \(new) can't take over the history of \(old): it has one of its own",
                help: "take `moved_from` out, or give the campaign a name that was never used"
            )
        case .unknownZone(let campaign, let zone):
            self.init("the system does not know \(zone), the zone of campaign \(campaign)")
        case .notBuilt(let campaign, let keys):
            let names = keys.map { "`\($0)`" }.joined(separator: ", ")
            self.init(
                "campaign \(campaign) says \(names), which is not built yet",
                help: "take it out: Herald refuses what it cannot do rather than ignore it"
            )
        }
    }

    package init(_ error: RegistrationListError) {
        switch error {
        case .unreadable(let path, let reason):
            self.init("the list \(TextStyle.safe(path)) can't be read: \(reason)")
        case .empty(let path):
            self.init("\(Self.list(path)) has no registration")
        case .brokenLines(let lines, let path, _):
            let first = lines.first
            self.init(
                "\(TextStyle.safe(path)):\(first?.number ?? 0) is no registration: "
                    + (first?.reason ?? "")
            )
        case .missingColumn(let column):
            self.init(
                "\(TextStyle.safe(column.path)):\(column.line) has no column "
                    + "`\(TextStyle.safe(column.name))`",
                help: column.nearest.map { "did you mean `\(TextStyle.safe($0))`?" }
            )
        case .repeated(let line, let first, let path, _):
            self.init(
                "\(TextStyle.safe(path ?? "the list")):\(line) repeats the registration of "
                    + "line \(first)"
            )
        case .changed(let path):
            self.init(
                "\(Self.list(path)) changed while the plan was applied",
                help: "run plan again: nothing was sent to the changed list"
            )
        case .notBuilt(let path):
            self.init("the format of \(Self.list(path)) is not built yet")
        }
    }

    private static func list(_ path: String?) -> String {
        path.map { "the list \(TextStyle.safe($0))" } ?? "the list"
    }
}
