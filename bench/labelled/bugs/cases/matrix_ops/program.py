"""Matrices as lists of rows."""


def shape(matrix):
    if not matrix:
        return 0, 0
    width = len(matrix[0])
    if any(len(row) != width for row in matrix):
        raise ValueError("rows differ in length")
    return len(matrix), width


def identity(size):
    return [[1 if row == column else 0 for column in range(size)] for row in range(size)]


def transpose(matrix):
    return [list(column) for column in zip(*matrix)]


def add(left, right):
    if shape(left) != shape(right):
        raise ValueError("shapes differ")
    return [[a + b for a, b in zip(*rows)] for rows in zip(left, right)]


def multiply(left, right):
    rows, inner = shape(left)
    inner_right, columns = shape(right)
    if inner != inner_right:
        raise ValueError("shapes do not fit")
    result = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            result[i][j] = sum(left[i][k] * right[j][k] for k in range(inner))
    return result


def power(matrix, exponent):
    result = identity(shape(matrix)[0])
    for _ in range(exponent):
        result = multiply(result, matrix)
    return result


def trace(matrix):
    return sum(matrix[i][i] for i in range(len(matrix)))
