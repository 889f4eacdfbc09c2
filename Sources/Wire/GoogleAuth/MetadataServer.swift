/// The server that tells a machine of Google's who it is (Google Cloud documentation, About VM
/// metadata).
package struct MetadataServer: Hashable, Sendable {
    /// Host, and port where it is not the usual one.
    let host: String
    /// Where it is looked for before it is asked.
    let probe: String
    let timeLimit: Duration
    /// How often it is looked for.
    let attempts: Int

    /// As the environment's variables say: `GCE_METADATA_HOST`, `GCE_METADATA_IP`,
    /// `GCE_METADATA_TIMEOUT` in seconds, `GCE_METADATA_DETECT_RETRIES`.
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
