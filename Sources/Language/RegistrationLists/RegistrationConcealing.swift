package import CampaignModel

extension String {
    /// Replaces a registration everywhere in the text, because it is never shown.
    package func concealing(_ registration: Registration) -> String {
        contains(registration.token) ? "<redacted>" : self
    }
}
