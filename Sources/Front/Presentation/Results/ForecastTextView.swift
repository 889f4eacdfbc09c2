package import CampaignModel
package import Experiments
import JSON
import State

/// Explains what an experiment can detect.
package struct ForecastTextView: Sendable {
    private let style: TextStyle
    private let isByPerson: Bool

    /// `isByPerson`: whether the list names the people of its registrations.
    package init(style: TextStyle, isByPerson: Bool) {
        self.style = style
        self.isByPerson = isByPerson
    }

    package func render(_ forecast: ExperimentForecast) -> String {
        let numbers = ResultNumbers(.share(rate: forecast.rate))
        var lines = [
            style.paint("\(forecast.campaign)", in: .strong),
            "  Expected: \(numbers.value(forecast.rate)) of \(forecast.control.label) have the "
                + "outcome, and all outcomes arrive within \(forecast.days.counting("day")).",
            "  \(forecast.control.label): about \(size(forecast.controlSubjects))",
        ]
        for comparison in forecast.comparisons {
            lines.append("  \(comparison.arm.label): about \(size(comparison.subjects))")
            guard let detectable = comparison.detectable else {
                lines.append(
                    "    No difference can be found: the arms are too small. Enlarge them."
                )
                continue
            }
            lines.append(
                "    Differences from \(numbers.difference(detectable)) on are found in 8 of 10 "
                    + "experiments."
            )
            for (difference, day) in comparison.days {
                guard let day else { continue }
                lines.append("    \(numbers.difference(difference)): by day \(day)")
            }
        }
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func size(_ count: Int) -> String {
        isByPerson ? count.counting("person", plural: "people") : count.counting("registration")
    }
}

/// Renders what an experiment can detect as JSON.
package struct ForecastJSONView: Sendable {
    package init() {}

    package func render(_ forecast: ExperimentForecast) -> String {
        let comparisons = forecast.comparisons.map { comparison -> JSONValue in
            var content: JSONObject = [
                "arm": .string(comparison.arm.label),
                "subjects": .integer(Int64(comparison.subjects)),
            ]
            content["detectable_difference"] = comparison.detectable.map(JSONValue.number)
            content["days"] = .array(
                comparison.days.map { difference, day in
                    var one: JSONObject = ["difference": .number(difference)]
                    one["day"] = day.map { .integer(Int64($0)) }
                    return .object(one)
                }
            )
            return .object(content)
        }
        let content: JSONValue = [
            "campaign": .string(forecast.campaign.rawValue), "baseline": .number(forecast.rate),
            "days": .integer(Int64(forecast.days)),
            "control": .string(forecast.control.label),
            "control_subjects": .integer(Int64(forecast.controlSubjects)),
            "comparisons": .array(comparisons),
        ]
        return content.prettyText + "\n"
    }
}

extension ErrorText {
    package static func noForecast(_ campaign: CampaignID) -> ErrorText {
        ErrorText(
            "campaign \(campaign) compares nothing, or its list is too short or was not read",
            help: "give it `variants` or a `holdout`, and a list with at least two people (without "
                + "`identity`: registrations) per arm"
        )
    }
}
