package import HTTPTransport

/// A request with its body.
package struct ReceivedRequest: Sendable {
    /// Such as `POST`.
    package let method: String
    /// Begins with a slash and has no query.
    package let path: String
    package let headers: [HTTPHeader]
    package let body: [UInt8]

    /// The value of a header that occurs once; nil if it is missing or occurs more often.
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        let found = headers.filter { $0.name.lowercased() == wanted }
        return found.count == 1 ? found[0].value : nil
    }
}
