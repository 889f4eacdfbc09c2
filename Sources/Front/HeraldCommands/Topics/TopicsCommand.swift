import ArgumentParser
import CampaignModel
import JSON
import Presentation

/// The `herald topics` command, which prints the topics of the registry for people, programs and apps.
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        _superCommandName: "herald",
        abstract: "List the topics, or print them as code for an app.",
        discussion: """
            EXAMPLES
              herald topics
              herald topics --format swift > Topics.swift
              herald topics --format objc > Topics.h
              herald topics --format kotlin > Topics.kt
              herald topics --format js > topics.js
              herald topics --format json

            An app subscribes itself to topics by name. FCM accepts a name with a mistake silently. \
            The code has a constant for each topic of herald.yaml, and functions that subscribe and \
            unsubscribe as the Firebase SDK requires. See Documentation/Clients.md.
            """
    )

    @OptionGroup var options: ProjectOptions

    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var output: FormatOptions<TopicFormat>

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let (project, _) = try session.project(in: environment)
            let topics = TopicList(project)
            switch output.format {
            case .text: Output.data(TopicListTextView(style: options.outputStyle).render(topics))
            case .json: Output.data(TopicListJSONView().value(topics).prettyText + "\n")
            case .swift: Output.data(TopicCodeView(.swift).render(topics))
            case .objc: Output.data(TopicCodeView(.objectiveC).render(topics))
            case .kotlin: Output.data(TopicCodeView(.kotlin).render(topics))
            case .js: Output.data(TopicCodeView(.javaScript).render(topics))
            }
        }
    }
}

/// The formats of `herald topics`.
enum TopicFormat: String, OutputFormat {
    case text
    case json
    case swift
    case objc
    case kotlin
    case js
}
