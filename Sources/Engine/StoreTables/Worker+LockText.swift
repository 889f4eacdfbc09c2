import JSON
import State
import Time

extension Worker {
    /// One line of JSON.
    package var lockText: String {
        let value: JSONValue = [
            "command": .string(command),
            "user": .string(user),
            "host": .string(host),
            "process": .integer(Int64(processID)),
            "since": .integer(since.secondsSince1970),
        ]
        return value.compactText + "\n"
    }

    /// Nil if the text does not describe a holder, which may be about to write it.
    package init?(lockText: String) {
        guard let value = JSONValue(parsing: lockText),
            let command = value["command"]?.stringValue,
            let user = value["user"]?.stringValue,
            let host = value["host"]?.stringValue,
            let process = value["process"]?.integerValue.flatMap(Int32.init(exactly:)),
            let since = value["since"]?.integerValue
        else { return nil }
        self.init(
            command: command,
            user: user,
            host: host,
            processID: process,
            since: Instant(secondsSince1970: since)
        )
    }
}
