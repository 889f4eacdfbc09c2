import DeliveryModel
import JSON
import SystemIO

/// A parsed line of the log.
struct LoggedRequest {
    let sequence: Int
    let moment: DeliveryMoment
    let request: EmulatorRequest
    /// Empty for the default project.
    let project: String
    let status: Int64
    /// The effect of a fault script on the request.
    let fault: FaultRecord.Effect?
}

/// A request and its answer, as they are recorded.
struct LoggedExchange {
    let request: EmulatorRequest
    let answer: RenderedAnswer
    /// Replaces an answer that has a secret or is not JSON.
    var recorded: [UInt8]?
    var headers: (@Sendable () -> [(name: String, value: String)])?
}

/// The record of every request, `requests.ndjson`.
///
/// Lines are appended with write(2) before the answer is sent, so every answer that a client
/// received is recorded even if the process crashes. Lines are numbered from 1 without gaps.
/// `commit` writes all entered lines together.
package struct RequestLog: ~Copyable {
    enum Failure: Error {
        case unwritable(SystemError)
    }

    private let file: File
    private var index = LineIndex()
    /// The file offset of the next line.
    private var end = 0
    /// Whether a partial line could be neither completed nor removed, so that nothing may follow.
    private var isTorn = false
    private var waiting = JSONWriter(layout: .compact)
    /// The offsets of the waiting lines in `waiting`.
    private var starts: [Int] = []
    /// The newest lines of each project; the default project's ID is empty.
    private var recents: [String: RecentRequests] = [:]
    private var clockFace = (moment: DeliveryMoment(milliseconds: 0), text: "")

    /// The number of the last line, written or waiting.
    package var lastSequence: Int { index.count + starts.count }

    var waitingBytes: Int { waiting.bytes.count }

    /// Takes ownership of a descriptor that is open for appending to an empty file.
    init(descriptor: Int32) {
        file = File(owning: descriptor)
    }

    private init(file: consuming File) {
        self.file = file
    }

    /// The newest lines of a project.
    package func recent(of project: String) -> RecentRequests {
        recents[project] ?? RecentRequests()
    }

    mutating func forget(project: String) { recents[project] = nil }

    /// Enters a line for the next `commit`; `recorded` replaces an answer that has a secret or is
    /// not JSON.
    mutating func enter(
        _ exchange: LoggedExchange,
        of project: String,
        at moment: DeliveryMoment
    ) {
        let (request, answer) = (exchange.request, exchange.answer)
        let sequence = lastSequence + 1
        starts.append(waiting.bytes.count)
        if clockFace.text.isEmpty || clockFace.moment != moment {
            clockFace = (moment, moment.rfc3339)
        }
        waiting.writeHead(sequence: sequence, time: clockFace.text, project: project)
        waiting.writeExchange(request, answer: answer, recorded: exchange.recorded)
        recents[project, default: RecentRequests()].append(
            RecentRequests.Element(
                sequence: sequence,
                moment: moment,
                method: request.method,
                target: request.target,
                status: answer.loggedStatus,
                headers: exchange.headers
            )
        )
    }

    /// Writes the waiting lines; if this fails, no line is recorded.
    mutating func commit() throws(Failure) {
        guard !starts.isEmpty else { return }
        defer { forgetWaiting() }
        guard !isTorn else {
            forgetUnwritten()
            throw .unwritable(.inputOutput)
        }
        do throws(SystemError) {
            try file.write(waiting.bytes)
        } catch {
            forgetUnwritten()
            isTorn = (try? file.truncate(to: end)) == nil
            throw .unwritable(error)
        }
        for start in starts { index.append(start: end + start) }
        end += waiting.bytes.count
    }

    private mutating func forgetUnwritten() {
        for project in recents.keys { recents[project]?.forget(after: index.count) }
    }

    /// Refuses all further lines.
    mutating func refuseAll() { isTorn = true }

    private mutating func forgetWaiting() {
        starts.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingUpTo: 1_048_576)
    }
}

extension JSONWriter {
    /// Writes the start of a line, up to the request.
    fileprivate mutating func writeHead(sequence: Int, time: String, project: String) {
        append(json: "{\"seq\":")
        append(json: String(sequence))
        append(json: ",\"time\":\"")
        append(json: time)
        append(json: "\",")
        guard !project.isEmpty else { return }
        append(json: "\"project\":")
        write(project)
        append(json: ",")
    }

