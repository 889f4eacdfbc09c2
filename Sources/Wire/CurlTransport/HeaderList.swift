internal import CLibCurl
internal import HTTPTransport

/// The header lines of a request in libcurl's form; freed at the end.
@safe struct HeaderList: ~Copyable {
    /// For `EasyHandle` only.
    ///
    /// Nil if the list is empty.
    @unsafe private(set) var unsafeList: UnsafeMutablePointer<curl_slist>?

    /// Rejects characters that would end a header line early and allow header injection.
    init(_ headers: [HTTPHeader]) throws(TransportError) {
        for header in headers {
            try Self.check(header)
            // libcurl treats "Name:" as an order to omit the header, and "Name;" as an empty
            // header.
            try append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        // With a larger body, libcurl would add "Expect: 100-continue" and a wrong content type.
        try append("Expect:")
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            try append("Content-Type:")
        }
    }

    deinit {
        unsafe herald_curl_slist_free_all(unsafeList)
    }

    private mutating func append(_ line: String) throws(TransportError) {
        guard let list = unsafe herald_curl_slist_append(unsafeList, line) else {
            throw .notSent(.other, detail: "libcurl could not allocate a header")
        }
        unsafe unsafeList = unsafe list
    }

    /// Throws if the header would not remain a single header.
    static func check(_ header: HTTPHeader) throws(TransportError) {
        guard isName(header.name), isValue(header.value) else {
            throw .notSent(
                .other,
                detail: "the header \(header.name.debugDescription) is not valid"
            )
        }
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: ":") && byte != UInt8(ascii: ";")
            }
    }

    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }
}
