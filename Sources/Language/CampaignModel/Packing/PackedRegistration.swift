/// A registration in six bits per character: FCM's tokens consist of the 64 characters of base64url
/// and at most one colon.
///
/// Two bytes, the highest first: the form in three bits, then the number of characters. A form with
/// a colon continues with the colon's place in one byte. The other characters follow: base64url
/// decoded, or as they are.
package enum PackedRegistration {
    private enum Form: UInt8 {
        case plain = 0
        case colon = 1
        /// For registrations with other characters.
        case text = 2
    }

    /// Replaces an erased registration; no registration is empty.
    package static let erased: [UInt8] = [0, 0]

    private static let colon = UInt8(ascii: ":")

    package static func append(_ registration: Registration, to bytes: inout [UInt8]) {
        var token = registration.token
        token.withUTF8 { append($0, to: &bytes) }
    }

    /// `text`: a registration in UTF-8.
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        guard let place = text.firstIndex(of: colon) else {
            return append(text, as: .plain, count: text.count, to: &bytes)
        }
        guard place <= UInt8.max else {
            return append(text, as: .text, count: text.count, to: &bytes)
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { rest in
            for index in 0..<place { rest[index] = text[index] }
            for index in place + 1..<text.count { rest[index - 1] = text[index] }
            rest[text.count - 1] = UInt8(place)
            append(UnsafeBufferPointer(rest), as: .colon, count: text.count, to: &bytes)
        }
    }

    /// `text`: in the form with a colon, the place of the colon is the last byte.
    private static func append(
        _ text: UnsafeBufferPointer<UInt8>,
        as form: Form,
        count: Int,
        to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        let head = Head(form: form, count: count)
        bytes.append(contentsOf: repeatElement(0, count: head.length))
        let isPacked = bytes.withUnsafeMutableBufferPointer { bytes in
            let entry = UnsafeMutableBufferPointer(rebasing: bytes[start...])
            entry[0] = form.rawValue << 5 | UInt8(count >> 8)
            entry[1] = UInt8(truncatingIfNeeded: count)
            if form == .colon { entry[2] = text[count - 1] }
            let content = UnsafeMutableBufferPointer(rebasing: entry[head.start...])
            guard form != .text else {
                _ = content.update(fromContentsOf: text)
                return true
            }
            return Base64URL.decode(text, count: head.packedCount, into: content)
        }
        guard !isPacked else { return }
        bytes.removeSubrange(start...)
        appendText(text, withColon: form == .colon, to: &bytes)
    }

    private static func appendText(
        _ text: UnsafeBufferPointer<UInt8>,
        withColon hasColon: Bool,
        to bytes: inout [UInt8]
    ) {
        var whole = Array(text)
        if hasColon, let place = whole.popLast() { whole.insert(colon, at: Int(place)) }
        whole.withUnsafeBufferPointer {
            append($0, as: .text, count: whole.count, to: &bytes)
        }
    }
}

// MARK: - Reading

extension PackedRegistration {
    private struct Head {
        let form: Form
        /// Number of characters; 0 if the registration was erased.
        let count: Int

        init(form: Form, count: Int) {
            self.form = form
            self.count = count
        }

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= 2, let form = Form(rawValue: bytes[0] >> 5) else { return nil }
            self.init(form: form, count: Int(bytes[0] & 0x1F) << 8 | Int(bytes[1]))
            guard count > 0 || form == .plain else { return nil }
        }

        /// The first byte of the characters.
        var start: Int { form == .colon ? 3 : 2 }

        /// Number of characters of six bits.
        var packedCount: Int {
            switch form {
            case .plain: count
            case .colon: count - 1
            case .text: 0
            }
        }

        var length: Int {
            start + (form == .text ? count : Base64URL.decodedCount(of: packedCount))
        }
    }

    /// Returns the length of the entry at the start of these bytes; nil if it is damaged.
    package static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let head = Head(bytes), head.length <= bytes.count else { return nil }
        return head.length
    }

    /// Returns the registration of an entry; nil if it was erased or is damaged.
    package static func registration(_ entry: UnsafeRawBufferPointer) -> Registration? {
        guard let head = Head(entry), head.length == entry.count else { return nil }
        let bytes = entry.bindMemory(to: UInt8.self)
        let content = UnsafeBufferPointer(rebasing: bytes[head.start...])
        guard head.form != .text else { return Registration(utf8: content) }
        let place = head.form == .colon ? Int(bytes[2]) : head.count
        guard place < head.count || head.form == .plain else { return nil }
        return Registration(
            String(unsafeUninitializedCapacity: head.count) { text in
                Base64URL.encode(content, count: head.packedCount, into: text)
                guard place < head.count else { return head.count }
                for index in (place..<head.packedCount).reversed() { text[index + 1] = text[index] }
                text[place] = colon
                return head.count
            }
        )
    }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
private enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )
    /// The value of each byte; 64 for bytes outside of the alphabet.
    private static let values: [UInt8] = {
        var values = Array(repeating: UInt8(64), count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    static func decodedCount(of count: Int) -> Int { (count * 6 + 7) / 8 }

    /// Decodes the first `count` characters; returns false if one is not in the alphabet.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        count: Int,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        values.withUnsafeBufferPointer { values in
            let whole = count / 4
            var all = UInt8(0)
            for group in 0..<whole {
                let (index, place) = (group * 4, group * 3)
                let first = values[Int(text[index])]
                let second = values[Int(text[index + 1])]
                let third = values[Int(text[index + 2])]
                let fourth = values[Int(text[index + 3])]
                all |= first | second | third | fourth
                bytes[place] = first << 2 | second >> 4
                bytes[place + 1] = second << 4 | third >> 2
                bytes[place + 2] = third << 6 | fourth
            }
            var (word, bits, place) = (UInt32(0), 0, whole * 3)
            for index in whole * 4..<count {
                let value = values[Int(text[index])]
                all |= value
                word = word << 6 | UInt32(value & 63)
                bits += 6
            }
            while bits > 0 {
                let byte = bits >= 8 ? word >> UInt32(bits - 8) : word << UInt32(8 - bits)
                bytes[place] = UInt8(truncatingIfNeeded: byte)
                (bits, place) = (bits - 8, place + 1)
            }
            return all < 64
        }
    }

    /// Encodes bytes as `count` characters.
    static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        count: Int,
        into text: UnsafeMutableBufferPointer<UInt8>
    ) {
        alphabet.withUnsafeBufferPointer { alphabet in
            let whole = count / 4
            for group in 0..<whole {
                let (index, place) = (group * 4, group * 3)
                let (first, second, third) = (bytes[place], bytes[place + 1], bytes[place + 2])
                text[index] = alphabet[Int(first >> 2)]
                text[index + 1] = alphabet[Int(first & 3) << 4 | Int(second >> 4)]
                text[index + 2] = alphabet[Int(second & 15) << 2 | Int(third >> 6)]
                text[index + 3] = alphabet[Int(third & 63)]
            }
            var (word, bits, place) = (UInt32(0), 0, whole * 3)
            for index in whole * 4..<count {
                if bits < 6 {
                    word = word << 8 | UInt32(bytes[place])
                    (bits, place) = (bits + 8, place + 1)
                }
                bits -= 6
                text[index] = alphabet[Int(word >> UInt32(bits)) & 63]
            }
        }
    }
}
