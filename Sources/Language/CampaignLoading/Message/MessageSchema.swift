extension MessageShape {
    /// The shape as a schema.
    var schema: ValueSchema {
        switch self {
        case .text(let domain): .text(domain.form)
        case .integer(let range): .integer(range)
        case .flag: .flag
        case .number(let range): .number(range)
        case .choice(let values): .choice(values)
        case .header(let values): .header(values)
        case .list(let element): .list(of: element.schema, atLeast: 0)
        case .free: .anything
        case .freeObject: .named(by: .any, .anything)
        case .dataMap: .named(by: DataKey.form, .text(.any))
        case .object(let fields): .mapping(fields.schema)
        case .textOr(let fields): .either([.text(.any), .mapping(fields.schema)])
        }
    }
}

extension MessageFields {
    var schema: MappingSchema {
        MappingSchema(
            subject: subject,
            fields: fields.map { field in
                MappingSchema.Field(
                    name: field.name,
                    isRequired: field.isRequired,
                    about: field.about,
                    examples: field.examples,
                    schema: field.shape.schema,
                    isNotBuilt: field.isNotBuilt
                )
            },
            oneOf: oneOf,
            needs: needs,
            others: others
        )
    }
}

extension ValueSchema {
    /// Text, or the integers that YAML reads from some of the values.
    fileprivate static func header(_ values: [String]) -> ValueSchema {
        let numbers = values.compactMap { Int64($0) }.map { ValueSchema.integer($0...$0) }
        return numbers.isEmpty ? .choice(values) : .either([.choice(values)] + numbers)
    }
}
