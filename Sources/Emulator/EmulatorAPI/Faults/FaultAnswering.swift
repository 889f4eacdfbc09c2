import DeliveryModel
import JSON

extension FaultAnswer {
    var status: Int {
        switch content {
        case .named(let error): error.httpStatus
        case .written(let status, _, _): status
        }
    }

    /// Renders the answer.
    ///
    /// `wait` is the number of milliseconds until the quota is available again; it determines
    /// Retry-After unless the script sets that field.
    func rendered(
        for subject: FaultSubject,
        wait: Int64?,
        at now: DeliveryMoment
    ) -> RenderedAnswer {
        var answer: RenderedAnswer
        switch content {
        case .named(let error):
            let body = error.body(for: subject)
            answer = RenderedAnswer(status: error.httpStatus, bytes: body.compactBytes)
            if error == .expiredToken {
                let challenge =
                    #"Bearer realm="https://accounts.google.com/", error="invalid_token""#
                answer.headers.append((name: "www-authenticate", value: challenge))
            }
        case .written(let status, let bytes, let contentType):
            answer = RenderedAnswer(status: status, bytes: bytes)
            if let contentType { answer.contentType = contentType }
        }
        answer.headers += headerFields(wait: wait, at: now)
        return answer
    }

    /// Returns Retry-After and the header fields of the script.
    func headerFields(
        wait: Int64?,
        at now: DeliveryMoment
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let value = retryAfterValue(wait: wait, at: now) {
            fields.append(("retry-after", value))
        }
        // A date needs the server's current time for comparison.
        if case .date? = retryAfter(wait: wait) { fields.append(("date", now.httpDate)) }
        return fields + headers
    }

    /// Describes the answer; `error` replaces the status.
    func description(wait: Int64?, error: String?) -> String {
        var text = error ?? String(status)
        if error == nil, case .named(let error) = content { text += " \(error.rawValue)" }
        switch retryAfter(wait: wait) {
        case .seconds(let seconds)?: return text + ", retry-after \(seconds) s"
        case .date(let seconds)?: return text + ", retry-after as a date in \(seconds) s"
        case nil: return text
        }
    }

    private func retryAfter(wait: Int64?) -> RetryAfter? {
        retryAfter ?? wait.map { .seconds(max(1, ($0 + 999) / 1_000)) }
    }

    private func retryAfterValue(wait: Int64?, at now: DeliveryMoment) -> String? {
        switch retryAfter(wait: wait) {
        case .seconds(let seconds)?: String(seconds)
        case .date(let seconds)?: now.advanced(bySeconds: seconds).httpDate
        case nil: nil
        }
    }
}

extension DeliveryMoment {
    /// The time as an HTTP date, such as `Fri, 20 Mar 2037 07:30:00 GMT` (RFC 9110, section 5.6.7).
    var httpDate: String {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let parts = rfc3339.split { "-T.Z".contains($0) }
        let day = Int((milliseconds / 86_400_000) % 7)
        let month = (Int(parts[1]) ?? 1) - 1
        return "\(weekdays[day]), \(parts[2]) \(months[month]) \(parts[0]) \(parts[3]) GMT"
    }
}
