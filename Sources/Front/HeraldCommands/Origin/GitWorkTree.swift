import SystemIO
import Text

/// The Git commit of the project's directory.
///
/// A repository may be hostile. Never uses a Git operation that runs a program, hook, filter or
/// transport that the repository itself names.
struct GitWorkTree {
    let commit: String
    /// Whether files in the project's directory differ from the commit or are untracked.
    ///
    /// Ignores Herald's state and files that Git ignores. Nil if Git did not answer in time, or if
    /// the repository's configuration has filters, which Git would have to run.
    let isDirty: Bool?

    /// The time limit for all Git commands together.
    private static let patience = Duration.seconds(3)

    /// Nil if Git is missing, there is no repository or no commit, or Git refuses the repository.
    static func of(_ directory: String, variables: [String: String]) -> GitWorkTree? {
        let git = Git(
            directory: directory,
            variables: variables,
            deadline: ContinuousClock.now + patience
        )
        let head = git.ask(["rev-parse", "--verify", "--quiet", "HEAD"], atMost: 256)
        guard let commit = head.flatMap(commit) else { return nil }
        return GitWorkTree(commit: commit, isDirty: git.isDirty)
    }

    /// Whether the Git repository around a file contains the file.
    static func tracks(_ path: String, variables: [String: String]) -> Bool {
        tracked(among: [path], variables: variables)?.isEmpty == false
    }

    /// Returns the paths whose files the Git repositories around them contain.
    ///
    /// nil if Git did not answer for one of them: it is missing, there is no repository, or it took
    /// too long.
    static func tracked(among paths: [String], variables: [String: String]) -> Set<String>? {
        let deadline = ContinuousClock.now + patience
        let files = Dictionary(grouping: paths.map(RepositoryFile.init), by: \.directory)
        var tracked: Set<String> = []
        for (directory, files) in files {
            let git = Git(directory: directory, variables: variables, deadline: deadline)
            for start in stride(from: 0, to: files.count, by: filesPerCommand) {
                let part = files[start...].prefix(filesPerCommand)
                guard let found = git.tracked(among: part.map(\.name)) else { return nil }
                tracked.formUnion(part.filter { found.contains($0.name) }.map(\.path))
            }
        }
        return tracked
    }

    /// Returns the addresses of the authors, co-authors and committers of the commits since another
    /// one that changed the directory, and of the current commit.
    ///
    /// nil if Git does not know the commits, or if tracked files differ from the current one.
    static func authors(
        of directory: String,
        since commit: String,
        variables: [String: String]
    ) -> Set<String>? {
        let git = Git(
            directory: directory,
            variables: variables,
            deadline: ContinuousClock.now + patience
        )
        guard let known = Self.commit(commit), git.hasChangedFiles == false,
            let since = git.addresses(in: ["\(known)..HEAD", "--", "."]),
            let current = git.addresses(in: ["--max-count=1", "HEAD"])
        else { return nil }
        return since.union(current)
    }

    /// Keeps the arguments of one command short.
    private static let filesPerCommand = 200

    /// Parses a commit ID: 40 hexadecimal digits, or 64 for SHA-256.
    static func commit(_ text: String) -> String? {
        let digits = text.last == "\n" ? text.dropLast() : text[...]
        guard [40, 64].contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIHexDigit) else {
            return nil
        }
        return digits.lowercased()
    }
}

/// A file, and its place without links.
private struct RepositoryFile {
    let path: String
    let directory: String
    let name: String

    init(_ path: String) {
        self.path = path
        let real = RealPath.of(path) ?? path
        directory = FileSystem.parent(of: real)
        name = real.split(separator: "/").last.map(String.init) ?? real
    }
}

/// Git commands that run no other program.
private struct Git {
    let directory: String
    let variables: [String: String]
    let deadline: ContinuousClock.Instant

    var isDirty: Bool? {
        guard hasFiltersOfItsOwn == false else { return nil }
        let differences = ask(
            [
                "status", "--porcelain", "-z", "--untracked-files=normal",
                "--ignore-submodules=all", "--", ".", ":(exclude).herald",
            ],
            atMost: 1
        )
        return differences.map { !$0.isEmpty }
    }

    /// Whether tracked files of the directory differ from the commit; nil if Git does not answer.
    var hasChangedFiles: Bool? {
        guard hasFiltersOfItsOwn == false else { return nil }
        let differences = ask(
            [
                "status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all",
                "--", ".",
            ],
            atMost: 1
        )
        return differences.map { !$0.isEmpty }
    }

    /// Returns the addresses in the commits that the words select; nil if Git does not know them.
    ///
    /// Shows no signatures, because the repository's configuration names the program that checks
    /// them, and replaces no commits.
    func addresses(in words: [String]) -> Set<String>? {
        let limit = 16 << 20
        let form = "--format=%ae%n%ce%n%(trailers:key=Co-authored-by,valueonly)"
        let listed = ask(["log", "--no-show-signature", form] + words, atMost: limit)
        guard let listed, listed.utf8.count < limit else { return nil }
        let addresses = listed.split(separator: "\n").map { line in
            let address = line.split(separator: "<").last?.prefix { $0 != ">" }
            return address.map(String.init) ?? String(line)
        }
        return Set(addresses)
    }

    /// Returns the files of the directory that Git tracks; nil if Git does not answer.
    func tracked(among names: [String]) -> Set<String>? {
        let listed = ask(
            ["ls-files", "-z", "--"] + names.map { ":(literal)" + $0 },
            atMost: 1 << 20
        )
        return listed.map { Set($0.split(separator: "\0").map(String.init)) }
    }

    /// Whether the repository's configuration has filters, which may run any program.
    ///
    /// The user's and the system's filters are trusted.
    private var hasFiltersOfItsOwn: Bool? {
        let listed = ask(["config", "--list", "--show-scope", "--name-only"], atMost: 1 << 20)
        guard let listed else { return nil }
        return listed.split(separator: "\n").contains { line in
            let words = line.split(separator: "\t", maxSplits: 1).map { $0.lowercased() }
            return words.count < 2
                || ["local", "worktree"].contains(words[0]) && words[1].hasPrefix("filter.")
        }
    }

    /// Git's output up to `limit` bytes; nil if Git fails or takes too long.
    func ask(_ words: [String], atMost limit: Int) -> String? {
        let safety = [
            "core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never",
            "core.untrackedCache=false", "submodule.recurse=false",
        ]
        let arguments =
            ["git", "--no-pager", "--no-replace-objects", "-C", directory]
            + safety.flatMap { ["-c", $0] } + words
        let answer = ProgramOutput.read(
            of: arguments,
            variables: context,
            until: deadline,
            atMost: limit
        )
        return answer.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Removes variables that redirect Git or make it write.
    ///
    /// Keeps those that locate its configuration.
    private var context: [String: String] {
        let kept = variables.filter { name, _ in
            !name.hasPrefix("GIT_") || name.hasPrefix("GIT_CONFIG") || name == "GIT_EXEC_PATH"
                || name == "GIT_CEILING_DIRECTORIES" || name == "GIT_DISCOVERY_ACROSS_FILESYSTEM"
        }
        return kept.merging([
            "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C",
        ]) { $1 }
    }
}
