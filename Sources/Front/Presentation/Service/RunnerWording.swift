package import CampaignModel
package import State
package import Time

/// Describes the processes that send what is due, and their standbys.
package struct RunnerWording {
    private let hint: CommandHint
    private let now: Instant

    package init(hint: CommandHint, now: Instant) {
        self.hint = hint
        self.now = now
    }

    /// Warns that scheduled sends may not go out on time.
    ///
    /// `count`: of the sends. `last`: the process that was seen last, too long ago; nil if none was
    /// seen.
    package func noRunner(for count: Int, last: Runner?) -> String {
        let seen =
            last.map { "the last process that sends from this state was seen \(ago($0.lastSeen))" }
            ?? "no process that sends from this state was seen yet"
        return "\(count.counting("send is", plural: "sends are")) scheduled, and \(seen). Run "
            + "`\(hint("run"))` as a service, or `\(hint("apply --due"))` from a cron job."
    }

    /// Warns that no known service reads the lists of these campaigns.
    ///
    /// `more`: the number of further campaigns.
    package func noLists(for campaign: CampaignID, and more: Int) -> String {
        let names = more > 0 ? "\(campaign) and \(more.counting("other"))" : "\(campaign)"
        return "the list of \(names) is read when the send begins, and no running service was "
            + "started with `--lists DIR`. Without it, the send waits."
    }

    /// The runner as a line of the status.
    package func line(_ runner: Runner) -> String {
        let lists = runner.readsLists ? ", reads lists" : ""
        let role = runner.isStandby ? "Standby" : "Runner"
        return "\(role): `\(TextStyle.safe(runner.command))` on \(TextStyle.safe(runner.host)), "
            + "process \(runner.processID), last seen \(ago(runner.lastSeen))\(lists)"
    }

    private func ago(_ moment: Instant) -> String { MomentWording(now: now).ago(moment) }
}
