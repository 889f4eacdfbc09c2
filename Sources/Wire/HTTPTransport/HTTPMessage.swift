/// A complete HTTP request.
package struct HTTPRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package let method: Method
    /// The absolute URL, scheme included.
    package let url: String
    package let headers: [HTTPHeader]
    package let body: [UInt8]
    /// Covers the time from handing over the request to the last byte of its answer.
    package let timeLimit: Duration

    package init(
        method: Method,
        url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8] = [],
        timeLimit: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeLimit = timeLimit
    }

    /// Returns the same request with another body.
    package func with(body: [UInt8]) -> HTTPRequest {
        HTTPRequest(method: method, url: url, headers: headers, body: body, timeLimit: timeLimit)
    }
}

/// A header field of a request or an answer.
package struct HTTPHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A server's answer of any status.
package struct HTTPAnswer: Hashable, Sendable {
    package enum Version: String, Sendable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    package let status: Int
    package let headers: [HTTPHeader]
    package let body: [UInt8]
    package let version: Version

    package init(
        status: Int,
        headers: [HTTPHeader] = [],
        body: [UInt8] = [],
        version: Version = .http1
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.version = version
    }

    /// Returns the first header with this name, ignoring case.
    package func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
