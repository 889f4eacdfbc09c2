import ArgumentParser

/// The `herald completions` command, which prints a shell's completion script.
struct Completions: ParsableCommand {
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
        abstract: "Print a shell's completions of commands, options and names.",
        discussion: """
            EXAMPLES
              source <(herald completions bash)       in this shell
              herald completions bash > ~/.local/share/bash-completion/completions/herald
              herald completions zsh > ~/.zfunc/_herald      a folder of $fpath
              herald completions fish > ~/.config/fish/completions/herald.fish

            Campaigns and environments are completed by the project in the current folder, or in \
            that of -C. `make install` installs the completions of all three.
            """
    )

    @Argument(help: "The shell.")
    var shell: Shell

    func run() {
        Output.data(Herald.completionScript(for: shell.shell) + "\n")
    }
}
