package import CampaignModel
package import Time

/// The runs that last changed the recorded occurrences and definitions.
package struct LastChanges: Hashable, Sendable {
    package let occurrences: [OccurrenceID: LastChange]
    package let definitions: [CampaignID: LastChange]

    package init(
        occurrences: [OccurrenceID: LastChange],
        definitions: [CampaignID: LastChange]
    ) {
        self.occurrences = occurrences
        self.definitions = definitions
    }
}

/// The run that last changed something.
package struct LastChange: Hashable, Sendable {
    package let run: RunID
    /// The end of the run, or its start if it has no end.
    package let moment: Instant

    package init(run: RunID, moment: Instant) {
        self.run = run
        self.moment = moment
    }
}
