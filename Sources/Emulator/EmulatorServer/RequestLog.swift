import DeliveryModel
import JSON

import Glibc

/// A line of the log as it is read again.
struct LoggedRequest {
    let sequence: Int
    let moment: DeliveryMoment
    let request: EmulatorRequest
    let status: Int64
    /// What was done to it by a script.
    let fault: FaultRecord.Effect?
}

/// The record of every request, `requests.ndjson`: appended with write(2) before the answer goes
/// out, so that what a client was told is on record whatever becomes of the process.
///
/// The lines are numbered from 1 without gaps. Lines that were entered are written together by
/// `commit`.
struct RequestLog: ~Copyable {
    enum Failure: Error {
        case unwritable(errno: Int32)
    }

    private let descriptor: Int32
    private var index = LineIndex()
    /// Where the next line is written.
    private var end = 0
    /// Nothing may follow: a line that could not be written could not be removed either.
    private var isTorn = false
    private var waiting = JSONWriter(layout: .compact)
    /// Where the waiting lines begin among themselves.
    private var starts: [Int] = []
    private(set) var recent = RecentRequests()
    private var clockFace = (moment: DeliveryMoment(milliseconds: 0), text: "")

    /// The number of the last line, written or waiting.
    var lastSequence: Int { index.count + starts.count }

    var waitingBytes: Int { waiting.bytes.count }

    /// Takes over a descriptor that is open for appending to an empty file.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Adds a line to those that wait; `recorded` stands in for an answer that holds a secret or
    /// is no JSON.
    mutating func enter(
        _ request: EmulatorRequest,
        answer: RenderedAnswer,
        as recorded: [UInt8]? = nil,
        at moment: DeliveryMoment
    ) {
        let sequence = lastSequence + 1
        starts.append(waiting.bytes.count)
        if clockFace.text.isEmpty || clockFace.moment != moment {
            clockFace = (moment, moment.rfc3339)
        }
        waiting.writeLine(sequence, clockFace.text, request, answer, recorded)
        recent.append(
            RecentRequests.Element(
                sequence: sequence,
                moment: moment,
                method: request.method,
                target: request.target,
                status: answer.loggedStatus
            )
        )
    }

    /// Writes the lines that wait; where that fails, none of them was entered.
    mutating func commit() throws(Failure) {
        guard !starts.isEmpty else { return }
        defer { forgetWaiting() }
        guard !isTorn else {
            recent.forget(after: index.count)
            throw .unwritable(errno: EIO)
        }
        if let problem = write(waiting.bytes) {
            recent.forget(after: index.count)
            isTorn = ftruncate(descriptor, off_t(end)) != 0
            throw .unwritable(errno: problem)
        }
        for start in starts { index.append(start: end + start) }
        end += waiting.bytes.count
    }

    /// Takes nothing more.
    mutating func refuseAll() { isTorn = true }

    private mutating func forgetWaiting() {
        starts.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingUpTo: 1_048_576)
    }

    private func write(_ line: [UInt8]) -> Int32? {
        line.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return count < 0 ? errno : ENOSPC }
                done += count
            }
            return nil
        }
    }
}

extension JSONWriter {
    fileprivate mutating func writeLine(
        _ sequence: Int,
        _ time: String,
        _ request: EmulatorRequest,
        _ answer: RenderedAnswer,
        _ recorded: [UInt8]?
    ) {
        append(json: "{\"seq\":")
        append(json: String(sequence))
        append(json: ",\"time\":\"")
        append(json: time)
        append(json: "\",\"method\":")
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

    /// The body itself where it is JSON, on one line: a line break in JSON is white space.
    ///
    /// Any other body as a string.
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
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, 0x0A, bytes.count) != nil
                || memchr(start, 0x0D, bytes.count) != nil
        }
    }
}

extension RequestLog {
    /// Opens the log in a directory, hands every recorded request to `replay`, and cuts off a
    /// last line that was not written whole.
    static func reopened(
        at path: String,
        replay: (LoggedRequest) -> Void
    ) throws(EmulatorError) -> RequestLog {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unusable(path, errno) }
        var log = RequestLog(descriptor: descriptor)
        var reader = LineReader(descriptor: descriptor)
        while let line = try reader.nextLine() {
            let sequence = log.lastSequence + 1
            guard let logged = LoggedRequest(line: line), logged.sequence == sequence else {
                throw .damagedLog(line: sequence)
            }
            replay(logged)
            log.recent.append(RecentRequests.Element(logged))
            log.index.append(start: log.end)
            log.end += line.count + 1
        }
        guard reader.isAtLineEnd || ftruncate(descriptor, off_t(log.end)) == 0 else {
            throw .unusable(path, errno)
        }
        return log
    }

    /// What is written, to be read while more is; nil where that can't be.
    var lines: RecordedLines? { RecordedLines(of: descriptor, index: index, end: end) }
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
        // The body lies deeper in the line than it did in the request.
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
        fault = value["fault"].flatMap { FaultRecord.Effect($0) }
        // An answer of success says that the request was authorized.
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
