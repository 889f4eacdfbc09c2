/// The texts of a project, as they are on disk or after a change that is not written yet.
package struct ProjectSources: Sendable {
    /// The first is the project file; paths are relative to the project.
    package private(set) var files: [(path: String, result: Result<[UInt8], FileProblem>)]
    /// A folder that nothing is read from and that was probably meant to be.
    let misnamed: String?

    package init(directory: String) {
        let folder = ProjectFiles(directory: directory)
        let project = ProjectLoader.projectFile
        files = [(project, folder.read(project))] + folder.campaignFiles()
        misnamed = folder.misnamedCampaignFolder()
    }

    /// The text of a file that could be read.
    package subscript(path: String) -> [UInt8]? {
        get { files.first { $0.path == path }.flatMap { try? $0.result.get() } }
        set {
            guard let newValue, let index = files.firstIndex(where: { $0.path == path }) else {
                return
            }
            files[index].result = .success(newValue)
        }
    }
}
