/// A statement with its signature, as a file or a comment contains it.
package struct SignedApproval: Hashable, Sendable {
    package let statement: ApprovalStatement
    /// The text of the signature, as `ssh-keygen -Y sign` writes it.
    package let signature: String

    package init(statement: ApprovalStatement, signature: String) {
        self.statement = statement
        self.signature = signature
    }

    static let header = "-----BEGIN HERALD APPROVAL-----"
    static let footer = "-----END HERALD APPROVAL-----"

    /// The form for files and comments.
    package var text: String {
        let signature = signature.hasSuffix("\n") ? signature : signature + "\n"
        return "\(Self.header)\n\(statement.text)\(signature)\(Self.footer)\n"
    }

    /// Returns the approvals in a text, such as the comments of a request; nil for each that cannot
    /// be read.
    ///
    /// Lines may be indented and may end with `\r\n`, as comments do.
    package static func approvals(in text: String) -> [SignedApproval?] {
        var found: [SignedApproval?] = []
        var block: [String]?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line == header {
                if block != nil { found.append(nil) }
                block = []
            } else if line == footer, let lines = block {
                found.append(SignedApproval(lines: lines))
                block = nil
            } else {
                block?.append(line)
            }
        }
        if block != nil { found.append(nil) }
        return found
    }

    private init?(lines: [String]) {
        let count = ApprovalStatement.lineCount
        guard let statement = ApprovalStatement(lines: lines.prefix(count)) else { return nil }
        self.statement = statement
        signature = lines.dropFirst(count).map { $0 + "\n" }.joined()
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }
}
