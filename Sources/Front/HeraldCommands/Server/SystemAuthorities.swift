import SystemIO

/// The file of the system's certificate authorities.
///
/// A libcurl that was built on Debian reads Debian's file. Other systems have it in other places.
enum SystemAuthorities {
    /// Debian's file, which other systems, such as Arch, also have.
    static let debian = "/etc/ssl/certs/ca-certificates.crt"

    /// The files of Fedora and its relatives, openSUSE, and Alpine and the BSDs.
    static let others = [
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// The file to trust instead of the default file of libcurl; nil if that exists, or if no file is known.
    static func file(exists: (String) -> Bool = FileSystem.exists) -> String? {
        exists(debian) ? nil : others.first(where: exists)
    }
}
