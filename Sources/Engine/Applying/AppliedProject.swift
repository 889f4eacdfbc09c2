package import CampaignModel
package import RegistrationLists
package import RunControl
package import Time

/// What an apply uses of its project.
package struct AppliedProject: Sendable {
    /// The places of the lists that were read for the plan.
    let directory: any ListPlaces
    /// Reads the lists that are read when their sends begin; nil if the plan sends to none.
    let listsAtSend: (any ListAtSendReader)?
    let fingerprinter: Fingerprinter
    /// The time zones of people, for frequency caps.
    let zones: TimeZoneDatabase
    let pace: Pace
    let drafts: ListDrafts?

    package init(
        directory: any ListPlaces,
        listsAtSend: (any ListAtSendReader)? = nil,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase,
        pace: Pace = .standard,
        drafts: ListDrafts? = nil
    ) {
        self.directory = directory
        self.listsAtSend = listsAtSend
        self.fingerprinter = fingerprinter
        self.zones = zones
        self.pace = pace
        self.drafts = drafts
    }
}
