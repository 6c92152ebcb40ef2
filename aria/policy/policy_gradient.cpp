#include "aria/policy/policy_gradient.hpp"

#include <algorithm>
#include <cassert>

namespace aria {

void copy_rows(const LaneMatrix& from, BlockRange range, std::size_t first_row, LaneMatrix& to) {
  assert(first_row + from.rows() <= to.rows());
  for (std::size_t block = range.first; block < range.end; ++block) {
    std::copy_n(from.row(block, 0), from.rows() * LaneMatrix::kLanes, to.row(block, first_row));
  }
}

PolicyGradient::PolicyGradient(const MlpShape& actor, const MlpShape& critic, std::size_t samples)
    : actor_(actor, OutputKind::kTanh, samples),
      critic_(critic, OutputKind::kLinear, samples),
      observations_(actor.inputs(), samples),
      critic_inputs_(critic.inputs(), samples) {
  assert(critic.inputs() == actor.inputs() + actor.outputs() && critic.outputs() == 1);
}

void PolicyGradient::pass(const PackedWeights& actor, const PackedWeights& critic, BlockRange range) {
  actor_.forward(actor, observations_, range);
  copy_rows(observations_, range, 0, critic_inputs_);
  copy_rows(actor_.outputs(), range, observations_.rows(), critic_inputs_);
  critic_.forward(critic, critic_inputs_, range);
  const float share = 1.0f / static_cast<float>(observations_.samples());
  for (std::size_t block = range.first; block < range.end; ++block) {
    std::fill_n(critic_.output_gradient().row(block, 0), LaneMatrix::kLanes, share);
  }
  critic_.backward(critic, range);
  critic_.input_gradient(critic, observations_.rows(), range, actor_.output_gradient());
  actor_.backward(actor, range);
}

void PolicyGradient::part(std::size_t number, std::span<float> gradient) {
  actor_.parameter_gradient(observations_, number, gradient);
}

void PolicyGradient::run(const PackedWeights& actor, const PackedWeights& critic, std::span<float> gradient) {
  pass(actor, critic, all_blocks(observations_));
  actor_.parameter_gradient(observations_, gradient);
}

}  // namespace aria
