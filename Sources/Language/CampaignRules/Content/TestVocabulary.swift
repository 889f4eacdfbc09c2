import Text

/// Words that are typical of test messages.
enum TestVocabulary {
    /// One of these, with only fillers and numbers, is a test.
    static let core = PackedWord.set(
        """
        test tests testing tst testpush testmessage testtitle testbody testtext testtest foo baz \
        qux foobar asdf qwerty qwertz azerty qwer hjkl sdf dfg lorem blah bla blabla dummy placeholder \
        todo fixme untitled testnachricht testmeldung
        """
    )

    static let fillers = PackedWord.set(
        """
        push notification notifications message messages msg title subtitle body text campaign \
        please pls ignore this is a an just only my send sent for to hello hi world bar from with \
        alert android ios iphone web fcm firebase topic dev qa staging one two three ipsum dolor \
        sit amet sample example number no v on me bitte ignorieren
        """
    )

    /// Phrases that are a test or a placeholder without any of those words.
    static let phrases = Set(
        [
            "hello world", "please ignore", "please ignore this", "please ignore this message",
            "ignore this", "ignore me", "title", "title here", "your title here",
            "insert title here", "my title", "notification title", "message title", "title text",
            "title goes here", "subtitle", "body here", "body text", "my body text",
            "notification body", "message body", "your text here", "text here", "text goes here",
            "insert text here", "your message here", "message here", "sample text",
            "sample title", "sample body", "sample message", "sample push",
            "sample notification", "example text", "example title", "example body",
            "example message", "example push", "example notification",
            "this is a notification", "this is a push notification", "abcd", "xyz",
        ].map { $0.split(separator: " ").map { PackedWord($0.utf8) } }
    )

    static let asdf = PackedWord("asdf")
    static let lorem = PackedWord("lorem")
    static let ipsum = PackedWord("ipsum")
    static let fixme = PackedWord("fixme")
    static let tbd = PackedWord("tbd")
    static let todo = PackedWord("todo")
    static let test = PackedWord("test")
    static let testing = PackedWord("testing")

    /// Whether a word marks a text as a test or is a placeholder.
    ///
    /// Words that begin with `asdf` are included.
    static func isMark(_ word: PackedWord) -> Bool {
        marks.contains(word) || word.begins(with: asdf)
    }

    /// An array, because comparing a few numbers is faster than a hash lookup.
    private static let marks = Array(
        PackedWord.set("test testing dev staging qa dummy placeholder lorem todo fixme tbd")
    )

    /// Every word of a text that is only a test.
    static let all = core.union(fillers).union(phrases.joined().compactMap { $0 })

    /// Words that follow `TODO`.
    static let tasks = PackedWord.set(
        """
        add ask change check copy decide find fix insert me message remove replace text title \
        translate translation update wording write
        """
    )

    /// Words that precede `TODO`.
    static let awaited = PackedWord.set("body copy is message still text title translation wording")
}

/// A word of at most 15 ASCII letters and digits, without case.
struct PackedWord: Hashable, Sendable {
    private let low: UInt64
    private let high: UInt64

    /// nil for longer words and for words with other characters.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= 15 else { return nil }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            guard byte < 0x80 else { return nil }
            let small = UInt64(byte.isASCIICapital ? byte | 0x20 : byte)
            if index < 8 { low |= small << (8 * index) } else { high |= small << (8 * (index - 8)) }
        }
        self.low = low
        self.high = high
    }

    /// - Parameter word: at most 8 lowercase ASCII letters.
    fileprivate init(_ word: StaticString) {
        low = word.withUTF8Buffer { bytes in
            bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
        }
        high = 0
    }

    fileprivate static func set(_ words: String) -> Set<PackedWord> {
        Set(words.split(separator: " ").compactMap { PackedWord($0.utf8) })
    }

    /// Whether it begins with a word of four letters.
    func begins(with start: PackedWord) -> Bool { low & 0xFFFF_FFFF == start.low }
}
