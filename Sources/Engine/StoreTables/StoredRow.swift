package import FoundationEssentials

/// A row of a result, with columns from 0.
package protocol StoredRow {
    /// - Throws: If the column has another type.
    func integer(at column: Int) throws -> Int64?
    func real(at column: Int) throws -> Double?
    func text(at column: Int) throws -> String?
    func blob(at column: Int) throws -> Data?
    func value(at column: Int) throws -> StatementValue
}

/// Rows that are read one by one.
package protocol StoredRows: AnyObject {
    func next() throws -> (any StoredRow)?
}

/// A column has NULL, or a value that its type does not have.
package struct UnexpectedValue: Error {
    package init() {}
}

/// A type that a column is decoded as.
package protocol ColumnDecodable {
    /// Nil for NULL.
    static func decode(_ row: any StoredRow, at column: Int) throws -> Self?
}

extension StoredRow {
    package func decode<Value: ColumnDecodable>(
        _ type: Value.Type,
        atIndex column: Int
    ) throws -> Value {
        guard let value = try Value.decode(self, at: column) else { throw UnexpectedValue() }
        return value
    }

    package func decode<Value: ColumnDecodable>(
        _ type: Value?.Type,
        atIndex column: Int
    ) throws -> Value? {
        try Value.decode(self, at: column)
    }
}

extension ColumnDecodable where Self: FixedWidthInteger {
    package static func decode(_ row: any StoredRow, at column: Int) throws -> Self? {
        guard let number = try row.integer(at: column) else { return nil }
        guard let value = Self(exactly: number) else { throw UnexpectedValue() }
        return value
    }
}

extension Int: ColumnDecodable {}
extension Int32: ColumnDecodable {}
extension Int64: ColumnDecodable {}
extension UInt8: ColumnDecodable {}

extension Bool: ColumnDecodable {
    package static func decode(_ row: any StoredRow, at column: Int) throws -> Bool? {
        try row.integer(at: column).map { $0 != 0 }
    }
}

extension Double: ColumnDecodable {
    package static func decode(_ row: any StoredRow, at column: Int) throws -> Double? {
        try row.real(at: column)
    }
}

extension String: ColumnDecodable {
    package static func decode(_ row: any StoredRow, at column: Int) throws -> String? {
        try row.text(at: column)
    }
}

extension Data: ColumnDecodable {
    package static func decode(_ row: any StoredRow, at column: Int) throws -> Data? {
        try row.blob(at: column)
    }
}
