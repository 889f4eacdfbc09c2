/// Renders the plan as a pull request comment.
///
/// The first line is the same for every plan of an environment. The next run finds the comment by
/// this line and replaces it.
package struct PlanMarkdownView: Sendable {
    /// GitHub accepts fewer than 65,536 characters.
    ///
    /// A text never has more characters than bytes.
    package static let maximumBytes = 65_000

    private let maximumBytes: Int

    package init(maximumBytes: Int = Self.maximumBytes) {
        self.maximumBytes = maximumBytes
    }

    /// `timeline`: the next days; without it, the table does not have the messages per device.
    package func render(_ story: PlanDescription, timeline: PlanTimeline? = nil) -> String {
        let hint = story.hint
        let foot = foot(story)
        let reserve = MarkdownBudget.reserve + hint.selecting("").utf8.count
        var text = MarkdownBudget(limit: maximumBytes - foot.utf8.count - reserve)
        text.append(title(of: story))
        PlanMarkdownTable(PlanTable(story, timeline: timeline), hasLoad: timeline != nil)
            .write(to: &text, upTo: maximumBytes / 4)
        text.append(summary(of: story))
        list(story.guards.map(line), title: "Guards", noun: "guard", in: &text)
        list(story.notices.map(line), title: "Notes", noun: "note", in: &text)
        entries(of: story, hint: hint, in: &text)
        return text.text + foot
    }

    /// The comment's first line, which identifies it.
    package static func marker(project: String, environment: String) -> String {
        "<!-- herald-plan: \(project)/\(environment) -->"
    }

    private func title(of story: PlanDescription) -> [String] {
        let head = story.head
        var lines = [
            Self.marker(project: head.project, environment: head.environment),
            Self.line(head.destination), "",
            "### Plan for \(MarkdownText.code(head.environment)) of "
                + MarkdownText.code(head.project),
            "",
        ]
        if let remark = story.stateRemark { lines += ["**\(MarkdownText.prose(remark))**", ""] }
        if let refusal = story.refusal { lines += ["**\(MarkdownText.advice(refusal))**", ""] }
        return lines
    }

    private func summary(of story: PlanDescription) -> [String] {
        var lines = ["**\(MarkdownText.prose(story.summary))**", ""]
        if let remark = story.schedulingRemark { lines += [MarkdownText.advice(remark), ""] }
        guard let digest = story.digest else { return lines }
        let command = story.command.map(MarkdownText.command)
        let advice = command.map { "; to apply exactly this plan: " + $0 } ?? ""
        return lines + ["Digest \(MarkdownText.code(digest))\(advice)", ""]
    }

    private static func line(_ destination: DestinationWording) -> String {
        "Destination: \(MarkdownText.code(destination.environment)), "
            + "project ID \(MarkdownText.code(destination.projectID)), "
            + "\(MarkdownText.code(destination.endpoint)), **\(destination.protection)**"
            + (destination.remark.map { ". \($0)" } ?? "")
    }

    private func foot(_ story: PlanDescription) -> String {
        let signs = story.symbols.map { "`\($0.rawValue)` \($0.wording(in: story.mood))" }
        let made = "As of \(story.head.now.markdown)."
        let legend = signs.isEmpty ? [] : ["Symbols: " + signs.joined(separator: ", ") + "."]
        let kept = story.keepingRemark.map { [MarkdownText.prose($0)] } ?? []
        return "\n" + ([made] + legend + kept).joined(separator: " ") + "\n"
    }

    private func line(_ story: GuardDescription) -> String {
        let subject = story.subject.map { " " + MarkdownText.code($0) } ?? ""
        let wording =
            story.quotes ? MarkdownText.prose(story.wording) : MarkdownText.advice(story.wording)
        return "- **\(story.outcome.title)** \(MarkdownText.code(story.name))\(subject): \(wording)"
    }

    private func line(_ story: NoticeDescription) -> String {
        "- \(MarkdownText.code(story.subject)): \(MarkdownText.advice(story.wording))"
    }

    /// Renders a list within at most a fifth of the total size.
    private func list(
        _ lines: [String],
        title: String,
        noun: String,
        in text: inout MarkdownBudget
    ) {
        guard !lines.isEmpty else { return }
        text.append(["#### \(title)", ""])
        let end = text.used + maximumBytes / 5
        let shown = lines.prefix { line in text.append([line], upTo: end) }.count
        if shown < lines.count {
            text.append(["- And \((lines.count - shown).counting("more " + noun))."])
        }
        text.append([""])
    }
}

// MARK: - Entries

extension PlanMarkdownView {
    /// Renders entries in full while there is room, then on one line each, then only their count.
    private func entries(
        of story: PlanDescription,
        hint: CommandHint,
        in text: inout MarkdownBudget
    ) {
        var isFull = true
        var (short, left) = (0, 0)
        for group in story.groups {
            guard left == 0, text.append(title(group, in: story.mood)) else {
                left += group.entries.count
                continue
            }
            var isAfterFold = false
            for entry in group.entries {
                let entry = PlanMarkdownEntry(entry)
                // In the line after an element, Markdown is not parsed.
                let gap = isAfterFold ? [""] : []
                let full = (entry.isFolded ? [] : gap) + entry.full
                isFull = isFull && text.append(full, upTo: maximumBytes * 7 / 10)
                isAfterFold = isFull && entry.isFolded
                guard !isFull else { continue }
                if left == 0, text.append(gap + [entry.line]) { short += 1 } else { left += 1 }
            }
            if left == 0 { _ = text.append([""]) }
        }
        text.finish(with: rest(short: short, left: left, hint: hint))
    }

    private func title(_ group: PlanDescription.Group, in mood: PlanMood) -> [String] {
        ["#### \(group.kind.title(in: mood)) (\(group.count))", ""]
    }

    /// Describes the omitted entries and how to see them.
    private func rest(short: Int, left: Int, hint: CommandHint) -> [String] {
        guard short + left > 0 else { return [] }
        let lines = short > 0 ? ["\(short.grouped) shortened to one line each."] : []
        let more = left > 0 ? ["**And \(left.grouped) more.**"] : []
        let command = MarkdownText.command(hint.selecting("plan --format html"))
        let place = "Full plan: \(command) or `--format json`."
        return ["", (more + lines + [place]).joined(separator: " ")]
    }
}

/// Collects lines up to a size limit.
struct MarkdownBudget {
    /// The size reserved for the last lines, in bytes.
    static let reserve = 400

    private(set) var text = ""
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var used: Int { text.utf8.count }

    /// Appends all lines or none.
    ///
    /// Returns whether there was room.
    @discardableResult
    mutating func append(_ lines: [String], upTo end: Int = .max) -> Bool {
        let size = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        guard used + size <= min(limit, end) else { return false }
        for line in lines { text += line + "\n" }
        return true
    }

    /// Appends the last lines, using the reserve.
    mutating func finish(with lines: [String]) {
        for line in lines { text += line + "\n" }
    }
}
