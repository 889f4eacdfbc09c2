package import CampaignModel

/// Streams the registrations of a list; memory use does not depend on its length.
///
/// A text file contains one registration per line. Empty lines, lines that begin with `#`, and a byte order
/// mark at the file's start are skipped.
package struct RegistrationReader: ~Copyable {
    private var file: ListLineReader?
    private var rest: ArraySlice<Registration> = []
    /// For a list with columns or a kind.
    private var rows: ListCursor?
    private let path: String
    private var lineNumber = 0
    /// The line of the last registration, counted from 1.
    ///
    /// For an inline list, it is the number of the registration.
    package var line: Int { lineNumber }

    /// `directory`: The base of relative paths.
    package init(
        _ list: RegistrationList,
        directory: String
    ) throws(RegistrationListError) {
        path = list.path ?? ""
        switch list {
        case .inline(let registrations): rest = registrations[...]
        case .described: rows = try ListCursor.open(list, directory: directory)
        case .file(let path):
            do {
                file = try ListLineReader(
                    path: RegistrationListError.fullPath(path, in: directory)
                )
            } catch {
                throw .unreadable(path: path, reason: error)
            }
        }
    }

    /// Returns the next registration, or what is wrong with the next line; nil at the end.
    package mutating func next() throws(RegistrationListError) -> Entry? {
        if let registration = rest.popFirst() {
            lineNumber += 1
            return .registration(registration)
        }
        if let rows { return try next(of: rows) }
        do {
            while let line = try file?.next() {
                lineNumber += 1
                if let entry = Self.entry(line, number: lineNumber) { return entry }
            }
        } catch {
            throw .unreadable(path: path, reason: error)
        }
        return nil
    }

    private mutating func next(of rows: ListCursor) throws(RegistrationListError) -> Entry? {
        switch try rows.next() {
        case .row(let row)?:
            lineNumber = row.line
            return .registration(row.registration)
        case .broken(let line)?: return .broken(line)
        case nil: return nil
        }
    }

    package enum Entry {
        case registration(Registration)
        case broken(RegistrationListError.BrokenLine)
    }

    /// Returns nil for an empty line or a comment.
    private static func entry(_ line: ListLineReader.Line, number: Int) -> Entry? {
        switch line {
        case .notUTF8: return broken(number, reason: "it is not UTF-8")
        case .tooLong: return broken(number, reason: "it is too long")
        case .text(let line):
            let text = number == 1 ? String(line.withoutByteOrderMark) : line
            if text.isEmpty || text.utf8.first == UInt8(ascii: "#") { return nil }
            return Registration(text).map(Entry.registration)
                ?? broken(number, reason: RegistrationListError.BrokenLine.noRegistration)
        }
    }

    private static func broken(_ number: Int, reason: String) -> Entry {
        .broken(RegistrationListError.BrokenLine(number: number, reason: reason))
    }
}

extension String {
    var withoutByteOrderMark: Substring {
        unicodeScalars.first == "\u{FEFF}"
            ? self[unicodeScalars.index(after: startIndex)...] : self[...]
    }
}
