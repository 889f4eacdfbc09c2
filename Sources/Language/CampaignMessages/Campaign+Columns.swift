package import CampaignModel
import Envelopes
import JSON

extension Project {
    /// The columns that the messages to each list use; lists without any are omitted.
    ///
    /// A message to a set also uses those of the lists that are reviewed for it.
    package var messageColumns: [RegistrationList: [MessageColumns]] {
        var columns: [RegistrationList: [MessageColumns]] = [:]
        for campaign in campaigns {
            guard case .registrations(let list) = campaign.target,
                let own = self.columns(of: campaign)
            else { continue }
            for list in list.reviewedLists where columns[list]?.contains(own) != true {
                columns[list, default: []].append(own)
            }
        }
        return columns
    }

    /// Returns the columns that a campaign's texts use; nil if they use none, or if its audience has
    /// no columns.
    ///
    /// Texts that are not valid templates have no columns.
    package func columns(of campaign: Campaign) -> MessageColumns? {
        guard case .registrations(let list) = campaign.target else { return nil }
        let texts =
            [TextColumns(.own, of: campaign)]
            + campaign.localizations.map {
                TextColumns(.locale($0.locale), of: campaign.saying($0.content))
            }
        let variants = campaign.variants.map {
            TextColumns(.variant($0.id), of: campaign.saying($0.content))
        }
        let design = experiment(of: campaign)
        var names: [String] = []
        let sent = variants.isEmpty ? texts : variants
        for name in sent.flatMap(\.names) where !names.contains(name) { names.append(name) }
        let lookup = campaign.localeLookup
        let times = campaign.division.column
        let rollout = campaign.policy.rollout.map { rollout in
            RolloutColumns(
                project: id,
                campaign: campaign.id,
                hasCanary: rollout.canary.map { list.begins(with: $0) } ?? false
            )
        }
        let isEncrypted = campaign.encryption != nil
        let dividesOrSeals = design != nil || rollout != nil || isEncrypted
        guard !names.isEmpty || lookup != nil || times != nil || dividesOrSeals
        else { return nil }
        let audience = audiences.first { $0.id == campaign.audience }
        let used = names + (lookup == nil ? [] : [list.localeColumn])
        let declared = (audience?.columns ?? [:]).filter { used.contains($0.key) }
        return MessageColumns(
            names: names,
            defaults: declared.compactMapValues(\.standard),
            sizes: texts[0].sizes(of: names),
            texts: lookup.map { lookup in
                LocalizedTexts(
                    column: list.localeColumn,
                    lookup: lookup,
                    all: texts.map { $0.text(of: names) }
                )
            },
            experiment: design.map { design in
                ExperimentTexts(design, variants: variants.map { $0.text(of: names) })
            },
            times: times,
            rollout: rollout,
            covariate: design?.isExperiment == true ? list.covariateColumn : nil,
            isEncrypted: isEncrypted
        )
    }

    /// Returns how a campaign divides its recipients; nil if all of them get the same message.
    ///
    /// Your own people are never held out of the whole project.
    package func experiment(of campaign: Campaign) -> ExperimentDesign? {
        guard case .registrations = campaign.target else { return nil }
        let isTest = audiences.first { $0.id == campaign.audience }?.isTest ?? false
        let design = ExperimentDesign(
            project: id,
            name: (campaign.experiment ?? campaign.id).rawValue,
            holdOut: campaign.policy.holdOut ?? .none,
            globalHoldOut: isTest ? .none : globalHoldOut ?? .none,
            variants: campaign.variants.map { .init(id: $0.id, weight: $0.weight) }
        )
        return design.isExperiment || design.globalHoldOut != .none ? design : nil
    }
}

/// The columns of one text of a campaign.
private struct TextColumns {
    let key: TextKey
    let names: [String]
    private let campaign: Campaign

    /// `campaign`: with the text as its own.
    init(_ key: TextKey, of campaign: Campaign) {
        self.key = key
        self.campaign = campaign
        var names: [String] = []
        JSONValue.object(campaign.content.fields).forEachTemplate { template in
            for name in template.columns where !names.contains(name) { names.append(name) }
        }
        self.names = names
    }

    func text(of all: [String]) -> MessageText {
        MessageText(
            key,
            uses: all.map(names.contains),
            sizes: sizes(of: all)
        )
    }

