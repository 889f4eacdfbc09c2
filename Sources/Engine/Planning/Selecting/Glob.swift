/// A pattern: `*` matches any text within a name, `**` any text across folders, `?` one character.
struct Glob: Hashable {
    private let pattern: [Character]

    init(_ pattern: String) {
        self.pattern = Array(pattern)
    }

    func matches(_ text: String) -> Bool {
        var places: Set<Int> = [0]
        for character in text {
            places = Set(places.flatMap { next(from: $0, over: character) })
        }
        return places.contains { withoutStars($0).contains(pattern.count) }
    }

    /// Also true if the pattern matches a parent folder of the file.
    func matchesPath(_ path: String) -> Bool {
        if matches(path) { return true }
        let folder = pattern.last == "/" ? Glob(String(pattern.dropLast())) : self
        let parts = path.split(separator: "/")
        return parts.indices.dropFirst().contains {
            folder.matches(parts[..<$0].joined(separator: "/"))
        }
    }

    /// Returns the positions in the pattern after a character.
    private func next(from start: Int, over character: Character) -> [Int] {
        withoutStars(start).compactMap { place in
            guard place < pattern.count else { return nil }
            switch pattern[place] {
            case "*": return isDouble(place) || character != "/" ? place : nil
            case "?": return character != "/" ? place + 1 : nil
            case character: return place + 1
            default: return nil
            }
        }
    }

    /// Returns a position and the positions after stars that start there; `**/` may match no
    /// folder.
    private func withoutStars(_ start: Int) -> [Int] {
        guard start < pattern.count, pattern[start] == "*" else { return [start] }
        let end = start + (isDouble(start) ? 2 : 1)
        let isFolder = isDouble(start) && end < pattern.count && pattern[end] == "/"
        return [start] + withoutStars(end) + (isFolder ? withoutStars(end + 1) : [])
    }

    private func isDouble(_ place: Int) -> Bool {
        place + 1 < pattern.count && pattern[place + 1] == "*"
    }
}
