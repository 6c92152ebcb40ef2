// Coefficients of the polynomials behind logarithm, sine, cosine, tanh and arc tangent, shared by the SIMD kernels and
// their scalar twins. They are least-maximum fits in double precision, rounded to float; the errors given are relative,
// before rounding.
#pragma once

namespace aria {

// For normal variates, whose words say no more than 16 bits each of a radius and an angle:
// -2 log(1 + t) = t * P(t) for 1 + t in [sqrt(1/2), sqrt(2)]; error 1.1e-6.
inline constexpr float kRadiusCoefficients[] = {-2.000002f,   1.0000223f,  -0.66629016f, 0.49819487f,
                                                -0.40992665f, 0.37335718f, -0.23792201f};
// sin(pi/2 x) = x * P(x^2) for |x| <= 1/2; error 1.5e-6.
inline constexpr float kAngleSineCoefficients[] = {1.570794f, -0.6457981f, 0.07794005f};
// cos(pi/2 x) = P(x^2) for |x| <= 1/2; error 2.8e-8.
inline constexpr float kAngleCosineCoefficients[] = {1.0f, -1.233697f, 0.25359866f, -0.02040837f};
// sin(pi/4 x) = x * P(x^2) for |x| <= 1; error 2.4e-9.
inline constexpr float kSinCoefficients[] = {0.78539818525314331f, -0.080745436251163483f, 0.002490007085725665f,
                                             -3.595450834836811e-05f};
// cos(pi/4 x) = P(x^2) for |x| <= 1; error 2.8e-8.
inline constexpr float kCosCoefficients[] = {1.0f, -0.3084242641925812f, 0.015849914401769638f,
                                             -0.0003188805130776018f};
// e^r - 1 = r + r^2 * P(r) for |r| <= log(2) / 2; error 1.7e-8.
inline constexpr float kExpMinusOneCoefficients[] = {0.4999999701976776f, 0.1666654348373413f, 0.04166720062494278f,
                                                     0.008366547524929047f, 0.0013882516650483012f};
// atan(x) = x + x^3 * P(x^2) for |x| <= 1; error 1.7e-8.
inline constexpr float kAtanCoefficients[] = {-0.333331525f,  0.199937731f,  -0.142110556f,  0.106660038f,
                                              -0.0755221322f, 0.0432118513f, -0.0163679235f, 0.00292069116f};
// atan(x) = x + x^3 * P(x^2) for |x| <= 1/8; error 2.0e-8.
inline constexpr float kSmallAtanLimit = 0.125f;
inline constexpr float kSmallAtanCoefficients[] = {-0.3333186f, 0.19693531f};
inline constexpr float kPi = 3.14159265359f;
inline constexpr float kMinusTwoLn2 = -1.38629436111989061883f;
inline constexpr unsigned kSqrtHalfBits = 0x3F3504F3u;  // sqrt(1/2) as a float, just below
inline constexpr unsigned kMantissaBits = 0x007FFFFFu;
inline constexpr unsigned kOneBits = 0x3F800000u;  // 1 as a float

}  // namespace aria
