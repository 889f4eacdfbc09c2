extension AllowedSigner {
    /// Reads `PRINCIPALS [OPTIONS] KIND BASE64 [COMMENT]`; nil for a blank line or a comment.
    init?(line: Substring) throws(SignersFileError.Reason) {
        var scanner = SignerLineScanner(line)
        scanner.skipBlanks()
        guard let first = scanner.next, first != "#" else { return nil }
        let principals = try scanner.principals()
        let option = scanner.rest
        var found: SignerOptions?
        if !option.startsWithKeyKind {
            found = try scanner.options()
            scanner.skipBlanks()
        }
        let options = found ?? SignerOptions()
        self.init(
            principals: SSHPatternList(principals),
            key: try SSHPublicKey(line: scanner.rest),
            namespaces: options.namespaces.map { SSHPatternList($0) },
            validAfter: options.validAfter,
            validBefore: options.validBefore
        )
    }
}

extension SSHPublicKey {
    /// Reads `KIND BASE64 [COMMENT]`.
    init(line: Substring) throws(SignersFileError.Reason) {
        let words = line.split(maxSplits: 2) { $0 == " " || $0 == "\t" }
        guard words.count >= 2 else { throw .malformed }
        do throws(SSHKeyError) {
            guard Kind(rawValue: String(words[0])) != nil else {
                throw SSHKeyError.unsupported(kind: String(words[0]))
            }
            self = try SSHPublicKey(kind: String(words[0]), base64: String(words[1]))
        } catch {
            throw .key(error)
        }
    }
}

extension Substring {
    /// Whether the first word names a kind of key, also one that cannot be used.
    fileprivate var startsWithKeyKind: Bool {
        let word = prefix { $0 != " " && $0 != "\t" }
        return word.hasPrefix("ssh-") || word.hasPrefix("ecdsa-sha2-") || word.hasPrefix("sk-")
    }
}

/// The options of a line.
struct SignerOptions {
    var namespaces: String?
    var validAfter: Int64?
    var validBefore: Int64?

    fileprivate mutating func set(
        _ name: String,
        to value: String
    ) throws(SignersFileError.Reason) {
        switch name.lowercased() {
        case "namespaces":
            guard namespaces == nil else { throw .repeatedOption(name) }
            namespaces = value
        case "valid-after":
            guard validAfter == nil else { throw .repeatedOption(name) }
            validAfter = try SignerTime.seconds(value)
        case "valid-before":
            guard validBefore == nil else { throw .repeatedOption(name) }
            validBefore = try SignerTime.seconds(value)
        default: throw .unknownOption(name)
        }
    }
}

/// Reads a line from left to right.
struct SignerLineScanner {
    private(set) var rest: Substring

    init(_ line: Substring) {
        rest = line
    }

    var next: Character? { rest.first }

    mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    /// Takes the first field, which may be in double quotes.
    mutating func principals() throws(SignersFileError.Reason) -> String {
        let isQuoted = next == "\""
        if isQuoted { rest = rest.dropFirst() }
        let field = rest.prefix { isQuoted ? $0 != "\"" : $0 != " " && $0 != "\t" }
        rest = rest[field.endIndex...]
        if isQuoted {
            guard next == "\"" else { throw .quotes }
            rest = rest.dropFirst()
        }
        guard !field.contains("\"") else { throw .quotes }
        guard !field.isEmpty, next == " " || next == "\t" else { throw .malformed }
        skipBlanks()
        return String(field)
    }

    /// Takes options that are separated by commas.
    mutating func options() throws(SignersFileError.Reason) -> SignerOptions {
        var options = SignerOptions()
        while true {
            let name = String(rest.prefix { !" \t,=\"".contains($0) })
            rest = rest.dropFirst(name.count)
            guard name.lowercased() != "cert-authority" else { throw .certificateAuthority }
            guard next == "=" else { throw .unknownOption(name) }
            rest = rest.dropFirst()
            try options.set(name, to: try quotedValue())
            guard next == "," else { break }
            rest = rest.dropFirst()
        }
        guard next == " " || next == "\t" else { throw .malformed }
        if let after = options.validAfter, let before = options.validBefore, before <= after {
            throw .emptyValidity
        }
        return options
    }

    /// Takes a value in double quotes, in which `\"` stands for a quote.
    private mutating func quotedValue() throws(SignersFileError.Reason) -> String {
        guard next == "\"" else { throw .quotes }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst() {
            if character == "\"" { return value }
            if character == "\\", rest.first == "\"" {
                value.append(rest.removeFirst())
            } else {
                value.append(character)
            }
        }
        throw .quotes
    }
}

extension String {
    /// The lines with their numbers from 1; a line may end with `\r\n`.
    var numberedLines: [(number: Int, text: Substring)] {
        split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .enumerated().map { ($0.offset + 1, $0.element) }
    }
}

extension SSHPublicKey {
    /// Reads a public key file, such as `id_ed25519.pub`; nil if it is none.
    package init?(fileContent: String) {
        guard let line = fileContent.numberedLines.first?.text else { return nil }
        do throws(SignersFileError.Reason) { self = try SSHPublicKey(line: line) } catch {
            return nil
        }
    }
}
