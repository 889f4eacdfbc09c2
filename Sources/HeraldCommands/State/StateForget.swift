import ArgumentParser
import CampaignExecution
import CampaignModel
import CampaignReporting
import CampaignState
import FoundationEssentials
import Registrations
import SQLiteStore
import Scheduling

/// `herald state forget`: erases people.
struct StateForget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Erase people from the state.",
        discussion: """
            EXAMPLES
              herald state forget @people.txt
              herald state forget - -e production < people.txt

            Takes registrations or fingerprints, one a line, from a file or from standard input: \
            never as arguments, because a registration is a secret. They are erased from \
            memberships, stored lists, dead registrations and the notes of runs; what was still to \
            be sent to them is suppressed. Counts stay. Names nobody, and says what it can't reach.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "Seconds to wait for another run that is writing this state.")
    var lockTimeout = 60

    @Argument(help: "@FILE, or - for standard input.")
    var people: String

    func validate() throws {
        guard (0...86_400).contains(lockTimeout) else {
            throw ValidationError("a time-out is from 0 to 86400 seconds")
        }
        guard people == "-" || people.hasPrefix("@") && people.count > 1 else {
            throw ValidationError("people are given as @FILE or -, never as arguments")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            let store = try state.openOrFail()
            defer { state.pipeline.noteSerial(of: store) }
            let key = try stating { () throws(StateStoreError) in
                try store.identity().fingerprintKey
            }
            let fingerprinter = Fingerprinter(key: key)
            let people = try PeopleFile(people).people(fingerprinter)
            let now = state.pipeline.surroundings.clock.now()
            let worker = Worker.this(
                command: "herald state forget",
                since: now,
                origin: .of(options.directory, try Surroundings.current().variables)
            )
            do throws(StateStoreError) {
                try await store.lock(for: worker, waiting: .seconds(lockTimeout))
            } catch {
                if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
                throw CommandFailure(ErrorText(error))
            }
            defer { store.unlock() }
            let report = try stating { () throws(StateStoreError) in
                try forget(people, store, fingerprinter, worker)
            }
            StateDraft.removeStale(beside: state.path)
            let view = ForgetTextView(copies: state.copies())
            Output.data(view.render(report, of: people))
            let isSwept = try stating { () throws(StateStoreError) in try store.sweep() }
            if !isSwept { Output.message(view.unswept) }
        }
    }

    /// What an earlier run left open is unknown before anything else is.
    private func forget(
        _ people: ForgottenPeople,
        _ store: SQLiteStore,
        _ fingerprinter: Fingerprinter,
        _ worker: Worker
    ) throws(StateStoreError) -> ForgetReport {
        let ledger = Ledger(store: store, fingerprinter: fingerprinter)
        _ = try ledger.settleAfterCrash(by: worker)
        let run = try store.beginRun(worker)
        let report = try store.forget(people, in: run, fingerprint: fingerprinter.fingerprint(of:))
        var total = OutcomeTally()
        for occurrence in Set(report.suppressed.keys).union(report.dropped.keys).sorted() {
            var tally = OutcomeTally()
            tally[.suppressed] = report.suppressed[occurrence] ?? 0
            tally[.cancelled] = report.dropped[occurrence] ?? 0
            try store.record(RunSending(occurrence: occurrence, tally: tally), in: run)
            total = total + tally
        }
        try store.finishRun(
            run,
            status: .complete,
            tally: total,
            cause: "people were erased",
            at: worker.since
        )
        return report
    }
}

extension EnvironmentState {
    /// The files beside the state that were kept when something else took its place, or left by a
    /// command that was killed.
    func copies() -> [String] {
        let folder = pipeline.options.directory + "/" + Pipeline.stateFolder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(isCopy).sorted()
    }

    private func isCopy(_ name: String) -> Bool {
        ["damaged", "replaced", "lost", "new"].contains {
            name.hasPrefix("\(environment).sqlite.\($0)-")
        }
    }
}

/// Registrations or fingerprints, one a line.
private struct PeopleFile {
    /// Nil for standard input.
    private let path: String?

    /// - Parameter argument: `@FILE` or `-`.
    init(_ argument: String) {
        path = argument == "-" ? nil : String(argument.dropFirst())
    }

    private var name: String { path.map(TextStyle.safe) ?? "standard input" }

    func people(_ fingerprinter: Fingerprinter) throws(CommandFailure) -> ForgottenPeople {
        var fingerprints: Set<Fingerprint> = []
        var short: Set<UInt64> = []
        for (number, line) in try lines().enumerated() {
            let text = line.trimmed
            guard !text.isEmpty else { continue }
            if let half = Self.fingerprint(text) {
                short.insert(half)
            } else if let registration = Registration(text) {
                fingerprints.insert(fingerprinter.fingerprint(of: registration))
            } else {
                throw CommandFailure(
                    "line \(number + 1) of \(name) is neither a registration nor a fingerprint",
                    help: "nothing was changed; write one a line",
                    exit: .usage
                )
            }
        }
        guard !fingerprints.isEmpty || !short.isEmpty else {
            throw CommandFailure("\(name) names nobody", exit: .usage)
        }
        return ForgottenPeople(fingerprints: fingerprints, short: short)
    }

    private func lines() throws(CommandFailure) -> [Substring] {
        guard let path else {
            var lines: [Substring] = []
            while let line = readLine() { lines.append(line[...]) }
            return lines
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandFailure("\(name) can't be read", exit: .usage)
        }
        return String(decoding: data, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The short form, as everything shows it.
    private static func fingerprint(_ text: String) -> UInt64? {
        let isShort =
            text.utf8.count == 16
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isShort ? UInt64(text, radix: 16) : nil
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let blanks: Set<Character> = [" ", "\t", "\r", "\u{FEFF}"]
        let start = drop { blanks.contains($0) }
        return String(start.reversed().drop { blanks.contains($0) }.reversed())
    }
}
