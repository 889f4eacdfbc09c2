package import CampaignModel

/// Renders the result of `herald init`: the written files, and what to do next.
package struct NewProjectTextView: Sendable {
    /// What a written file is for.
    package enum Purpose: Sendable {
        case project
        case topicCampaign
        case listCampaign
        case registrations
        case devices
        case projectSchema
        case campaignSchema
        case ignoredFiles
    }

    /// A written file.
    package struct File: Sendable {
        private let path: String
        private let purpose: Purpose

        /// `path`: relative to the project's directory.
        package init(_ path: String, for purpose: Purpose) {
            self.path = path
            self.purpose = purpose
        }

        fileprivate var width: Int { path.count }

        fileprivate func line(_ style: TextStyle, width: Int) -> String {
            let space = String(repeating: " ", count: width - path.count)
            return "  \(style.paint(path, in: .strong))\(space)\(purpose.wording)\n"
        }
    }

    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ files: [File], of project: ProjectID, timeZone: String) -> String {
        let width = (files.map(\.width).max() ?? 0) + 2
        return "Created project \(project) with time zone \(timeZone):\n"
            + files.map { $0.line(style, width: width) }.joined()
    }

    /// `patterns`: those that an existing `.gitignore` lacks.
    package func renderMissing(_ patterns: [String]) -> String {
        guard !patterns.isEmpty else { return "" }
        return "\nAdd to the existing .gitignore:\n" + patterns.map { "  \($0)\n" }.joined()
    }

    /// `root`: the project's directory, relative to the current one.
    package func renderNext(in root: String) -> String {
        let enter = root == "." ? "" : "  cd \(TextStyle.safe(root.quotedForShell))\n"
        return """

            Next:
            \(enter)  herald validate            check the files
              herald plan                show what would be sent
              herald apply               send it on the built-in emulator
              herald emulator inboxes    show what each device received

            """
    }
}

extension NewProjectTextView.Purpose {
    fileprivate var wording: String {
        switch self {
        case .project: "the project: its topics and environments"
        case .topicCampaign: "a campaign to a topic"
        case .listCampaign: "a subscribed list and a campaign to it"
        case .registrations: "the list, with two made-up registrations"
        case .devices: "the emulator's phones and browsers"
        case .projectSchema: "editor support for herald.yaml"
        case .campaignSchema: "editor support for campaigns"
        case .ignoredFiles: "keeps state and registrations out of git"
        }
    }
}
