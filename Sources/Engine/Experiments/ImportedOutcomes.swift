import CampaignModel
package import RegistrationLists

/// The outcomes of a file, such as conversions.
///
/// A class, because the open file has one owner.
package final class ImportedOutcomes: OutcomeSource {
    private var file: OutcomeFile
    private let fingerprinter: Fingerprinter

    package init(path: String, fingerprinter: Fingerprinter) throws(OutcomeSourceError) {
        do throws(OutcomeFileError) { file = try OutcomeFile(path: path) } catch {
            throw .file(error)
        }
        self.fingerprinter = fingerprinter
    }

    package func next(atMost limit: Int) throws(OutcomeSourceError) -> OutcomeBatch? {
        var batch = OutcomeBatch()
        var count = 0
        do throws(OutcomeFileError) {
            while count < limit, let row = try file.next() {
                count += 1
                switch row {
                case .success(let row): batch.reports.append(report(row))
                case .failure(let fault): batch.faults.append(fault)
                }
            }
        } catch {
            throw .file(error)
        }
        return count == 0 ? nil : batch
    }

    private func report(_ row: OutcomeRow) -> OutcomeReport {
        let subject: OutcomeReport.Subject
        switch row.subject {
        case .identity(let text):
            subject = .person(fingerprinter.fingerprint(ofIdentity: text).high)
        case .fingerprint(let short): subject = .registration(short)
        case .registration(let registration):
            subject = .registration(fingerprinter.fingerprint(of: registration).high)
        case .message(let id): subject = .message(id)
        }
        return OutcomeReport(
            line: row.line,
            subject: subject,
            time: row.time,
            name: row.name,
            value: row.value,
            event: fingerprinter.fingerprint(ofIdentity: row.content)
        )
    }
}
