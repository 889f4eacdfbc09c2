import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import RegistrationLists
import RunControl

/// Reads the registrations of a list while they are checked.
///
/// Holds those that have no final answer. An actor, so that the loop of a sweep does not wait while
/// the list is read.
actor SweepRows {
    private var reader: CheckedListReader
    private let kind: RegistrationFile.Kind
    /// The rows that are checked.
    private let wanted: RequestRanges
    private let fingerprinter: Fingerprinter
    private var next = 0
    private var rows: [Int: Registration] = [:]
    /// Why the list can no longer be read.
    private(set) var failure: RegistrationListError?

    private static let stride = 1_000

    init(
        _ list: SweptList,
        directory: String,
        wanted: RequestRanges,
        fingerprinter: Fingerprinter
    )
        throws(RegistrationListError)
    {
        reader = try CheckedListReader(
            ListContent(list.list),
            directory: directory,
            expected: list.id
        )
        kind = list.list.kind
        self.wanted = wanted
        self.fingerprinter = fingerprinter
    }

    /// Returns requests that validate a message without content to each of these rows; nil if the
    /// list can no longer be read.
    func requests(_ numbers: [Int], to endpoint: FCMEndpoint) -> [NumberedRequest]? {
        do throws(RegistrationListError) {
            var requests: [NumberedRequest] = []
            for number in numbers {
                let token = try registration(number).token
                let target: SendTarget = kind == .fid ? .fid(token) : .token(token)
                let body = SendRequest(message: JSONObject()).body(to: target, validateOnly: true)
                requests.append(
                    NumberedRequest(number: number, request: endpoint.send(body: body.compactBytes))
                )
            }
            return requests
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    /// Returns the fingerprints of rows that were requested, and forgets the rows.
    func takeFingerprints(of numbers: [Int]) -> [Fingerprint] {
        numbers.compactMap { rows.removeValue(forKey: $0).map(fingerprinter.fingerprint) }
    }

    /// Forgets rows that are not requested again.
    func forget(_ numbers: [Int]) {
        for number in numbers { rows[number] = nil }
    }

    private func registration(_ number: Int) throws(RegistrationListError) -> Registration {
        while rows[number] == nil {
            let chunk = try reader.next(Self.stride)
            guard !chunk.isEmpty else { throw .changed(path: nil) }
            for row in chunk {
                if wanted.contains(next) { rows[next] = row.registration }
                next += 1
            }
        }
        guard let registration = rows[number] else { throw .changed(path: nil) }
        return registration
    }
}
