import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import Text
import Time

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
              herald preview catch-of-the-week --row 3   with the values of a row
              herald preview catch-of-the-week --registration @phone.txt
              herald preview catch-log --row 3 --locale pt-BR
              herald preview catch-log --locale pt-BR   the text of `locales` for it
              herald preview spring-tide-warning --format json
              herald preview not-yet   a campaign that corrects another one

            Shows the HTTP v1 request exactly as it is sent. Then shows, for each platform, the \
            kind of message, its size, and every field with its origin: the path in `message` or \
            the key of `delivery` that set it, the entry of `locales`, the shared message that the \
            campaign extends, or the defaults of herald.yaml.

            A campaign to a list is shown as written. With --row or --registration, it is shown \
            with the values of that row and the text of its locale, or of --locale; the \
            registration itself is not shown. An experiment is shown with the number of \
            registrations of each variant and of those that are held out. A correction is shown for \
            the message that the corrected campaign has in the files, and an upstream rule with its \
            reply. Sends nothing. Reads the state only to find a fingerprint.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Argument(help: "Name of the campaign.", completion: .campaigns)
    var campaign: String

    @Option(help: "Show only this platform, with all overrides applied.")
    var platform: Platform?

    @OptionGroup var row: RowOptions

    @OptionGroup var locale: LocaleOptions

    @Option(
        help: ArgumentHelp(
            "Variant to show (default with --row: the one of the row).",
            valueName: "name"
        )
    )
    var variant: String?

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let (project, checked) = try session.project(in: environment)
            let chosen = try environment.environment(of: project)
            let single = SinglePreview(
                project: project,
                checked: checked,
                environment: chosen,
                now: session.clock.now()
            )
            if let preview = try single.preview(named: campaign) {
                guard row.isEmpty, locale.locale == nil, variant == nil else {
                    throw CommandFailure(.noVersions(of: campaign), exit: .usage)
                }
                return show(preview)
            }
            let campaign = try project.campaign(named: campaign)
            let rows = PreviewedRow(options: row, session: session, environment: environment)
            let row = try await rows.find(of: campaign, in: project, surveys: checked.surveys)
            let localized = try locale.text(of: campaign, for: row)
            let arm = try arm(of: campaign, for: row)
            let shown = arm?.content.map(campaign.saying) ?? localized?.campaign ?? campaign
            try row?.requireValues(of: shown)
            let preview = CampaignPreview(
                of: shown,
                in: project,
                surveys: checked.surveys,
                environment: PreviewEnvironment(
                    chosen,
                    of: project,
                    declarations: checked.declarations,
                    campaign: campaign.id
                ).showing(localized?.choice),
                row: row,
                arms: PreviewArms(
                    of: campaign,
                    in: project,
                    surveys: checked.surveys,
                    shown: arm
                )
            )
            show(preview)
        }
    }

    private func show(_ preview: CampaignPreview) {
        switch output.format {
        case .text:
            let view = PreviewTextView(style: options.outputStyle)
            Output.data(view.render(preview, only: platform))
        case .json: Output.data(PreviewJSONView().render(preview, only: platform))
        }
    }
}

extension PreviewCommand {
    /// Returns the arm that is shown: that of `--variant` or, without the option, of the row.
    private func arm(
        of campaign: Campaign,
        for row: ListRowSearch.Found?
    ) throws(CommandFailure) -> PreviewArm? {
        guard let variant else {
            return row?.arm.map { PreviewArm($0, of: campaign, isRows: true) }
        }
        guard let number = campaign.variants.firstIndex(where: { $0.id.rawValue == variant }) else {
            throw CommandFailure(.unknownVariant(variant, of: campaign), exit: .usage)
        }
        return PreviewArm(.variant(number), of: campaign, isRows: false)
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
