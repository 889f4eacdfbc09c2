/// The metadata server of a Google machine (Google Cloud documentation, About VM metadata).
package struct MetadataServer: Hashable, Sendable {
    /// The host, and the port if it is not the default.
    let host: String
    /// The host at which the server is detected before it is queried.
    let probe: String
    let timeLimit: Duration
    /// Number of detection attempts.
    let attempts: Int

    /// Reads the environment variables `GCE_METADATA_HOST`, `GCE_METADATA_IP`,
    /// `GCE_METADATA_TIMEOUT` (seconds) and `GCE_METADATA_DETECT_RETRIES`.
    package init(variables: [String: String]) {
        func value(_ name: String) -> String? {
            variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let address = value("GCE_METADATA_IP")
        host = value("GCE_METADATA_HOST") ?? address ?? "metadata.google.internal"
        probe = address ?? value("GCE_METADATA_HOST") ?? "169.254.169.254"
        let seconds = value("GCE_METADATA_TIMEOUT").flatMap(Double.init) ?? 3
        timeLimit = .seconds((0.001...600).contains(seconds) ? seconds : 3)
        let attempts = value("GCE_METADATA_DETECT_RETRIES").flatMap(Int.init) ?? 3
        self.attempts = (1...100).contains(attempts) ? attempts : 3
    }
}
