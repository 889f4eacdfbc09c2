import CampaignLoading
import CampaignModel
import Foundation
import JSON
import Planning
import TestSupport
import Testing
import Time

/// A year of campaigns, and the sends that a reference in Python expects.
///
/// `Tests/EndToEnd/year.py` writes it.
struct YearFile {
    let start: Instant
    let end: Instant
    let outages: Outages
    let project: Project
    /// The times of the sends by campaign, in order.
    let sends: [CampaignID: [Instant]]

    init(at url: URL) throws {
        let json = try #require(JSONValue(parsing: Array(try Data(contentsOf: url))))
        start = try Self.instant(json["start"])
        end = try Self.instant(json["end"])
        outages = Outages(
            try #require(json["outages"]?.arrayValue).map { outage in
                let bounds = try #require(outage.arrayValue).map(Self.instant)
                return (start: bounds[0], end: bounds[1])
            }
        )
        project = try Self.project(
            header: try #require(json["project"]?.stringValue),
            campaigns: try #require(json["campaigns"]?.stringValue)
        )
        var sends: [CampaignID: [Instant]] = [:]
        for member in try #require(json["sends"]?.objectValue).members {
            let times = try #require(member.value.arrayValue).map(Self.instant)
            sends[try #require(CampaignID(member.key))] = times
        }
        self.sends = sends
        try #require(Set(project.campaigns.map(\.id)) == Set(sends.keys))
    }

    private static func instant(_ value: JSONValue?) throws -> Instant {
        Instant(secondsSince1970: try #require(value?.integerValue))
    }

    private static func project(header: String, campaigns: String) throws -> Project {
        let loader = ProjectLoader(zones: systemZones, environment: EnvironmentID("local"))
        let loaded = loader.load([
            ("herald.yaml", .success(Array(header.utf8))),
            ("campaigns/year.yaml", .success(Array(campaigns.utf8))),
        ])
        return try #require(loaded.project)
    }

    /// The settings that a state stores.
    var environment: AppliedEnvironment {
        get throws {
            let environment = try #require(project.environments.first)
            return AppliedEnvironment(environment, of: project)
        }
    }

    /// The expected sends before an instant.
    func sends(before end: Instant) -> [CampaignID: [Instant]] {
        sends.mapValues { times in times.filter { $0 < end } }.filter { !$0.value.isEmpty }
    }
}

/// When a service does not run.
struct Outages {
    /// In order.
    private let periods: [(start: Instant, end: Instant)]

    init(_ periods: [(start: Instant, end: Instant)]) {
        self.periods = periods
    }

    /// The first instant from this one on at which the service runs.
    func running(from instant: Instant) -> Instant {
        periods.first { $0.start <= instant && instant < $0.end }?.end ?? instant
    }
}
