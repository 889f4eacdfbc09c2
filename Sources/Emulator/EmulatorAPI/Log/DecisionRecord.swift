import EmulatorAuth
import JSON

extension Decision {
    /// Returns whether `record` would change nothing; a cheap test for successful requests without
    /// a query.
    func standsAsItCame(_ request: EmulatorRequest) -> Bool {
        answer.status == 200 && recorded == nil && answer.contentType == nil
            && !request.target.utf8.contains(UInt8(ascii: "?"))
    }

    /// Returns the recorded form of the request, and of the answer if it differs from the one that
    /// is sent.
    ///
    /// If the body is replaced, the query is omitted, because it may contain secrets, too.
    /// Otherwise, only secret query parameters are masked. The body of a successful request stays
    /// unchanged, because a replay needs it.
    func record(of request: EmulatorRequest) -> (request: EmulatorRequest, answer: [UInt8]?) {
        let isRefused = answer.status != 200
        let target = SecretMask.target(request.target, isRefused: isRefused)
        let hidden = isRefused && recorded == nil ? SecretMask.body(of: request) : nil
        guard target != nil || hidden != nil || recorded != nil else {
            return (request, answer.contentType == nil ? nil : answer.body.compactBytes)
        }
        var stand = request
        stand.target = target ?? request.target
        if let body = recorded.map({ .object($0.body) }) ?? hidden {
            stand = EmulatorRequest(
                method: request.method,
                target: String(RequestTarget(stand.target).path),
                body: body.compactBytes
            )
        }
        let isQuoted =
            target != nil || hidden != nil
            || RecordedExchange.holdsKey(String(decoding: request.body, as: UTF8.self))
        let said = recorded?.answer ?? answer.body
        return (stand, (isRefused && isQuoted ? SecretMask.withoutWords(said) : said).compactBytes)
    }
}
