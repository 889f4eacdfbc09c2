import ArgumentParser

/// The output formats of a command.
protocol OutputFormat: ExpressibleByArgument, CaseIterable, RawRepresentable, Sendable
where RawValue == String {
    /// The default, for people.
    static var text: Self { get }
    /// The format of `--json`, for programs.
    static var json: Self { get }

    /// The help of `--format`.
    static var help: ArgumentHelp { get }
}

extension OutputFormat {
    static var help: ArgumentHelp { "Output format. (default: text)" }
}

/// The formats of most commands.
enum TextOrJSON: String, OutputFormat {
    case text
    case json
}

/// The options `--format` and `--json`, which every command with output for programs has.
struct FormatOptions<Format: OutputFormat>: ParsableArguments {
    @Option(name: .customLong("format"), help: Format.help)
    private var named: Format?

    @Flag(name: .customLong("json"), help: "Same as --format json.")
    private var isJSON = false

    var format: Format { isJSON ? .json : named ?? .text }

    func validate() throws {
        guard isJSON, let named, named.rawValue != Format.json.rawValue else { return }
        throw ValidationError("--json cannot be combined with --format \(named.rawValue)")
    }
}
