/// Why a time zone's rules are not available.
package enum TimeZoneError: Error, Hashable, Sendable {
    /// Not `UTC` and not of the form `Area/Location`.
    ///
    /// Offsets, abbreviations and paths are not names of zones.
    case invalidName(String)
    /// The database has no such zone; see ``TimeZoneDatabase/names()``.
    case unknown(name: String)
    /// The directory does not exist.
    case noDatabase(directory: String)
    /// The zone's file exists, but the operating system refuses to read it, or it is larger than 1
    /// MiB.
    case unreadable(name: String)
    /// The zone's file is not TZif (RFC 9636).
    case malformed(name: String)
    /// The zone's file counts leap seconds, so its times are not POSIX seconds since 1970.
    case countsLeapSeconds(name: String)
}
