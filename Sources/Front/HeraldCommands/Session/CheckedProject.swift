import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import RunControl
import State

/// A project with the findings of all checks.
struct CheckedProject {
    let project: Project?
    let declarations: Declarations
    let catalog: SourceCatalog
    let log: DiagnosticLog
    let surveys: ListSurveys
    let fingerprinter: Fingerprinter
    /// The places of the lists that were surveyed.
    let lists: ProjectLists
    /// The lists that were stored while they were surveyed; nil if this command stores none.
    var drafts: ListDrafts?

    /// The same files with other findings.
    func with(_ log: DiagnosticLog) -> CheckedProject {
        CheckedProject(
            project: project,
            declarations: declarations,
            catalog: catalog,
            log: log,
            surveys: surveys,
            fingerprinter: fingerprinter,
            lists: lists,
            drafts: drafts
        )
    }
}

extension FingerprintKey {
    /// A fixed key for checks of files alone, which store no fingerprints.
    ///
    /// The same files always give the same output.
    static let passing = FingerprintKey(bytes: [UInt8](repeating: 0, count: 32))
}