    /// Writes the rest of a line.
    fileprivate mutating func writeExchange(
        _ request: EmulatorRequest,
        answer: RenderedAnswer,
        recorded: [UInt8]?
    ) {
        append(json: "\"method\":")
        write(request.method)
        append(json: ",\"path\":")
        write(request.target)
        if let project = request.projectID {
            append(json: ",\"project_id\":")
            write(project)
        }
        append(json: ",\"body\":")
        writeBody(of: request)
        append(json: ",\"status\":")
        append(json: String(answer.loggedStatus))
        append(json: ",\"answer\":")
        let isReplaced = answer.fault?.replacesAnswer == true
        append(json: isReplaced ? answer.loggedBytes : recorded ?? answer.loggedBytes)
        if let fault = answer.fault {
            append(json: ",\"fault\":")
            append(json: fault.bytes)
        }
        append(json: "}\n")
    }

    /// Writes a JSON body as one line, which is possible because line breaks in JSON are white
    /// space.
    ///
    /// Writes any other body as a string.
    fileprivate mutating func writeBody(of request: EmulatorRequest) {
        guard request.json != nil else {
            return write(String(decoding: request.body, as: UTF8.self))
        }
        if request.body.hasLineBreak {
            append(json: request.body.map { $0.isLineBreak ? 0x20 : $0 })
        } else {
            append(json: request.body)
        }
    }
}

extension [UInt8] {
    fileprivate var hasLineBreak: Bool {
        withUnsafeBytes { bytes in
            bytes.offset(of: 0x0A) != nil || bytes.offset(of: 0x0D) != nil
        }
    }
}

extension RequestLog {
    /// Opens the log, passes every recorded request to `replay`, and truncates an incomplete last
    /// line.
    static func reopened(
        at path: String,
        replay: (LoggedRequest) -> Void
    ) throws(EmulatorError) -> RequestLog {
        let file: File
        do throws(SystemError) {
            file = try File(
                path,
                for: .readingAndWriting,
                options: [.appending, .creating, .refusingLinks, .withoutWaiting]
            )
        } catch {
            throw .unusable(path, error: error)
        }
        guard let status = try? file.status(), status.isFile else {
            throw .unusable(path, error: .notSupported)
        }
        var log = RequestLog(file: file)
        var lines = LogLines()
        while let line = try lines.next(in: log.file) {
            let sequence = log.lastSequence + 1
            guard let logged = LoggedRequest(line: line), logged.sequence == sequence else {
                throw .damagedLog(line: sequence)
            }
            replay(logged)
            log.recents[logged.project, default: RecentRequests()]
                .append(RecentRequests.Element(logged))
            log.index.append(start: log.end)
            log.end += line.count + 1
        }
        guard lines.isTorn else { return log }
        do throws(SystemError) {
            try log.file.truncate(to: log.end)
        } catch {
            throw .unusable(path, error: error)
        }
        return log
    }

    /// A view of the written lines, which is readable during later writes, or nil if it cannot be
    /// created.
    var lines: RecordedLines? { RecordedLines(of: file, index: index, end: end) }
}

extension RecentRequests.Element {
    fileprivate init(_ logged: LoggedRequest) {
        self.init(
            sequence: logged.sequence,
            moment: logged.moment,
            method: logged.request.method,
            target: logged.request.target,
            status: Int(logged.status)
        )
    }
}

extension LoggedRequest {
    init?(line: [UInt8]) {
        // The body is nested deeper in the line than in the request.
        let depthLimit = JSONValue.depthLimit + 2
        guard let value = JSONValue(parsing: line, depthLimit: depthLimit),
            let sequence = value["seq"]?.integerValue,
            let moment = value["time"]?.stringValue.flatMap({ DeliveryMoment(rfc3339: $0) }),
            let method = value["method"]?.stringValue, let target = value["path"]?.stringValue,
            let body = value["body"], let status = value["status"]?.integerValue
        else { return nil }
        self.sequence = Int(sequence)
        self.moment = moment
        self.status = status
        project = value["project"]?.stringValue ?? ""
        fault = value["fault"].flatMap { FaultRecord.Effect($0) }
        // A successful answer implies that the request was authorized.
        request = EmulatorRequest(
            method: method,
            target: target,
            authorization: "Bearer replay",
            projectID: value["project_id"]?.stringValue,
            json: body
        )
    }
}

extension UInt8 {
    fileprivate var isLineBreak: Bool { self == 0x0A || self == 0x0D }
}
