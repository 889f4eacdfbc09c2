import FoundationEssentials

/// The location of application default credentials, in the same search order as in Google's
/// libraries (Google Cloud documentation, How Application Default Credentials works).
package enum ApplicationDefault: Hashable, Sendable {
    /// The file that `GOOGLE_APPLICATION_CREDENTIALS` names.
    case named(path: String)
    /// The file that `gcloud auth application-default login` writes.
    case gcloud(path: String)
    case machine(MetadataServer)
    /// There is no file, and `NO_GCE_CHECK` disables the search for a metadata server.
    case nothing(looked: String)

    package init(variables: [String: String]) {
        self.init(variables: variables) { FileManager.default.fileExists(atPath: $0) }
    }

    init(variables: [String: String], fileExists: (String) -> Bool) {
        func value(_ name: String) -> String? {
            variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = value("GOOGLE_APPLICATION_CREDENTIALS") {
            self = .named(path: path)
            return
        }
        let folder = value("CLOUDSDK_CONFIG") ?? (value("HOME") ?? "~") + "/.config/gcloud"
        let path = folder + "/application_default_credentials.json"
        let skipsMachine = value("NO_GCE_CHECK")?.lowercased() == "true"
        self =
            fileExists(path)
            ? .gcloud(path: path)
            : skipsMachine
                ? .nothing(looked: path) : .machine(MetadataServer(variables: variables))
    }
}
