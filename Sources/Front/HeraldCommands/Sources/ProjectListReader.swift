import Applying
import CampaignModel
import Presentation
import RegistrationLists
import RunControl
import SystemIO
import Time

/// Reads lists with `read: at_send` from the files and the sources of a project.
struct ProjectListReader: ListAtSendReader {
    /// The sources that may be read.
    let sources: [ListSourceID: ListSource]
    let situation: SourceSituation
    /// The places of the files, without the outputs of sources.
    let lists: ProjectLists
    /// The directories that may contain the files.
    let bounds: FolderBounds
    let zones: TimeZoneDatabase
    let fingerprinter: Fingerprinter

    func read(
        _ content: ListContent,
        into drafts: ListDrafts
    ) async throws(ListAtSendError) -> ListSurvey {
        let surveys = ListSurveys(
            of: [content.list],
            messages: content.columns.map { [content.list: [$0]] } ?? [:],
            directory: try places(of: content.list),
            fingerprinter: fingerprinter,
            bounds: bounds,
            zones: zones,
            keeping: drafts.begin
        )
        switch surveys[content.list] {
        case .success(let survey)?: return survey
        case .failure(let error)?: throw .list(error)
        case nil: throw .list(.empty(path: content.list.path))
        }
    }

    /// Reads the sources of the list that may be read.
    private func places(
        of list: RegistrationList
    ) throws(ListAtSendError) -> ProjectLists {
        var outputs: [ListSourceID: SourceOutput] = [:]
        for source in list.sources.sorted().compactMap({ sources[$0] }) {
            do throws(CommandFailure) {
                outputs[source.id] = try source.read(in: situation)
            } catch {
                guard error.exit != .interrupted else { throw .interrupted }
                throw .source(source.id, reason: error.text.message)
            }
        }
        return ProjectLists(
            directory: lists.listDirectory,
            temporaryFolder: lists.temporaryFolder,
            outputs: outputs
        )
    }
}
