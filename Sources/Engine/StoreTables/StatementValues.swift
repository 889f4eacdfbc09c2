package import FoundationEssentials

/// A value of a statement's parameter or of a column.
package enum StatementValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// A type that is bound to a parameter.
package protocol StatementConvertible {
    var statementValue: StatementValue { get }
}

extension Int: StatementConvertible {
    package var statementValue: StatementValue { .integer(Int64(self)) }
}

extension Int32: StatementConvertible {
    package var statementValue: StatementValue { .integer(Int64(self)) }
}

extension Int64: StatementConvertible {
    package var statementValue: StatementValue { .integer(self) }
}

extension UInt8: StatementConvertible {
    package var statementValue: StatementValue { .integer(Int64(self)) }
}

extension Bool: StatementConvertible {
    /// Truth values are stored as 0 and 1.
    package var statementValue: StatementValue { .integer(self ? 1 : 0) }
}

extension Double: StatementConvertible {
    package var statementValue: StatementValue { .real(self) }
}

extension String: StatementConvertible {
    package var statementValue: StatementValue { .text(self) }
}

extension Data: StatementConvertible {
    package var statementValue: StatementValue { .blob(self) }
}

/// The values of a statement's parameters, in their order.
package struct StatementValues: Sendable, ExpressibleByArrayLiteral {
    package private(set) var list: [StatementValue]

    package init(_ list: [StatementValue] = []) {
        self.list = list
    }

    package init(_ values: [any StatementConvertible]) {
        list = values.map(\.statementValue)
    }

    package init(arrayLiteral elements: (any StatementConvertible)?...) {
        list = elements.map { $0?.statementValue ?? .null }
    }

    package static func + (left: StatementValues, right: StatementValues) -> StatementValues {
        StatementValues(left.list + right.list)
    }
}
