package import CampaignModel
package import RegistrationLists
package import RunControl

/// What an apply uses of its project.
package struct AppliedProject: Sendable {
    /// The places of its lists.
    let directory: any ListPlaces
    let fingerprinter: Fingerprinter
    let pace: Pace
    let drafts: ListDrafts?

    package init(
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        pace: Pace = .standard,
        drafts: ListDrafts? = nil
    ) {
        self.directory = directory
        self.fingerprinter = fingerprinter
        self.pace = pace
        self.drafts = drafts
    }
}
