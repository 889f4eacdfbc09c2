/// The files of a small project, on a rule page.
package struct RuleExample: Sendable {
    package struct File: Equatable, Sendable {
        package let path: String
        /// As on the page: `⟨TEXT×N⟩` means TEXT repeated N times, and `#` in TEXT is the number
        /// of the repetition, from 1.
        package let text: String
        package let isLatin1: Bool

        package init(path: String, text: String, isLatin1: Bool = false) {
            self.path = path
            self.text = text
            self.isLatin1 = isLatin1
        }
    }

    package let files: [File]
    /// Text below the files, for example the meaning of `⟨TEXT×N⟩`.
    package let note: String?

    package init(files: [File], note: String? = nil) {
        self.files = files
        self.note = note
    }
}
