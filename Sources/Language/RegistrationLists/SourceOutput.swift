package import CampaignModel
package import SystemIO

/// What a source wrote, in a file that only this process can open.
///
/// It is read several times, so that what is sent is what was checked. A class, because all readers
/// share one open file, which exists until the last one has ended.
package final class SourceOutput: Sendable {
    private let file: File

    package init(_ file: consuming File) {
        self.file = file
    }

    /// Opens it for one reader, which keeps its own position.
    func open() throws(SystemError) -> File { try file.duplicate() }
}

/// Where the contents of a project's lists are.
package protocol ListPlaces: Sendable {
    /// The base of relative paths.
    var listDirectory: String { get }
    /// An existing directory for temporary files, which long lists need.
    var temporaryFolder: String { get }
    /// Nil if the source was not read.
    func output(of source: ListSourceID) -> SourceOutput?
}

/// A directory without outputs of sources.
extension String: ListPlaces {
    package var listDirectory: String { self }

    package var temporaryFolder: String { self }

    package func output(of source: ListSourceID) -> SourceOutput? { nil }
}

/// A project's directory, and the outputs of the sources that were read.
package struct ProjectLists: ListPlaces {
    package let listDirectory: String
    package let temporaryFolder: String
    private let outputs: [ListSourceID: SourceOutput]

    /// `temporaryFolder`: by default, the directory itself.
    package init(
        directory: String,
        temporaryFolder: String? = nil,
        outputs: [ListSourceID: SourceOutput] = [:]
    ) {
        listDirectory = directory
        self.temporaryFolder = temporaryFolder ?? directory
        self.outputs = outputs
    }

    package func output(of source: ListSourceID) -> SourceOutput? { outputs[source] }

    /// Whether the list can be read: it contains no output of a source that was not read.
    package func contains(_ list: RegistrationList) -> Bool {
        list.sources.allSatisfy { outputs[$0] != nil }
    }
}
