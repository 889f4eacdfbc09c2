package import CampaignModel
import Crypto

/// Assigns subjects to the arms of an experiment.
///
/// The hash is SHA-256 over the UTF-8 texts of project, experiment and subject, joined by NUL bytes. Its first 8
/// bytes, big endian, divided by 2^64, are a point from 0 to below 1. The hold-out and the variants, in the order of
/// the file, have consecutive ranges; weights divide what the hold-out leaves.
package struct ExperimentAssignment: Sendable {
    private let points: SubjectPoints
    private let globalPoints: SubjectPoints
    private let holdOut: PointRange
    private let globalHoldOut: PointRange
    /// The end of each variant's range.
    private let variants: [PointRange]

    package init(_ design: ExperimentDesign) {
        points = SubjectPoints(project: design.project, experiment: design.name)
        globalPoints = SubjectPoints(
            project: design.project,
            experiment: ExperimentDesign.globalName
        )
        holdOut = PointRange(design.holdOut)
        globalHoldOut = PointRange(design.globalHoldOut)
        let sum = design.variants.reduce(0) { $0 + $1.weight }
        var before = 0
        var ends: [PointRange] = []
        for variant in design.variants {
            before += variant.weight
            let (held, whole) = (design.holdOut.basisPoints, 10_000)
            ends.append(
                PointRange(held * sum + (whole - held) * before, of: whole * max(1, sum))
            )
        }
        variants = ends
    }

    /// Returns the arm of a subject: an identity, or the text of a registration.
    package func arm(of subject: String) -> ExperimentArm {
        if !globalHoldOut.isEmpty, globalHoldOut.contains(globalPoints.point(of: subject)) {
            return .heldOutGlobally
        }
        guard !holdOut.isEmpty || !variants.isEmpty else { return .own }
        let point = points.point(of: subject)
        if holdOut.contains(point) { return .heldOut }
        guard !variants.isEmpty else { return .own }
        return .variant(variants.firstIndex { $0.contains(point) } ?? variants.count - 1)
    }
}

/// The points of the subjects of one experiment.
package struct SubjectPoints: Sendable {
    /// With the project and the experiment.
    private let beginning: SHA256

    package init(project: ProjectID, experiment: String) {
        var beginning = SHA256()
        beginning.update(data: Array("\(project.rawValue)\0\(experiment)\0".utf8))
        self.beginning = beginning
    }

    /// Returns the point of a subject, in units of 2^-64.
    package func point(of subject: String) -> UInt64 {
        var hash = beginning
        var subject = subject
        subject.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hash.finalize().withUnsafeBytes { bytes in
            UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        }
    }
}

/// The points below an end, which is a fraction.
package struct PointRange: Hashable, Sendable {
    /// Nil for all points.
    private let end: UInt64?

    /// `part`: not negative, at most `whole`.
    package init(_ part: Int, of whole: Int) {
        guard part < whole else {
            end = nil
            return
        }
        let divided = UInt64(whole).dividingFullWidth((UInt64(part), 0))
        end = divided.remainder > 0 ? divided.quotient + 1 : divided.quotient
    }

    package init(_ share: Percentage) { self.init(share.basisPoints, of: 10_000) }

    /// `end`: nil for all points.
    package init(below end: UInt64?) {
        self.end = end
    }

    package var isEmpty: Bool { end == 0 }

    package func contains(_ point: UInt64) -> Bool { end.map { point < $0 } ?? true }
}
