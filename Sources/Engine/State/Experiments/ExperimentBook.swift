package import CampaignModel

/// Records which subject is in which arm, what happened to it, and the looks at the results.
package protocol ExperimentBook: Sendable {
    /// Records the arms of an occurrence's subjects, in the order of its requests; a unit that has
    /// them keeps them.
    ///
    /// `covariates`: a number from before the experiment of each subject; nil if the list has none.
    ///
    /// The people stay in the state with the exposure.
    func expose(
        _ exposure: Exposure,
        arms: [UInt8],
        covariates: [Double]?
    ) async throws(StateStoreError)

    /// Nil if the unit belongs to no experiment.
    func exposure(of unit: UnitID) async throws(StateStoreError) -> Exposure?

    /// The exposures of a campaign, or of all campaigns, in the order of their beginnings.
    func exposures(of campaign: CampaignID?) async throws(StateStoreError) -> [Exposure]

    /// A range of an exposure's subjects that begins with `first`; nil at the end.
    ///
    /// `first`: 0, or the end of the previous range.
    func subjects(
        of exposure: Exposure,
        from first: Int
    ) async throws(StateStoreError) -> ExposedSubjects?

    /// Stores outcomes in one transaction; this does not need the writer's lock.
    ///
    /// - Returns: The number of outcomes that were not stored before.
    func record(_ outcomes: [SubjectOutcome]) async throws(StateStoreError) -> Int

    /// The outcomes of units, by name.
    func outcomes(of units: [UnitID]) async throws(StateStoreError) -> [OutcomeSummary]

    /// The sums of subjects with an outcome, in the order of the subjects as signed numbers.
    ///
    /// `last`: the subject after which they begin; nil for the first ones. At most `limit`.
    func sums(
        of outcome: String,
        in units: [UnitID],
        after last: UInt64?,
        limit: Int
    ) async throws(StateStoreError) -> [SubjectSum]

    /// Fixes a plan unless the result has one; this does not need the writer's lock.
    ///
    /// - Returns: The result's plan.
    func fix(_ plan: ResultPlan, of result: ResultName) async throws(StateStoreError) -> ResultPlan

    /// Nil before the first look.
    func plan(of result: ResultName) async throws(StateStoreError) -> ResultPlan?

    /// Records a look unless the last one has the same content; this does not need the writer's
    /// lock.
    func record(_ look: ResultLook, of result: ResultName) async throws(StateStoreError)

    /// In the order of their times.
    func looks(of result: ResultName) async throws(StateStoreError) -> [ResultLook]

    /// Stores delivery data; newer data of the same app, label and day replaces older data. This does
    /// not need the writer's lock.
    func record(_ deliveries: [AndroidDelivery]) async throws(StateStoreError)

    /// The delivery data of labels, in the order of the days.
    func deliveries(of labels: [String]) async throws(StateStoreError) -> [AndroidDelivery]
}

extension ExperimentBook {
    /// Records the arms of a list without numbers from before the experiment.
    package func expose(_ exposure: Exposure, arms: [UInt8]) async throws(StateStoreError) {
        try await expose(exposure, arms: arms, covariates: nil)
    }
}
