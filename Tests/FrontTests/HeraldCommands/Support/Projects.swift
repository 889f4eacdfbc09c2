import JSON
import TestSupport
import Testing

extension TemporaryFolder {
    /// A project whose `local` environment is an emulator that only the fake server reaches, with
    /// one campaign to the topic `news`.
    static func newsProject() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("herald.yaml", projectFile)
        try folder.write("campaigns/hello.yaml", campaign(to: "{ topic: news }"))
        return folder
    }

    /// The same project with a campaign to two registrations.
    static func listProject() throws -> TemporaryFolder {
        let folder = try newsProject()
        let list = "{ registrations: ['ana:APA91b-1', 'bea:APA91b-2'] }"
        try folder.write("campaigns/hello.yaml", campaign(to: list))
        return folder
    }

    static let projectFile = """
        version: 1
        project: shop
        timezone: UTC
        topics:
          news: { about: What is new, reach: 5000 }
        environments:
          local:
            emulator: { url: "http://127.0.0.1:9" }

        """

    static func campaign(to audience: String) -> String {
        """
        campaign: hello
        audience: \(audience)
        message: { notification: { title: Hello, body: World } }
        delivery: { ttl: 4h }

        """
    }
}

extension CommandRun {
    /// The standard output as a JSON document.
    var json: JSONValue {
        get throws { try #require(JSONValue(parsing: out)) }
    }
}
