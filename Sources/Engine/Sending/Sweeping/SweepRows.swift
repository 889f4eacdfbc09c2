import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import RegistrationLists
import RunControl

/// Reads the registrations of a list while they are checked.
///
/// Holds those that were requested and have no final answer. An actor, so that the loop of a sweep
/// does not wait while the list is read.
actor SweepRows {
    private var reader: RegistrationReader
    private let list: SweptList
    private let fingerprinter: Fingerprinter
    private var next = 0
    private var rows: [Int: Registration] = [:]
    /// Why the list can no longer be read.
    private(set) var failure: RegistrationListError?

    init(
        _ list: SweptList,
        places: any ListPlaces,
        fingerprinter: Fingerprinter
    ) throws(RegistrationListError) {
        reader = try RegistrationReader(list.list, directory: places)
        self.list = list
        self.fingerprinter = fingerprinter
    }

    /// Returns requests that validate a message without content to each of these rows; nil if the
    /// list can no longer be read.
    func requests(_ numbers: [Int], to endpoint: FCMEndpoint) -> [NumberedRequest]? {
        do throws(RegistrationListError) {
            var requests: [NumberedRequest] = []
            for number in numbers {
                let target = target(of: try registration(number))
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

    /// Forgets rows that are not requested again.
    func forget(_ numbers: [Int]) {
        for number in numbers { rows[number] = nil }
    }

    private func target(of registration: Registration) -> SendTarget {
        switch list.list.kind {
        case .token: .token(registration.token)
        case .fid: .fid(registration.token)
        }
    }

    /// Reads up to a row.
    ///
    /// - Throws: `.changed` if a row differs from the surveyed one: FCM's verdict would be recorded
    ///   for another registration.
    private func registration(_ number: Int) throws(RegistrationListError) -> Registration {
        while rows[number] == nil {
            guard next <= number, case .registration(let registration)? = try reader.next(),
                fingerprinter.fingerprint(of: registration) == list.fingerprints[next]
            else { throw .changed(path: list.list.path) }
            if list.wanted.contains(next) { rows[next] = registration }
            next += 1
        }
        guard let registration = rows[number] else { throw .changed(path: list.list.path) }
        return registration
    }
}
