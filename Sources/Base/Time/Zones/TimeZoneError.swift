/// Why a time zone's rules can't be had.
package enum TimeZoneError: Error, Hashable, Sendable {
    /// Not `UTC` and not of the form `Area/Location`: offsets, abbreviations and paths are not
    /// names of zones.
    case invalidName(String)
    /// The database has no such zone; ``TimeZoneDatabase/names()`` has those that it has.
    case unknown(name: String)
    /// The directory does not exist.
    case noDatabase(directory: String)
    /// The zone's file exists, but the operating system won't let it be read, or it is larger
    /// than 1 MiB.
    case unreadable(name: String)
    /// The zone's file is not TZif (RFC 9636).
    case malformed(name: String)
    /// The zone's file counts leap seconds: its times are not seconds since 1970 as POSIX has them.
    case countsLeapSeconds(name: String)
}
