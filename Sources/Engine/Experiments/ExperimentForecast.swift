package import CampaignModel
package import State
import Statistics

/// What an experiment can detect, before it is sent.
package struct ExperimentForecast: Sendable {
    package struct Comparison: Sendable {
        package let arm: ExperimentRecord.Kind
        /// The expected number of subjects.
        package let subjects: Int
        /// The smallest difference that is found with a probability of 80 %; nil if none is.
        package let detectable: Double?
        /// The first day by which a difference is found with a probability of 80 %.
        package let days: [(difference: Double, day: Int?)]
    }

    package let campaign: CampaignID
    package let control: ExperimentRecord.Kind
    package let controlSubjects: Int
    package let comparisons: [Comparison]
    package let rate: Double
    /// In how many days the outcomes arrive.
    package let days: Int

    /// The expected course of an experiment.
    package struct Course: Hashable, Sendable {
        /// The expected share of the control with the outcome, above 0 and below 1.
        package let rate: Double
        package let days: Int

        package init(rate: Double, days: Int) {
            self.rate = rate
            self.days = days
        }
    }

    /// `audience`: the number of subjects of the list.
    ///
    /// Nil if fewer than two arms get at least two subjects.
    package init?(of campaign: CampaignID, design: ExperimentDesign, audience: Int, course: Course)
    {
        let compared = Int((Double(audience) * design.comparedShare).rounded())
        let record = ExperimentRecord(design)
        let total = record.arms.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        let arms = record.arms.filter { $0.weight > 0 }.map { arm in
            (kind: arm.kind, subjects: compared * arm.weight / total)
        }
        guard arms.count > 1, arms.allSatisfy({ $0.subjects > 1 }) else { return nil }
        self.campaign = campaign
        control = arms[0].kind
        controlSubjects = arms[0].subjects
        rate = course.rate
        days = course.days
        comparisons = arms.dropFirst().map { arm in
            let forecast = Forecast(
                .rate(course.rate),
                sizes: Forecast.Sizes(
                    control: arms[0].subjects,
                    treatment: arm.subjects,
                    days: course.days
                ),
                level: Forecast.Level(comparisons: arms.count - 1)
            )
            let detectable = forecast.detectableDifference
            let differences = [1, 1.5, 2].compactMap { factor in
                detectable.map { $0 * factor }
            }.filter { course.rate + $0 < 1 }
            return Comparison(
                arm: arm.kind,
                subjects: arm.subjects,
                detectable: detectable,
                days: differences.map { ($0, forecast.days(toDetect: $0)) }
            )
        }
    }
}

extension ExperimentDesign {
    /// The share of people that the project does not hold out.
    fileprivate var comparedShare: Double { 1 - Double(globalHoldOut.basisPoints) / 10_000 }
}
