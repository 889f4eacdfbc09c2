import ArgumentParser
import CampaignLoading
import CampaignMessages
import CampaignModel
import Experiments
import FoundationEssentials
import Presentation
import RegistrationLists

/// The options of `herald explain` for campaigns.
struct ForecastOptions: ParsableArguments {
    @Option(help: "Expected share of the control with the outcome. (default: 5%)")
    var baseline: ShareOrAmount?

    @Option(help: "Days in which the outcomes arrive. (default: 7)")
    var days: Int?

    /// The days if none are named: most people react to a message within a week.
    private static let usualDays = 7

    func validate() throws {
        if let baseline, !(baseline.value > 0 && baseline.value < 1) {
            throw ValidationError("--baseline must be above 0% and below 100%")
        }
        guard days.map({ (1...3_650).contains($0) }) ?? true else {
            throw ValidationError("--days must be from 1 to 3650")
        }
    }

    var course: ExperimentForecast.Course {
        ExperimentForecast.Course(
            rate: baseline?.value ?? ResultExpectation.usualRate,
            days: days ?? Self.usualDays
        )
    }
}

/// Explains what the experiment of a campaign can detect.
struct ExperimentExplanation {
    let options: ProjectOptions
    let environment: EnvironmentOptions
    let forecast: ForecastOptions

    /// Whether the only argument names a campaign of the project.
    func names(_ texts: [String]) -> Bool {
        guard texts.count == 1, let id = CampaignID(texts[0]),
            FileManager.default.fileExists(atPath: options.directory + "/herald.yaml"),
            let session = try? Session(options)
        else { return false }
        return session.load().declarations.campaigns.contains { $0.value.campaign?.value == id }
    }

    func explain(_ name: String, as format: ExplainFormat) throws(CommandFailure) {
        let session = try Session(options)
        let (project, checked) = try session.project(in: environment)
        let campaign = try project.campaign(named: name)
        guard case .registrations(let list) = campaign.target,
            let design = project.experiment(of: campaign), design.isExperiment,
            let survey = checked.surveys[list].flatMap({ try? $0.get() }),
            let found = ExperimentForecast(
                of: campaign.id,
                design: design,
                audience: survey.people?.count ?? survey.count,
                course: forecast.course
            )
        else { throw CommandFailure(.noForecast(campaign.id), exit: .usage) }
        switch format {
        case .text:
            let isByPerson = survey.people != nil
            let view = ForecastTextView(style: options.outputStyle, isByPerson: isByPerson)
            Output.data(view.render(found))
        case .json: Output.data(ForecastJSONView().render(found))
        }
    }
}
