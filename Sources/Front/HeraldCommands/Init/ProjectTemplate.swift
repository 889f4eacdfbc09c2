import CampaignLoading
import CampaignModel
import Presentation

/// The files of `herald init`: a small project that validates and sends on the emulator.
struct ProjectTemplate {
    struct File {
        /// Relative to the project's directory.
        let path: String
        let purpose: NewProjectTextView.Purpose
        let text: String
    }

    let project: ProjectID
    /// An IANA name.
    let timeZone: String

    var files: [File] {
        [
            File(
                path: ProjectLoader.projectFile,
                purpose: .project,
                text: projectFile
            ),
            File(
                path: "campaigns/welcome.yaml",
                purpose: .topicCampaign,
                text: Self.topicCampaign
            ),
            File(
                path: "campaigns/testers.yaml",
                purpose: .listCampaign,
                text: Self.listCampaign
            ),
            File(
                path: Self.sampleList,
                purpose: .registrations,
                text: Self.list
            ),
            File(
                path: "campaigns/devices.yaml",
                purpose: .devices,
                text: Self.devices
            ),
        ] + Self.schemas
    }

    /// The patterns that `.gitignore` needs for Herald, one per line.
    static let ignored = [
        "/.herald/", "/campaigns/registrations/*", "!/campaigns/registrations/sample.txt",
    ]
    static let ignoreFile = File(
        path: ".gitignore",
        purpose: .ignoredFiles,
        text: ignored.map { $0 + "\n" }.joined()
    )

    private static let sampleList = "campaigns/registrations/sample.txt"

    private static var schemas: [File] {
        [schema(.project, for: .projectSchema), schema(.campaign, for: .campaignSchema)]
    }

    private static func schema(
        _ document: SchemaCommand.Document,
        for purpose: NewProjectTextView.Purpose
    ) -> File {
        File(
            path: "\(SchemaCommand.folder)/\(document.fileName)",
            purpose: purpose,
            text: document.text
        )
    }

    private var projectFile: String {
        """
        # yaml-language-server: $schema=./schemas/project.schema.json
        version: 1
        project: \(project)
        timezone: \(timeZone)

        # Declare every topic, because FCM silently accepts misspelled ones. `reach` is your
        # estimate of the number of subscribed devices.
        topics:
          news: { about: What is new, reach: 5000 }
          beta: { about: Testers of the next version, reach: 200 }

        # Defaults for every campaign. Values in a campaign take precedence.
        defaults:
          delivery: { ttl: 1d, priority: normal }

        # The default environment is `local`, the built-in emulator.
        environments:
          local:
            emulator: {}

        """
    }

    private static let topicCampaign = """
        # yaml-language-server: $schema=../schemas/campaign.schema.json
        campaign: welcome
        about: The first message of this project
        audience: { topic: news }
        message:
          notification:
            title: Good morning
            body: This message was a file in a repository.
        delivery: { collapse: welcome }

        """

    private static let listCampaign = """
        # yaml-language-server: $schema=../schemas/campaign.schema.json
        # Herald subscribes the registrations on the list to the topic, and unsubscribes those that
        # you remove from it.
        audience: testers
        about: People who see everything first
        registrations: campaigns/registrations/sample.txt
        subscribe: [beta]
        test: true
        ---
        campaign: ask-the-testers
        about: Ask the testers for problems
        audience: testers
        message:
          notification:
            title: Version 2 is on your phone
            body: Tell us what is missing.
          data: { screen: feedback }

        """

    private static let list = """
        # One registration per line. Real registrations are secrets, so git ignores all other lists.
        bea-iphone:APA91b-sample-0002
        cem-chrome:APA91b-sample-0003

        """

    private static let devices = """
        # yaml-language-server: $schema=../schemas/campaign.schema.json
        # `topics` lists the topics to which the app subscribed itself.
        devices: sample
        phones:
          - name: ann-pixel
            platform: android
            registration: ann-pixel:APA91b-sample-0001
            topics: [news]
          - name: bea-iphone
            platform: apple
            registration: bea-iphone:APA91b-sample-0002
          - name: cem-chrome
            platform: web
            registration: cem-chrome:APA91b-sample-0003
            topics: [news]

        """
}
