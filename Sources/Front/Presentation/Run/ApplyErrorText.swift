import CampaignModel
package import Planning
package import RegistrationLists
package import RunControl
import State

/// The text of an error, with advice on how to fix it.
package struct ErrorText: Hashable, Sendable {
    package let message: String
    package let help: String?

    /// Only this module writes texts for users.
    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    package init(_ error: ApplyError) {
        switch error {
        case .state(let error): self.init(error)
        case .list(let error): self.init(error)
        case .unreachable(let reason):
            self.init(
                "the server cannot be reached: \(TextStyle.safe(reason))",
                help: "start it, or choose another environment with -e; nothing was sent"
            )
        case .unanswered(let reason):
            self.init(
                "the server stopped answering: \(TextStyle.safe(reason))",
                help: "run apply again to continue; all results so far are recorded"
            )
        case .refused(let reason):
            self.init(
                "FCM refuses access: \(TextStyle.safe(reason))",
                help: "fix the cause and run apply again; nothing more was sent"
            )
        case .recalled(let id):
            self.init(
                "\(id) was recalled with another text since the plan was made",
                help: "run plan again; this correction was not sent"
            )
        case .interrupted:
            self.init(
                "interrupted",
                help: "run apply again to continue; all results so far are recorded"
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
                "no document specifies what to do with \(names.joined(separator: ", "))",
                help: "write a document `removed: { audience: "
                    + "\(memberships.first?.audience.rawValue ?? "NAME"), members: unsubscribe }`, "
                    + "or `members: forget` to keep them subscribed; an apply subscribed them for "
                    + "an `audience:` that was removed or no longer has `subscribe`"
            )
        case .unreadableOccurrence(let id):
            self.init(
                "the state's record of \(id) cannot be read",
                help: "finish it with the version of Herald that wrote it"
            )
        case .renamedOntoHistory(let old, let new):
            self.init(
                "campaign \(new) cannot take over the history of \(old): it already has one",
                help: "remove `moved_from`, or give the campaign a name that was never used"
            )
        case .unknownZone(let campaign, let zone):
            self.init("campaign \(campaign) uses \(zone), which is not a time zone of this system")
        case .quietZones(let campaign):
            self.init(
                "the list of campaign \(campaign) has a `timezone` and is read when the send begins "
                    + "(`read: at_send`); Herald does not support quiet hours in the zones of such "
                    + "recipients yet",
                help:
                    "use `read: at_apply`, or remove `timezone` from the list, so that the campaign's "
                    + "zone counts, or give the campaign `during_quiet_hours: send` and a `reason`"
            )
        case .tooManySlots(let campaign, let count):
            self.init(
                "the recipients of campaign \(campaign) have \(count.grouped) different times, more "
                    + "than \(ZoneParts.maximumCount.grouped)",
                help: "round the times in the column, for example to quarters of an hour"
            )
        case .noRecipientZones(let campaign):
            self.init(
                "campaign \(campaign) has `timezone: recipient` or `at_column`, but its list has no "
                    + "such column in this environment, or is read when the send begins",
                help: "use a list with the column, and `read: at_apply`"
            )
        case .notHandedOver(let campaign, let obstacle):
            self.init(
                "`herald run` cannot send campaign \(campaign): \(obstacle.wording)",
                help: "send it from an environment without `sends: run`" + obstacle.alternative
            )
        case .changedExperiment(let campaign, let name):
            self.init(
                "campaign \(campaign) was sent under the experiment `\(name)` with other weights or another "
                    + "`holdout`; people would change their variant",
                help: "restore them, or begin a new experiment: `experiment: \(name)-2`"
            )
        case .plainState(let campaign, let environment):
            self.init(
                "campaign \(campaign) has `encrypt`, but the state of \(environment) is not encrypted",
                help:
                    "write `state: { encryption: { key: env:NAME } }` in the environment, because the "
                    + "state contains the text until it is sent"
            )
        }
    }

    package init(_ error: RegistrationListError) {
        switch error {
        case .unreadable(let path, let reason):
            self.init("the list \(TextStyle.safe(path)) cannot be read: \(reason)")
        case .empty(let path):
            self.init("\(Self.list(path)) contains no registrations")
        case .brokenLines(let lines, let path, _):
            let first = lines.first.map { line in
                ":\(line.number) is not a registration: "
                    + TextStyle.safe("\(line.reason) (\(line.place))")
            }
            self.init(TextStyle.safe(path) + (first ?? ""))
        case .missingColumn(let column):
            self.init(
                "\(TextStyle.safe(column.path)):\(column.line) has no column "
                    + "`\(TextStyle.safe(column.name))`",
                help: column.nearest.map { "did you mean `\(TextStyle.safe($0))`?" }
            )
        case .repeated(let line, let first, let path, _, let firstPath):
            let other = firstPath == path ? nil : firstPath
            self.init(
                "\(TextStyle.safe(path ?? "the list")):\(line) repeats the registration of "
                    + (other.map { "\(TextStyle.safe($0)):\(first)" } ?? "line \(first)")
            )
        case .changed(let path):
            self.init(
                "\(Self.list(path)) changed while the plan was applied",
                help: "run plan again; nothing was sent to the changed list"
            )
        case .sourceNotRead(let source):
            self.init(
                "the list is the output of the source `\(source)`, which was not read",
                help: "give --allow-sources to `plan`, `apply`, `simulate`, `send`, "
                    + "`registrations check` or `state recover`; give other commands a file"
            )
        }
    }

    private static func list(_ path: String?) -> String {
        path.map { "the list \(TextStyle.safe($0))" } ?? "the list"
    }
}

extension HandOverObstacle {
    fileprivate var wording: String {
        switch self {
        case .liveActivityToken:
            "its message sets `live_activity_token`, a secret that the state does not store"
        case .source(let source):
            "its list is read when the send begins, and is the output of source \(source)"
        case .inlineList:
            "its list is read when the send begins, and a part of it is in the campaign's files"
        }
    }

    /// Another way to send the campaign; empty if there is none.
    fileprivate var alternative: String {
        switch self {
        case .liveActivityToken: ""
        case .source, .inlineList: ", or remove `read: at_send`"
        }
    }
}
