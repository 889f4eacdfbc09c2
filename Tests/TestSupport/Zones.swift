import FoundationEssentials
package import Time

/// The zones that the expected values were computed from; the machine's rules may be newer.
package let pinnedZones = TimeZoneDatabase(
    directory: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .path + "/BaseTests/Time/zoneinfo"
)

/// The machine's zones; `TZDIR` is respected.
package let systemZones = TimeZoneDatabase.system(environment: ProcessInfo.processInfo.environment)
