/// Gathers short lines for standard output, so that not each is a system call.
///
/// A class, because whoever visits rows adds to it from within a closure.
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
