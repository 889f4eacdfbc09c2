/// What an envelope belongs to: project, campaign, slot and revision, such as
/// `tidewatch/spring-tide/once/1`.
///
/// It is sent next to the envelope, readable but authenticated. Names of projects and campaigns
/// contain no slash, so that the text is unambiguous.
package struct EnvelopeContext: Hashable, Sendable {
    package let text: String

    /// The context in its stored form.
    package init(text: String) {
        self.text = text
    }

    /// - Parameters:
    ///   - project: The name of the project.
    ///   - occurrence: The occurrence as commands print it: campaign, slot and revision.
    package init(project: String, occurrence: String) {
        text = "\(project)/\(occurrence)"
    }

    /// The associated data of an envelope: the text in UTF-8, then the key ID.
    func associatedData(keyID: [UInt8]) -> [UInt8] { Array(text.utf8) + keyID }
}
