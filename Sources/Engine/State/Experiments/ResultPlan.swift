package import CampaignModel
package import JSON
package import Time

/// What is fixed before the first look at an outcome of a campaign's experiment.
///
/// Intervals hold at every look only if nothing in it is chosen from the data.
package struct ResultPlan: Hashable, Sendable {
    /// What is compared.
    package enum Measure: Hashable, Sendable {
        /// The share of subjects with the outcome; `rate`: expected, above 0 and below 1.
        case share(rate: Double)
        /// The mean value per subject; `deviation`: the expected standard deviation, positive.
        case mean(deviation: Double)
    }

    package let measure: Measure
    /// The smallest difference that matters, in the measure's unit; positive.
    package let smallestDifference: Double
    package let wantsLess: Bool
    /// The number of subjects at the first look.
    package let audience: Int

    package init(
        measure: Measure,
        smallestDifference: Double,
        wantsLess: Bool = false,
        audience: Int
    ) {
        self.measure = measure
        self.smallestDifference = smallestDifference
        self.wantsLess = wantsLess
        self.audience = audience
    }
}

extension ResultPlan {
    package var stored: JSONValue {
        var stored: JSONObject = [
            "smallest_difference": .number(smallestDifference),
            "audience": .integer(Int64(audience)),
        ]
        switch measure {
        case .share(let rate): stored["rate"] = .number(rate)
        case .mean(let deviation): stored["deviation"] = .number(deviation)
        }
        if wantsLess { stored["goal"] = "less" }
        return .object(stored)
    }

    /// Nil if it cannot be read.
    package init?(stored: JSONValue) {
        guard let difference = stored["smallest_difference"]?.doubleValue, difference > 0,
            let audience = stored["audience"]?.integerValue, audience > 0
        else { return nil }
        if let rate = stored["rate"]?.doubleValue {
            guard rate > 0, rate < 1 else { return nil }
            measure = .share(rate: rate)
        } else if let deviation = stored["deviation"]?.doubleValue {
            guard deviation > 0 else { return nil }
            measure = .mean(deviation: deviation)
        } else {
            return nil
        }
        smallestDifference = difference
        wantsLess = stored["goal"]?.stringValue == "less"
        self.audience = Int(audience)
    }
}

/// Names what is looked at: one outcome of a campaign's experiment.
package struct ResultName: Hashable, Sendable {
    package let campaign: CampaignID
    package let experiment: String
    package let outcome: String

    package init(campaign: CampaignID, experiment: String, outcome: String) {
        self.campaign = campaign
        self.experiment = experiment
        self.outcome = outcome
    }
}

/// What one look showed, for the history of the interval.
package struct ResultLook: Hashable, Sendable {
    package let time: Instant
    /// In the form that the reader of looks defines.
    package let content: JSONValue

    package init(time: Instant, content: JSONValue) {
        self.time = time
        self.content = content
    }
}

extension JSONValue {
    /// The value of a number in any spelling; nil for other values.
    package var doubleValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
