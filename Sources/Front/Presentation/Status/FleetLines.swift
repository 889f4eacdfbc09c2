import Applying
import CampaignModel
import State

/// Lines of the status about the workers of a fleet and what they send.
struct FleetLines {
    let style: TextStyle
    let hint: CommandHint

    /// A table with a line for each worker; empty if there is none.
    func table(of workers: [WorkerOverview]) -> [String] {
        guard !workers.isEmpty else { return [] }
        let titles = ["host", "process", "units", "beat", "sends/min", "permits"]
        let rows = workers.map { worker in
            [
                TextStyle.safe(worker.host), String(worker.processID), worker.units.grouped,
                MomentWording.length(worker.silence), worker.sendsPerMinute.grouped,
                worker.permits.grouped,
            ]
        }
        var widths = titles.indices.map { column in
            ([titles] + rows).map { TextStyle.columns(of: $0[column]) }.max() ?? 0
        }
        widths[0] = hostWidth(widths)
        let head = style.paint(line(titles, widths), in: .faint)
        let lines = zip(workers, rows).map { worker, row in
            let notes = notes(on: worker).joined(separator: "; ")
            let end = notes.isEmpty ? "" : "  " + style.paint(notes, in: .attention)
            return line(row, widths) + end
        }
        return [head] + lines + [sum(of: workers)]
    }

    /// The end of a host's name tells machines apart, so that its beginning is cut.
    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let numbers = zip(cells, widths).dropFirst().map { cell, width in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }
        var host = cells[0]
        if host.count > widths[0] { host = "…" + host.suffix(widths[0] - 1) }
        return "  " + ([host.padded(to: widths[0])] + numbers).joined(separator: "  ")
    }

    /// At most so much that a line without notes fits.
    private func hostWidth(_ widths: [Int]) -> Int {
        guard let columns = style.width.records else { return widths[0] }
        let rest = widths.dropFirst().reduce(2) { $0 + $1 + 2 }
        return min(widths[0], max(12, columns - rest))
    }

    private func notes(on worker: WorkerOverview) -> [String] {
        var notes: [String] = []
        if worker.isLeaseOver {
            notes.append("lease ended")
        } else if worker.isSilent {
            notes.append("no recent beat")
        }
        if worker.timeline == .awaited { notes.append("timeline not confirmed") }
        if worker.isOfOtherFormat { notes.append("format \(worker.format)") }
        return notes
    }

    private func sum(of workers: [WorkerOverview]) -> String {
        let live = workers.filter { !$0.isLeaseOver }
        let sends = live.reduce(0) { $0 + $1.sendsPerMinute }
        return "  \(live.count.counting("worker")): \(sends.grouped) sends per minute allowed"
    }

    /// What the fleet does with an occurrence.
    ///
    /// `rate`: requests per minute; nil if it is not measured.
    func lines(
        of occurrence: EntrustedOccurrence,
        named id: OccurrenceID,
        rate: Int?
    ) -> [String] {
        let part = "\(occurrence.sent.grouped) of \(occurrence.sendable.grouped)"
        let speed = rate.map { ", \($0.grouped) per minute" } ?? ""
        let sending =
            occurrence.workers > 0
            ? "sending: \(part) by \(occurrence.workers.counting("worker"))\(speed)"
            : "waiting for a worker: \(part) sent"
        return [sending] + stops(of: occurrence, named: id)
    }

    private func stops(
        of occurrence: EntrustedOccurrence,
        named id: OccurrenceID
    ) -> [String] {
        var lines: [String] = []
        if let problem = occurrence.problem {
            lines.append(style.paint("problem:", in: .bad) + " " + TextStyle.line(problem))
        }
        if occurrence.isHeld {
            let hold = Hold.lostWorker
            lines += [
                style.paint("held:", in: .bad) + " " + hold.wording, hold.wayOut(hint, for: id),
            ]
        } else if occurrence.isRecalled {
            lines.append("recalled: workers give it back to the service")
        }
        return lines
    }

    /// Names the requests that two workers may have sent.
    func lines(of doubled: [DoubledRequests]) -> [String] {
        guard !doubled.isEmpty else { return [] }
        let title = "Possibly sent by two workers after a failover: may have arrived twice"
        return [style.paint(title, in: .attention)]
            + doubled.map { requests in
                "  \(TextStyle.safe(requests.occurrence.description))  "
                    + requests.count.counting("request")
            }
    }
}
