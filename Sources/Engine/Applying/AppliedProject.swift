package import CampaignModel
package import RegistrationLists

/// What an apply uses of its project.
package struct AppliedProject: Sendable {
    /// The places of its lists.
    let directory: any ListPlaces
    let fingerprinter: Fingerprinter
    let pace: Pace

    package init(
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        pace: Pace = .standard
    ) {
        self.directory = directory
        self.fingerprinter = fingerprinter
        self.pace = pace
    }
}
