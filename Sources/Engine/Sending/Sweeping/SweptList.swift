package import CampaignModel
package import State

/// A surveyed list whose registrations are checked.
package struct SweptList: Sendable {
    package let list: RegistrationList
    /// In the order of the list.
    let fingerprints: [Fingerprint]
    /// The numbers of the registrations that are checked: those that are not dead already.
    let wanted: RequestRanges

    /// Leaves out registrations that are dead already.
    ///
    /// `fingerprints`: those of the whole list, from its survey.
    package init(
        _ list: RegistrationList,
        fingerprints: [Fingerprint],
        dead: DeadRegistrations
    ) {
        self.list = list
        self.fingerprints = fingerprints
        let all = RequestRanges([0..<fingerprints.count])
        let skipped = dead.divide(fingerprints).dead
        wanted = skipped.isEmpty ? all : all.subtracting(skipped)
    }

    package var count: Int { fingerprints.count }

    /// Number of registrations that are checked.
    package var checked: Int { wanted.count }

    /// The report if every registration was dead before.
    package var reportOfNothing: SweepReport {
        SweepReport(
            count: count,
            skipped: count - checked,
            tally: SweepReport.Tally(),
            recorded: 0,
            end: .complete
        )
    }
}
