// Numbers of the original simulators from a reset without noise under constant actions, printed to six decimals.
#pragma once

#include <cstddef>
#include <vector>

namespace aria::testing {

// 0.1, -0.2, 0.3, ...
inline std::vector<double> golden_actions(std::size_t joints) {
  std::vector<double> actions;
  for (std::size_t j = 0; j < joints; ++j) actions.push_back((j % 2 == 0 ? 0.1 : -0.1) * static_cast<double>(j + 1));
  return actions;
}

// Torso; observation: joint angles, velocity and spin of the torso, joint rates.
inline const std::vector<double> kAntPositionAfterOne = {-0.010163, -0.001361, 0.507970};
inline const std::vector<double> kAntRotationAfterOne = {0.995037, 0.001130, 0.030389, -0.094741};
inline const std::vector<double> kAntObservationAfterOne = {
    0.191066,  0.784049,  0.221230,  -1.002814, 0.260468,  -1.027594, 0.288170,  0.600936,
    -0.445483, -0.153200, -0.100946, -0.029885, 2.309114,  -5.162070,  //
    -4.937295, 3.211508,  -5.763521, 4.047594,  -7.756663, 4.318590,  -8.294501, 9.763733};
inline const std::vector<double> kAntPositionAfterTen = {-0.086559, -0.048376, 0.499239};
inline const std::vector<double> kAntRotationAfterTen = {0.986515, -0.020686, 0.100980, -0.127134};

// Torso; observation: tilt, joint angles, v_x, v_z and spin of the torso, joint rates.
inline const std::vector<double> kWalkerPositionAfterOne = {-0.000007, 0, 1.189764};
inline const std::vector<double> kWalkerObservationAfterOne = {
    -0.000691, -0.000063, -0.001784, 0.000480, -0.001934, 0.002943, -0.002824, -0.005750,
    -0.078597, -0.215964, 0.030384,  0.536039, -0.406552, 0.422648, -0.554036, 0.665554};
inline const std::vector<double> kWalkerPositionAfterTen = {-0.010056, 0, 1.187707};
inline const std::vector<double> kWalkerRotationAfterTen = {0.999635, 0, -0.027025, 0};

}  // namespace aria::testing
