import CampaignLoading
import Diagnostics
import RegistrationLists

extension Rule {
    static let trackedList = Rule(.trackedList) { context, log in
        var reported: Set<String> = []
        for reference in context.listReferences where !reference.isTest {
            let list = reference.place.value.list
            let files = context.trackedFiles?[list] ?? []
            guard let path = list.path, !files.isEmpty, reported.insert(path).inserted else {
                continue
            }
            log.report(.trackedFiles(files, at: reference.place.span))
        }
    }
}

extension Diagnostic {
    private static let mostNamed = 3

    fileprivate static func trackedFiles(_ files: [String], at span: SourceSpan) -> Diagnostic {
        let first = files.first ?? ""
        let more = files.count - 1
        let others = more == 0 ? "" : more == 1 ? " and 1 other file" : " and \(more) other files"
        let named = files.prefix(mostNamed).map(\.quotedForShell).joined(separator: " ")
        let rest = files.count > mostNamed ? " …" : ""
        return Diagnostic(
            rule: .trackedList,
            message: "Git tracks the list \(first)\(others)",
            span: span,
            label: "registrations are secrets, and every clone contains them",
            help: [
                "run `git rm --cached \(named)\(rest)`, and add "
                    + (more == 0 ? "the file" : "the files") + " to .gitignore"
            ]
        )
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    fileprivate var quotedForShell: String {
        let isPlain = utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "/": true
            default: false
            }
        }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
