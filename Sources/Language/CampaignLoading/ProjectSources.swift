/// The texts of a project, as on disk or after a change that is not written yet.
package struct ProjectSources: Sendable {
    /// The first is the project file; paths are relative to the project.
    package private(set) var files: [(path: String, result: Result<[UInt8], FileProblem>)]
    /// A directory that is not read but was probably intended to be.
    let misnamed: String?
    private let places: [String: Int]

    package init(directory: String) {
        let folder = ProjectFiles(directory: directory)
        let project = ProjectLoader.projectFile
        files =
            [(project, folder.read(project))]
            + folder.campaignFiles().map { ($0.path, folder.read($0)) }
        misnamed = folder.misnamedCampaignFolder()
        places = Dictionary(
            files.enumerated().map { ($0.element.path, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Reads only `herald.yaml`.
    package init(projectFileIn directory: String) {
        let project = ProjectLoader.projectFile
        files = [(project, ProjectFiles(directory: directory).read(project))]
        misnamed = nil
        places = [project: 0]
    }

    /// The text of a file that could be read.
    package subscript(path: String) -> [UInt8]? {
        get { places[path].flatMap { try? files[$0].result.get() } }
        set {
            guard let newValue, let place = places[path] else { return }
            files[place].result = .success(newValue)
        }
    }
}
