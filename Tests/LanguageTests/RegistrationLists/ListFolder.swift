import CampaignModel
import RegistrationLists
import TestSupport

/// A list file in its own directory.
struct ListFolder {
    private let folder: TemporaryFolder
    let list = RegistrationList.file(path: "lists/a.txt")

    init(_ text: String) throws {
        try self.init(bytes: text.utf8)
    }

    init(bytes: some Sequence<UInt8>) throws {
        folder = try TemporaryFolder()
        try folder.write("lists/a.txt", bytes)
    }

    var directory: String { folder.path }

    func rewrite(_ text: String) throws {
        try folder.write("lists/a.txt", text)
    }

    func survey() throws(RegistrationListError) -> ListSurvey {
        try ListSurvey(list, directory: directory, fingerprinter: Self.fingerprinter)
    }

    static let fingerprinter = Fingerprinter(key: FingerprintKey(bytes: Array(0..<32)))
}

extension RegistrationListError.BrokenLine {
    /// The line, the reason, and the place, as in messages.
    var text: String { "\(number): \(reason) (\(place))" }
}
