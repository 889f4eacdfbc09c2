import CampaignModel
import CampaignReporting

/// The command that usually comes next, for people: a line on a terminal, elsewhere nothing.
struct NextCommand {
    private let options: GlobalOptions

    init(_ options: GlobalOptions) {
        self.options = options
    }

    /// `words`: the command without its name.
    func suggest(_ words: String, in environment: EnvironmentID? = nil) {
        guard Surroundings.isOutputTerminal, Surroundings.isErrorTerminal else { return }
        Output.message("Next: \(text(words, environment))\n")
    }

    private func text(_ words: String, _ environment: EnvironmentID?) -> String {
        let command = environment.map { CommandHint(for: $0)(words) } ?? "herald " + words
        guard options.directory != "." else { return command }
        return command + " -C " + TextStyle.safe(options.directory.quotedForShell)
    }
}

extension String {
    /// As a shell takes it for one word.
    var quotedForShell: String {
        let isPlain =
            !isEmpty && utf8.allSatisfy { "/._-+,:@%".utf8.contains($0) || $0.isASCIILetterOrDigit }
        return isPlain
            ? self
            : "'"
                + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
