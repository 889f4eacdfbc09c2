/// The requests for slices, and how long these have to count.
///
/// A slice counts from the begin of its request, and the next one has to arrive before it ends. With a slow network, much
/// of that time is over when a slice arrives: the writer reads the request, then stores its division, and a later request
/// of the worker reads that.
struct SliceAsks: Sendable {
    struct Ask: Hashable, Sendable {
        let begin: Duration
        let validity: Duration
    }

    /// With a slower server, slices end before they arrive.
    private static let longestValidity = Duration.seconds(10)

    /// The number of the last request.
    private(set) var last = 0
    /// The requests whose slices may still count or arrive.
    private var asks: [Int: Ask] = [:]
    /// How long slices should count.
    private var goal = QuotaDivider.validity
    /// The number of slow answers that follow each other.
    private var slowAnswers = 0
    /// The last request whose slice says nothing about the network, because it arrived or a later answer was missing.
    private var measured = 0

    subscript(number: Int) -> Ask? { asks[number] }

    /// Begins a request; returns how long its slice counts.
    ///
    /// The validity sinks slower than time passes, so that slices end in the order of their requests.
    mutating func begin(at now: Duration) -> Duration {
        let before = asks[last].map { $0.validity - (now - $0.begin) / 2 } ?? .zero
        let validity = max(goal, before)
        last += 1
        asks = asks.filter { $0.value.begin + Self.longestValidity > now }
        asks[last] = Ask(begin: now, validity: .milliseconds(Int(validity / .milliseconds(1))))
        return asks[last]?.validity ?? validity
    }

    /// Takes the number of the request whose slice has arrived.
    mutating func receive(_ number: Int, at now: Duration) {
        guard number > measured, let ask = asks[number] else { return }
        measured = number
        let wanted = (now - ask.begin) * 3 / 2 + .milliseconds(500)
        goal = min(Self.longestValidity, max(QuotaDivider.validity, wanted))
    }

    /// Returns whether a server that is too far away must be reported; true once.
    ///
    /// `time`: from a request to its answer. Two of them are longer than a slice is used after an answer.
    mutating func mustReport(_ time: Duration) -> Bool {
        slowAnswers = time * 2 > SliceMeter.longestUse ? slowAnswers + 1 : 0
        return slowAnswers == 5
    }

    /// An answer is missing, so that slices arrive later than with this network.
    mutating func missAnswer() { measured = last }

    /// Forgets the requests of a registration that has ended.
    mutating func forget() { asks = [:] }
}
