import CampaignRules
import Diagnostics
import Scheduling
import Time

/// Renders a rule's page as Markdown.
struct RulePageMarkdown {
    let page: RulePage

    var text: String {
        let head = [
            Self.mark, "# \(page.id.rawValue)",
            "\(page.id.severity.title). \(page.id.settingWords)",
        ]
        let sections = [
            ["## What it does", page.whatItDoes],
            ["## Why is this bad", page.whyIsThisBad],
            ["## Example"] + blocks(page.example),
            ["## Use instead"] + blocks(page.useInstead),
            ["## Source", page.source],
        ]
        return (head + sections.joined()).joined(separator: "\n\n") + "\n"
    }

    /// The first line of every written file.
    ///
    /// It identifies Herald's pages for later runs.
    static let mark = "<!-- `herald rules --write` writes this file. -->"

    private func blocks(_ example: RuleExample) -> [String] {
        example.files.map(Self.block) + (example.hasRepetitions ? [RuleExample.notation] : [])
    }

    /// Renders a file's contents under its path.
    static func block(_ file: RuleExample.File) -> String {
        let encoding = file.isLatin1 ? ", in ISO 8859-1" : ""
        let fence = String(repeating: "`", count: max(3, file.text.longestRun(of: "`") + 1))
        let language = file.path.hasSuffix(".yaml") ? "yaml" : "text"
        return "`\(file.path)`\(encoding)\n\n\(fence)\(language)\n\(file.text)\(fence)"
    }
}

/// Renders the index of all pages.
struct RuleIndexMarkdown {
    let pages: [RulePage]

    var text: String {
        let head = [
            RulePageMarkdown.mark, "# Rules",
            """
            Everything that Herald finds in files. `herald explain RULE` prints a page, \
            `herald rules` this list.
            """,
        ]
        let tables = [
            table("Errors", "They refuse the files.") {
                $0.severity == .error && !$0.isLiftable
            },
            table("Errors that can be lifted", "An author who knows better may allow them.") {
                $0.isLiftable
            },
            table("Warnings", "They are shown and change nothing.") { $0.severity == .warning },
            table("Notes", "What may be meant so; only `herald validate` shows them.") {
                $0.severity == .note
            },
        ]
        let end = [
            "## The examples",
            """
            Each example is a project of its own, checked at \(RuleExample.clock.utcText). \
            Where it has no `herald.yaml` of its own, this one lies beside it:
            """,
            RulePageMarkdown.block(RuleExample.project),
            RuleExample.notation,
        ]
        return (head + tables.joined() + end).joined(separator: "\n\n") + "\n"
    }

    private func table(
        _ title: String,
        _ words: String,
        of isMeant: (RuleID) -> Bool
    ) -> [String] {
        let rows = pages.filter { isMeant($0.id) }.map { page in
            let name = page.id.rawValue
            let summary = page.summary.split(separator: "|", omittingEmptySubsequences: false)
                .joined(separator: #"\|"#)
            return "| [`\(name)`](\(name).md) | \(summary) |"
        }
        return [
            "## \(title)", words,
            (["| rule | finds |", "| --- | --- |"] + rows).joined(separator: "\n"),
        ]
    }
}

extension Severity {
    fileprivate var title: String {
        switch self {
        case .error: "Error"
        case .warning: "Warning"
        case .note: "Note"
        }
    }
}

extension String {
    fileprivate func longestRun(of character: Character) -> Int {
        var (longest, current) = (0, 0)
        for each in self {
            current = each == character ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}
