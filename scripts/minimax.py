#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the polynomials of the element functions, as C++ tables.

usage: minimax.py [group...]

Prints all groups, or those named: logarithms, exponentials, sines, arctangents,
powers, roots, errors, normals.

Needs mpmath (`pip install mpmath`) and takes some minutes. Each polynomial is
found by Remez's algorithm, for the smallest maximal weighted error. Then its
coefficients are rounded to the format one after the other, lowest first, and
after each rounding the others are fitted anew, so that they make up for it.
The tables belong into RandomFunctions.cpp in lib/Dialect/Weave/Transforms and the
files of ElementFunctions there.
"""

import functools
import sys

import mpmath as mp
from mpmath import mpf

mp.mp.dps = 90


def chebyshev_points(low, high, count):
    return [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / mpf(2 * count))
            for k in range(count)]


def evaluate(coefficients, powers, x):
    return sum(c * x**p for c, p in zip(coefficients, powers))


def remez(f, weight, low, high, powers, density=40):
    """Coefficients with the least max |(f - polynomial) * weight|, and that error."""
    count = len(powers)
    points = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (count - k) / mpf(count))
              for k in range(count + 1)]
    size = density * (count + 1)
    grid = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (size - k) / mpf(size))
            for k in range(size + 1)]
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    for _ in range(12):
        # The polynomial whose errors at the points are equal with changing sign.
        matrix, right = mp.matrix(count + 1, count + 1), mp.matrix(count + 1, 1)
        for i, x in enumerate(points):
            for j, p in enumerate(powers):
                matrix[i, j] = x**p
            matrix[i, count] = (-1)**i / weight(x)
            right[i] = f(x)
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[j] for j in range(count)]
        errors = [(value - evaluate(coefficients, powers, x)) * w
                  for x, value, w in zip(grid, values, weights)]
        largest = max(abs(e) for e in errors)
        # The next points are the extrema of the error.
        extrema = []
        for i, error in enumerate(errors):
            if not extrema or (error > 0) != (errors[extrema[-1]] > 0):
                extrema.append(i)
            elif abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = i
        if len(extrema) < count + 1 or largest < 1.005 * abs(solution[count]):
            break
        while len(extrema) > count + 1:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        points = [grid[i] for i in extrema]
    return coefficients, largest


def round_to(x, bits):
    with mp.workprec(bits):
        return +x


def fit(name, f, weight, low, high, powers, bits, points=None):
    """Prints a table of coefficients of `bits` bits."""
    coefficients, _ = remez(f, weight, low, high, powers)
    xs = chebyshev_points(low, high, points or 8 * len(powers))
    weights = [weight(x) for x in xs]
    unit = max(abs(low), abs(high))
    rounded = []
    for done, power in enumerate(powers):
        value = round_to(coefficients[done], bits)
        change = value - coefficients[done]
        rounded.append(value)
        rest = powers[done + 1:]
        if not rest:
            break
        # Least squares: the change of the others that undoes this one's best.
        columns = [[w * (x / unit)**p for x, w in zip(xs, weights)] for p in rest]
        target = [-w * change * x**power for x, w in zip(xs, weights)]
        matrix, right = mp.matrix(len(rest), len(rest)), mp.matrix(len(rest), 1)
        for i, column in enumerate(columns):
            right[i] = mp.fdot(column, target)
            for j in range(i, len(rest)):
                matrix[i, j] = matrix[j, i] = mp.fdot(column, columns[j])
        solution = mp.lu_solve(matrix, right)
        for j, p in enumerate(rest):
            coefficients[done + 1 + j] += solution[j] / unit**p
    samples = [low + (high - low) * k / mpf(3000) for k in range(3001)]
    error = max(abs((f(x) - evaluate(rounded, powers, x)) * weight(x)) for x in samples)
    print(f"// Maximal error: {mp.nstr(error, 2)}.")
    print(f"constexpr double {name}[] = {{{', '.join(float(c).hex() for c in rounded)}}};\n", flush=True)


NEAR_ZERO = mpf(10)**-8
ROOTS = (mp.sqrt(mpf("0.5")) - 1, mp.sqrt(mpf(2)) - 1)


def logarithms():
    """(log(1 + r) - r + r^2/2) / r^3, for the least relative error of log."""
    def f(r):
        if abs(r) < NEAR_ZERO:
            return mpf(1) / 3 - r / 4 + r * r / 5
        return (mp.log(1 + r) - r + r * r / 2) / r**3

    def weight(r):
        return r * r + mpf(10)**-30 if abs(r) < NEAR_ZERO else abs(r**3 / mp.log(1 + r))

    margin = mpf(2)**-22
    for name, degree, bits in (("kLogSingle", 7, 24), ("kLogDouble", 18, 53)):
        fit(name, f, weight, ROOTS[0] - margin, ROOTS[1] + margin, list(range(degree + 1)), bits)


def exponentials():
    """(exp(r) - 1 - r) / r^2, for the least relative error of expm1."""
    def f(r):
        if abs(r) < NEAR_ZERO:
            return mpf(1) / 2 + r / 6 + r * r / 24
        return (mp.exp(r) - 1 - r) / r**2

    def weight(r):
        return abs(r) + mpf(10)**-40 if abs(r) < NEAR_ZERO else abs(r * r / mp.expm1(r))

    bound = mp.log(2) / 2 * (1 + mpf(2)**-16)
    for name, degree, bits in (("kExpSingle", 5, 24), ("kExpDouble", 10, 53)):
        fit(name, f, weight, -bound, bound * (1 + mpf(2)**-30), list(range(degree + 1)), bits)


@functools.cache
def normal_quotient(w):
    """sqrt(2) * erf_inv(u) / u, where w = -log2(1 - u^2)."""
    if w < mpf(10)**-60:
        return mp.sqrt(mp.pi / 2)
    complement = mpf(2)**-w
    u = mp.sqrt(1 - complement)
    if u < mpf("0.5"):
        x = mp.erfinv(u)
    else:
        # Newton's method for log(erfc(x)), which is nearly a parabola.
        target = complement / (1 + u)
        size = -mp.log(target)
        x = mp.sqrt(max(size - mp.log(mp.sqrt(mp.pi * max(size, 1))), mpf("0.2")))
        for _ in range(60):
            e = mp.erfc(x)
            step = mp.log(e / target) * e / (2 / mp.sqrt(mp.pi) * mp.exp(-x * x))
            x += step
            if abs(step) < mpf(10)**-50:
                break
    return mp.sqrt(2) * x / u


def normal_numbers():
    """The logarithm of 1 - u^2, and the quotient in t = sqrt(w + 5/2)."""
    def log2(r):
        return -mp.log(1 + r) / mp.log(2)

    for name, degree, bits in (("kLogSingle", 9, 24), ("kLogDouble", 20, 53)):
        fit(name, log2, lambda r: mpf(1), *ROOTS, list(range(1, degree + 1)), bits)

    shift = mpf("2.5")

    def pieces(name, center, from_w, to_w, degree, bits, points):
        def f(x):
            return normal_quotient((x + center)**2 - shift)
        low, high = (mp.sqrt(shift + w) - center for w in (from_w, to_w))
        fit(name, f, lambda x: 1 / f(x), low, high, list(range(degree + 1)), bits, points)

    # 1 - u^2 is at least 2^-23 in f32 and 2^-52 in f64.
    pieces("kQuotientSingle", mpf("2.25"), 0, mpf("23.01"), 15, 24, 128)
    pieces("kQuotientDouble", mpf("2.25"), 0, 9, 24, 53, 80)
    pieces("kTailDouble", mpf(5), 9, mpf("52.01"), 28, 53, 80)
    print(f"// The tail begins at t = {float(mp.sqrt(shift + 9)).hex()}.")


def in_square(f, terms, x_from_zero_to):
    """A function of z = x^2, by its power series in z near zero."""
    def of_square(z):
        if abs(z) < NEAR_ZERO:
            return sum(term * z**k for k, term in enumerate(terms))
        return f(mp.sqrt(z))
    return of_square, mpf(-2)**-40, mpf(x_from_zero_to)**2


def sines():
    """(sin(x) - x) / x^3 and (cos(x) - 1 + x^2/2) / x^4 in x^2, for |x| <= pi/4."""
    bound = mp.pi / 4 * (1 + mpf(2)**-20)
    sine, low, high = in_square(lambda x: (mp.sin(x) - x) / x**3,
                                (-mpf(1) / 6, mpf(1) / 120, -mpf(1) / 5040), bound)
    cosine, _, _ = in_square(lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4,
                             (mpf(1) / 24, -mpf(1) / 720, mpf(1) / 40320), bound)
    for suffix, degree in (("Single", 3), ("Double", 5)):
        fit("kSine" + suffix, sine, lambda z: abs(z) + mpf(10)**-12, low, high, list(range(degree + 1)), 53)
        fit("kCosine" + suffix, cosine, lambda z: z * z + mpf(10)**-12, low, high,
            list(range(degree + 1)), 53)


def arctangents():
    """(atan(x) - x) / x^3 in x^2, for |x| <= 1/4."""
    f, low, high = in_square(lambda x: (mp.atan(x) - x) / x**3,
                             (-mpf(1) / 3, mpf(1) / 5, -mpf(1) / 7), mpf("0.2501"))
    for name, degree, bits in (("kArctangentSingle", 3, 24), ("kArctangentDouble", 9, 53)):
        fit(name, f, lambda z: abs(z) + mpf(10)**-12, low, high, list(range(degree + 1)), bits)


def powers():
    """(atanh(x) - x - x^3/3) / x^5 in x^2, for |x| <= (sqrt(2) - 1) / (sqrt(2) + 1)."""
    f, low, high = in_square(lambda x: (mp.atanh(x) - x - x**3 / 3) / x**5,
                             (mpf(1) / 5, mpf(1) / 7, mpf(1) / 9), mpf("0.17158"))
    fit("kAtanhDouble", f, lambda z: z * z + mpf(10)**-12, low, high, list(range(8)), 53)


def roots():
    """(1 + r)^(-1/3) for r in [sqrt(1/2) - 1, sqrt(2) - 1]."""
    for name, degree, bits in (("kCubeRootSingle", 3, 24), ("kCubeRootDouble", 5, 53)):
        fit(name, lambda r: mp.cbrt(1 / (1 + r)), lambda r: mp.cbrt(1 + r), *ROOTS, list(range(degree + 1)), bits)


def errors():
    """erf(x) / x - 1 in x^2 for |x| <= 1, and (1 + 2x) exp(x^2) erfc(x) in (x - 3) / (x + 3)."""
    two = 2 / mp.sqrt(mp.pi)
    near, low, high = in_square(lambda x: mp.erf(x) / x - 1, (two - 1, -two / 3, two / 10), mpf("1.0001"))
    for name, degree, bits in (("kErrorSingle", 6, 24), ("kErrorDouble", 14, 53)):
        fit(name, near, lambda z: 1 / (1 + near(z)), low, high, list(range(degree + 1)), bits)

    def far(t):
        x = 3 * (1 + t) / (1 - t)
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)

    # Less 5/4, which is exact and takes the first digits.
    for suffix, degree, bits, greatest in (("Single", 11, 24, 11), ("Double", 26, 53, 28)):
        fit("kComplement" + suffix, lambda t: far(t) - mpf("1.25"), lambda t: 1 / far(t), mpf(-1), (mpf(greatest) - 3) / (mpf(greatest) + 3),
            list(range(degree + 1)), bits)


GROUPS = {"logarithms": ("Logarithm.cpp", logarithms), "exponentials": ("Exponential.cpp", exponentials),
          "sines": ("Trigonometric.cpp", sines), "arctangents": ("InverseTrigonometric.cpp", arctangents),
          "powers": ("Power.cpp", powers), "roots": ("Roots.cpp", roots), "errors": ("ErrorFunction.cpp", errors),
          "normals": ("RandomFunctions.cpp", normal_numbers)}


def main():
    for group in sys.argv[1:] or GROUPS:
        if group not in GROUPS:
            sys.exit(f"minimax.py: expected one of {', '.join(GROUPS)}, found '{group}'")
        file, compute = GROUPS[group]
        print(f"// {file}\n")
        compute()


if __name__ == "__main__":
    main()
