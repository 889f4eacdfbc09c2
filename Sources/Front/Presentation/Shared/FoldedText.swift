import Text

/// Finished lines, folded between words to a number of columns.
///
/// The rest of a long line is indented more than its beginning. Colours have no columns. A command
/// between backticks stays in one piece if it fits on a line.
struct FoldedText {
    private let columns: Int
    /// The additional indentation of the rest of a line.
    private let hanging: Int

    init(columns: Int, hanging: Int = 4) {
        self.columns = columns
        self.hanging = hanging
    }

    func lines(of text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { fold($0) }.joined(separator: "\n")
    }

    private func fold(_ line: Substring) -> String {
        guard line.utf8.count > columns else { return String(line) }
        let indent = line.prefix { $0 == " " }
        let rest = min(indent.count + hanging, columns / 2)
        var folded = ""
        var used = 0
        for word in words(of: line.dropFirst(indent.count), in: columns - rest) {
            if used == 0 {
                folded += indent + word.text
                used = indent.count + word.columns
            } else if used + word.gap + word.columns <= columns {
                folded += String(repeating: " ", count: word.gap) + word.text
                used += word.gap + word.columns
            } else {
                folded += "\n" + String(repeating: " ", count: rest) + word.text
                used = rest + word.columns
            }
        }
        return folded
    }

    /// A part of a line that is not divided, after the number of spaces in `gap`.
    private struct Word {
        var text = ""
        var columns = 0
        var gap = 0
    }

    private func words(of line: Substring, in room: Int) -> [Word] {
        var words = [Word()]
        var isCode = false
        var place = line.startIndex
        while place < line.endIndex {
            let character = line[place]
            if character == "\u{1B}" {
                let end = line[place...].firstIndex(of: "m") ?? line.index(before: line.endIndex)
                words[words.count - 1].text += line[place...end]
                place = line.index(after: end)
                continue
            }
            if character == "`" { isCode = !isCode && fits(line[place...], in: room) }
            if character == " ", !isCode {
                if words[words.count - 1].columns > 0 { words.append(Word()) }
                words[words.count - 1].gap += 1
            } else {
                let columns = TextStyle.columns(of: String(character))
                if columns > 1, words[words.count - 1].columns > 0 { words.append(Word()) }
                words[words.count - 1].text.append(character)
                words[words.count - 1].columns += columns
            }
            place = line.index(after: place)
        }
        return words
    }

    /// Whether the command that begins with this backtick fits into the given columns.
    private func fits(_ text: Substring, in room: Int) -> Bool {
        guard let end = text.dropFirst().firstIndex(of: "`") else { return false }
        return TextStyle.columns(of: String(text[...end])) <= room
    }
}

extension TextStyle {
    /// Folds finished records to the columns of the output; unchanged if they are unknown.
    ///
    /// Colours may be in the text.
    package func folded(_ text: String) -> String {
        width.records.map { FoldedText(columns: $0).lines(of: text) } ?? text
    }

    /// Folds an error or a part of a finding; unchanged if the columns are unknown.
    ///
    /// `hanging`: the additional indentation of the rest of a line.
    func foldedMessage(_ text: String, hanging: Int) -> String {
        width.messages.map { FoldedText(columns: $0, hanging: hanging).lines(of: text) } ?? text
    }
}
