package import Diagnostics
import YAMLSyntax

/// A file that describes a population, with its problems.
package struct PopulationFile: Sendable {
    /// nil if it is not a population.
    package let declaration: PopulationDeclaration?
    package let catalog: SourceCatalog
    package let log: DiagnosticLog

    /// `path`: The path as given by the user, relative to the working directory.
    package init(reading path: String) {
        let folders = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = folders.dropLast().joined(separator: "/")
        let directory = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        let found = ProjectFiles(directory: directory).read(String(folders.last ?? ""))
        let file = FileReading(path: path, result: found, as: SourceID(index: 0))
        var log = file.log
        var declaration: PopulationDeclaration?
        if let document = file.documents.first {
            var read = PopulationDeclaration()
            if PopulationDeclaration.reader.read(document, into: &read, reportingTo: &log) {
                read.check(&log)
                declaration = read
            }
        } else if file.isReadable {
            log.report(
                Diagnostic(
                    rule: .missingKey,
                    message: "\(path) does not contain a population",
                    span: nil,
                    help: ["write `population: NAME` and `size: 10000`"]
                )
            )
        }
        self.declaration = log.hasErrors ? nil : declaration
        self.log = log
        var catalog = SourceCatalog()
        _ = catalog.add(path: path, bytes: file.bytes)
        self.catalog = catalog
    }
}
