import ArgumentParser
import CampaignModel
import Presentation
import Text

/// The `herald preview` command, which shows a campaign's message on each platform.
struct PreviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        _superCommandName: "herald",
        abstract: "Show a campaign's request and what each platform receives.",
        discussion: """
            EXAMPLES
              herald preview spring-tide-warning
              herald preview spring-tide-warning --platform apple   for Apple alone
              herald preview spring-tide-warning -e staging   with its defaults
              herald preview catch-log --locale pt-BR   the text of `locales` for it
              herald preview spring-tide-warning --format json

            Shows the HTTP v1 request exactly as it is sent. Then shows, for each platform, the \
            kind of message, its size, and every field with its origin: the path in `message` or \
            the key of `delivery` that set it, the entry of `locales`, the shared message that the \
            campaign extends, or the defaults of herald.yaml. Sends nothing and does not read the \
            state.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Argument(help: "Name of the campaign.", completion: .campaigns)
    var campaign: String

    @Option(help: "Show only this platform, with all overrides applied.")
    var platform: Platform?

    @OptionGroup var locale: LocaleOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            let (project, checked) = try Session(options).project(in: environment)
            let chosen = try environment.environment(of: project)
            let campaign = try project.campaign(named: campaign)
            let localized = try locale.text(of: campaign)
            let preview = CampaignPreview(
                of: localized?.campaign ?? campaign,
                in: project,
                surveys: checked.surveys,
                environment: PreviewEnvironment(
                    chosen,
                    of: project,
                    declarations: checked.declarations,
                    campaign: campaign.id
                ).showing(localized?.choice)
            )
            switch output.format {
            case .text:
                let view = PreviewTextView(style: options.outputStyle)
                Output.data(view.render(preview, only: platform))
            case .json: Output.data(PreviewJSONView().render(preview, only: platform))
            }
        }
    }
}

extension Project {
    /// - Throws: A failure that lists the existing campaigns.
    func campaign(named campaign: String) throws(CommandFailure) -> Campaign {
        if let found = campaigns.first(where: { $0.id.rawValue == campaign }) { return found }
        if elsewhere.contains(where: { $0.rawValue == campaign }) {
            throw CommandFailure(.campaignElsewhere(campaign), exit: .usage)
        }
        let known = campaigns.map(\.id.rawValue)
        throw CommandFailure(.unknownCampaign(campaign, inProjectWith: known), exit: .usage)
    }
}

extension Platform: ExpressibleByArgument {}
