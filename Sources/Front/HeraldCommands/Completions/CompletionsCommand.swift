import ArgumentParser

/// The `herald completions` command, which prints a shell's completion script.
struct CompletionsCommand: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash
        case zsh
        case fish

        fileprivate var shell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "completions",
        _superCommandName: "herald",
        abstract: "Print shell completions of commands, options and names.",
        discussion: """
            EXAMPLES
              source <(herald completions bash)       in this shell
              herald completions bash > ~/.local/share/bash-completion/completions/herald
              herald completions zsh > ~/.zfunc/_herald      a directory of $fpath
              herald completions fish > ~/.config/fish/completions/herald.fish

            Campaign and environment names come from the project in the current directory, or in \
            the directory given with -C. `make install` installs the completions of all three \
            shells.
            """
    )

    @Argument(help: "The shell.")
    var shell: Shell

    func run() {
        Output.data(Herald.completionScript(for: shell.shell) + "\n")
    }
}
