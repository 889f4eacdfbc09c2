package import CampaignModel
package import RegistrationLists

/// What an apply uses of its project.
package struct AppliedProject: Sendable {
    /// The base of relative paths.
    let directory: String
    let fingerprinter: Fingerprinter
    let pace: Pace

    package init(directory: String, fingerprinter: Fingerprinter, pace: Pace = .standard) {
        self.directory = directory
        self.fingerprinter = fingerprinter
        self.pace = pace
    }
}
