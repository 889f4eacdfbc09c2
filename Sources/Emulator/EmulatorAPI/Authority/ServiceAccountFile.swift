import EmulatorAuth
import JSON

/// A configured service account file.
package struct ServiceAccountFile: Sendable {
    /// The path, for error messages.
    private let path: String
    private let contents: [UInt8]

    package init(path: String, contents: [UInt8]) {
        self.path = path
        self.contents = contents
    }

    func isKnown(to authority: Authority) throws(EmulatorError) -> Bool {
        guard let json = JSONValue(parsing: contents) else { throw unusable("it is not JSON") }
        let request: ServiceAccountRequest
        do throws(InvalidArgument) {
            request = try ServiceAccountRequest(json)
        } catch {
            throw unusable(String(error.description.dropLast()))
        }
        guard !request.keys.isEmpty else { throw unusable("it has no key") }
        return authority.knows(
            ServiceAccount(
                email: request.email,
                projectID: request.projectID,
                keys: request.keys
            )
        )
    }

    var registration: EmulatorRequest {
        EmulatorRequest(
            method: "POST",
            target: "/emulator/v1/auth/service-accounts",
            body: contents
        )
    }

    private func unusable(_ reason: String) -> EmulatorError {
        .unusableServiceAccount(path: path, reason: reason)
    }
}