    func sizes(of all: [String]) -> [MessageColumns.Size] {
        let lowering = DeliveryLowering(campaign)
        return Platform.allCases.map { platform in
            let message = EffectiveMessage(lowering, on: platform)
            return campaign.sealedContent.map {
                MessageColumns.Size(message, sealing: $0.clear, platform: platform, names: all)
            } ?? MessageColumns.Size(message, platform: platform, names: all)
        }
    }
}

extension Project {
    /// Returns a campaign whose placeholders are filled with the defaults of the columns, or with
    /// the columns' names: a test message, which is not about anyone.
    package func sample(of campaign: Campaign) -> Campaign {
        guard let columns = columns(of: campaign) else { return campaign }
        return campaign.filled { columns.defaults[$0] ?? "‹\($0)›" }
    }
}

extension Campaign {
    /// The columns that placeholders of its own text name.
    package var usedColumns: [String] { TextColumns(.own, of: self).names }

    /// Returns the campaign with the values of a row, by column, in place of placeholders.
    package func filled(with values: [String: String]) -> Campaign {
        filled { values[$0] ?? "" }
    }

    /// Returns the campaign with values of columns in place of placeholders.
    fileprivate func filled(with value: (String) -> String) -> Campaign {
        let filled = JSONValue.object(content.fields).filled(with: value)
        guard case .object(let fields) = filled else { return self }
        return saying(MessageContent(fields: fields))
    }
}

extension MessageColumns.Size {
    fileprivate init(_ message: EffectiveMessage, platform: Platform, names: [String]) {
        var literals = PayloadSize(of: message).bytes
        var uses = names.map { _ in 0 }
        for field in PayloadSize.content(of: message) {
            field.value.forEachTemplate { template in
                literals -= template.placeholderBytes
                for case .column(let name) in template.parts {
                    if let index = names.firstIndex(of: name) { uses[index] += 1 }
                }
            }
        }
        self.init(platform: platform, literals: literals, uses: uses)
    }
}

extension MessageColumns.Size {
    /// `clear`: the content that is encrypted.
    fileprivate init(
        _ message: EffectiveMessage,
        sealing clear: JSONObject,
        platform: Platform,
        names: [String]
    ) {
        let readable = PayloadSize(of: message).bytes
        let shown = message.sealedSize.map { Envelope.length(of: $0.clear) } ?? 0
        var uses = names.map { _ in 0 }
        let literals = JSONTemplate(membersOf: clear) { text in
            guard let template = try? TextTemplate(parsing: text) else { return [.literal(text)] }
            return template.parts.map { part in
                switch part {
                case .literal(let text): return .literal(text)
                case .column(let name):
                    guard let index = names.firstIndex(of: name) else { return .literal(text) }
                    uses[index] += 1
                    return .gap(index)
                }
            }
        }
        self.init(
            platform: platform,
            literals: readable - shown,
            uses: uses,
            envelope: EnvelopeSize(
                clear: literals.length + "{}".utf8.count,
                overhead: Envelope.overhead
            )
        )
    }
}

extension JSONValue {
    /// Visits the texts that contain `{{` and are valid templates.
    fileprivate func forEachTemplate(_ visit: (TextTemplate) -> Void) {
        switch self {
        case .null, .bool, .integer, .number: return
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "{")),
                let template = try? TextTemplate(parsing: text)
            else {
                return
            }
            visit(template)
        case .array(let elements): for element in elements { element.forEachTemplate(visit) }
        case .object(let object):
            for member in object.members { member.value.forEachTemplate(visit) }
        }
    }

    /// Returns the value with other texts in place of placeholders.
    fileprivate func filled(with value: (String) -> String) -> JSONValue {
        switch self {
        case .null, .bool, .integer, .number: return self
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "{")),
                let template = try? TextTemplate(parsing: text)
            else {
                return self
            }
            let parts = template.parts.map { part in
                switch part {
                case .literal(let text): text
                case .column(let name): value(name)
                }
            }
            return .string(parts.joined())
        case .array(let elements): return .array(elements.map { $0.filled(with: value) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map {
                        JSONObject.Member(key: $0.key, value: $0.value.filled(with: value))
                    }
                )
            )
        }
    }
}
