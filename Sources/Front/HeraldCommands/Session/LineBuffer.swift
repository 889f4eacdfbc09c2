/// Buffers short lines for standard output to avoid a system call per line.
///
/// A class so that closures that visit rows can append to it.
final class LineBuffer {
    private var text = ""

    private static let size = 65_536

    func append(_ line: String) {
        text += line
        if text.utf8.count >= Self.size { flush() }
    }

    func flush() {
        Output.data(text)
        text = ""
    }
}
