import ArgumentParser
import CampaignModel
import Presentation

/// The `herald approve` command, which signs a reviewed plan.
struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        _superCommandName: "herald",
        abstract: "Approve a plan with an SSH signature.",
        discussion: """
            EXAMPLES
              herald approve plan.json -e production
              herald approve 1f0c…@12 -e production --key ~/.ssh/id_ed25519.pub
              herald approve plan.json -e production --as ana@example.com
              herald approve plan.json -e production --check

            Signs the digest of the plan, the state, the environment, the signer and the end of \
            the approval with ssh-keygen, in the namespace herald. A public key file uses the SSH \
            agent or a security key. Prints the approval for a comment of the pull request, and \
            writes it next to the plan, or for a digest to .herald/approvals.

            With --check, signs nothing: shows the approvals that were found, judged by the \
            signers in force, which the last apply recorded. Exits with 6 if they are not enough.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Argument(
        help: ArgumentHelp("Plan file, or digest with its serial.", valueName: "digest|file"),
        completion: .file()
    )
    var plan: String

    @Option(
        help: ArgumentHelp(
            "Private key, or public key of a key in the SSH agent. (default: as ssh, in ~/.ssh)",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Principal that signs. (default: the one that the signers list for the key)",
            valueName: "principal"
        )
    )
    var principal: String?

    @Option(
        help: ArgumentHelp(
            "Time until the approval ends. (default: `valid` of herald.yaml)",
            valueName: "duration"
        )
    )
    var validFor: TimeSpan?

    @Option(
        help: ArgumentHelp("Write the approval to this file.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    @Flag(help: "Show and count the approvals of the plan. Signs nothing.")
    var check = false

    @OptionGroup var evidence: ApprovalOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func validate() throws {
        guard check || output.format == .text else {
            throw ValidationError("--json and --format json require --check")
        }
        guard check || evidence.isEmpty else {
            throw ValidationError("--approvals and --author require --check")
        }
        guard !check || (key == nil && principal == nil && validFor == nil && out == nil) else {
            throw ValidationError(
                "--check signs nothing: --key, --as, --valid-for and --out do not apply"
            )
        }
        if let validFor, !ApprovalRules.validRange.contains(Int64(validFor.seconds)) {
            throw ValidationError("--valid-for must be from 1m to 30d")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let reference = try PlanReference(plan)
            if check {
                try await ApprovalCheck(self, of: reference, in: session).perform()
            } else {
                try await ApprovalSigning(self, of: reference, in: session).perform()
            }
        }
    }
}

/// Where approvals are, and who cannot approve.
struct ApprovalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File or directory with approvals, also the text of comments. Repeatable.",
            valueName: "path"
        ),
        completion: .file()
    )
    var approvals: [String] = []

    @Option(
        help: ArgumentHelp(
            "E-mail address of an author of the changes, besides those of the commits. Repeatable.",
            valueName: "email"
        )
    )
    var author: [String] = []

    var isEmpty: Bool { approvals.isEmpty && author.isEmpty }
}
