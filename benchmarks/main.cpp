// Runs the benchmarks, then prints what matters: ratios within this very run, which travel between machines.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/core/parallel.hpp"
#include "aria/core/simd_target.hpp"

namespace {

// Keeps how fast each benchmark was, per evaluation or item.
class RateCollector : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      for (const char* counter : {"evaluations", "items_per_second", "flop", "flop_per_cycle"}) {
        const auto found = run.counters.find(counter);
        if (found != run.counters.end()) rates_[run.benchmark_name()] = found->second.value;
      }
      const auto found = run.counters.find("cycles");
      if (found != run.counters.end()) cycles_[run.benchmark_name()] = found->second.value;
    }
    benchmark::ConsoleReporter::ReportRuns(runs);
  }
  double rate(const std::string& name) const {
    const auto found = rates_.find(name);
    return found == rates_.end() ? 0 : found->second;
  }
  const std::map<std::string, double>& cycles() const { return cycles_; }  // of an item

 private:
  std::map<std::string, double> rates_;
  std::map<std::string, double> cycles_;
};

void print_header(const char* what, const char* below, const char* above) {
  std::printf("\n| %-44s | %12s | %12s | %6s |\n", what, below, above, "ratio");
  std::printf("|%s|%s|%s|%s|\n", "---", "---", "---", "---");
}

void print_ratio(const RateCollector& rates, const char* what, const std::string& fast, const std::string& slow) {
  const double above = rates.rate(fast);
  const double below = rates.rate(slow);
  if (above > 0 && below > 0)
    std::printf("| %-44s | %10.3g/s | %10.3g/s | %6.2f |\n", what, below, above, above / below);
}

// `flop` of one item, counted in the formulas: a multiply-add is two, comparisons are none.
void print_share(const RateCollector& rates, double peak, const char* name, double flop) {
  const double rate = rates.rate(name);
  if (rate > 0) std::printf("%s: %.0f %% of it, at %.3g flop each\n", name, 100 * rate * flop / peak, flop);
}

// Of a benchmark that counts its operations itself.
void print_share(const RateCollector& rates, double peak, const std::string& name) {
  const double rate = rates.rate(name);
  if (rate > 0) std::printf("%s: %.0f %% of it\n", name.c_str(), 100 * rate / peak);
}

const char* const kTraining[] = {"TD3 critic step/ant",    "TD3 critic step/walker", "PGA parent step/ant",
                                 "PGA parent step/walker", "PGA generation/ant",     "PPO pass/ant",
                                 "PPO pass/walker"};
const char* const kProducts[] = {"forward", "gradient of inputs", "gradient of parameters"};
const char* const kPeakOfOne = "multiply-add peak/one core";
const char* const kPeakOfAll = "multiply-add peak/all cores/real_time";

void print_ratios(const RateCollector& rates) {
  print_header("one thread: plain against SIMD", "plain", "SIMD");
  print_ratio(rates, "normal variates", "normal variates/simd", "normal variates/plain");
  print_ratio(rates, "arm evaluations", "arm evaluations/simd/1/real_time", "arm evaluations/plain/1/real_time");
  print_ratio(rates, "RIM step (evaluations)", "RIM step/simd/1/real_time", "RIM step/plain/1/real_time");
  print_ratio(rates, "whole ARIA-ME run, lite (evaluations)", "ARIA-ME lite/simd/1/iterations:1/real_time",
              "ARIA-ME lite/plain/1/iterations:1/real_time");
  print_ratio(rates, "ant policies, each world its own (steps)", "policies/own/87", "policies/plain/87");
  print_ratio(rates, "ant policy, shared by all worlds (steps)", "policies/shared/87", "policies/plain/87");
  print_ratio(rates, "walker policies, each world its own (steps)", "policies/own/17", "policies/plain/17");
  print_ratio(rates, "walker policy, shared by all worlds (steps)", "policies/shared/17", "policies/plain/17");
  for (const char* robot : {"ant", "walker"}) {
    const std::string steps = std::string(robot) + " steps/";
    print_ratio(rates, (std::string(robot) + " environment steps").c_str(), steps + "simd", steps + "plain");
    print_ratio(rates, (std::string(robot) + " environment steps, general").c_str(), steps + "general",
                steps + "plain");
  }
  print_header("one thread against all", "one", "all");
  print_ratio(rates, "arm evaluations", "arm evaluations/simd/0/real_time", "arm evaluations/simd/1/real_time");
  print_ratio(rates, "RIM step (evaluations)", "RIM step/simd/0/real_time", "RIM step/simd/1/real_time");
  print_ratio(rates, "whole ARIA-ME run, lite (evaluations)", "ARIA-ME lite/simd/0/iterations:1/real_time",
              "ARIA-ME lite/simd/1/iterations:1/real_time");
  for (const char* kind : {"ant rollouts/own policies", "ant rollouts/one policy", "walker rollouts/own policies",
                           "walker rollouts/one policy"}) {
    const std::string name = kind;
    print_ratio(rates, (name + " (steps)").c_str(), name + "/0/real_time", name + "/1/real_time");
  }
  for (const std::string name : kTraining) {
    print_ratio(rates, (name + " (flop)").c_str(), name + "/0/real_time", name + "/1/real_time");
  }
  print_ratio(rates, "multiply-add peak (flop)", kPeakOfAll, kPeakOfOne);
}

void print_shares(const RateCollector& rates) {
  const double peak = rates.rate(kPeakOfOne);
  if (peak > 0) {
    std::printf("\nmultiply-add peak of one core: %.3g Gflop/s\n", peak / 1e9);
    print_share(rates, peak, "ant steps/simd", 20.7e3);
    print_share(rates, peak, "walker steps/simd", 3.8e3);
    for (const char* product : kProducts) {
      for (const char* inputs : {"/95", "/256"})
        print_share(rates, peak, std::string("critic layer/") + product + inputs);
    }
    for (const std::string name : kTraining) print_share(rates, peak, name + "/1/real_time");
  }
  const double peak_of_all = rates.rate(kPeakOfAll);
  if (peak_of_all > 0) {
    std::printf("\nmultiply-add peak of all cores, %zu threads: %.3g Gflop/s\n", aria::threads(), peak_of_all / 1e9);
    for (const std::string name : kTraining) print_share(rates, peak_of_all, name + "/0/real_time");
  }
}

// --- Our products of a layer against Eigen's -----------------------------------------------------------------------

struct Layer {
  std::size_t inputs;
  std::size_t outputs;
};
struct Network {
  const char* name;
  std::vector<Layer> layers;
};

// Flop per cycle of one of a layer's products.
double layer_rate(const RateCollector& rates, const Layer& layer, const char* product, const char* whose) {
  return rates.rate(std::string("layer/") + product + "/" + whose + "/" + std::to_string(layer.inputs) + "/" +
                    std::to_string(layer.outputs) + "/iterations:1");
}

// Of all products of all layers, one after the other; 0 where one was not run.
double network_rate(const RateCollector& rates, const Network& network, const char* whose) {
  double flop = 0;
  double cycles = 0;
  for (const Layer& layer : network.layers) {
    for (const char* product : kProducts) {
      const auto part = static_cast<double>(layer.inputs * layer.outputs);
      flop += part;
      cycles += part / layer_rate(rates, layer, product, whose);
    }
  }
  return flop / cycles;
}

void print_layer(const std::string& name, double eigens, double ours) {
  if (eigens > 0 && ours > 0)
    std::printf("| %-44s | %12.1f | %12.1f | %6.2f |\n", name.c_str(), eigens, ours, ours / eigens);
}

void print_layers(const RateCollector& rates) {
  const Network networks[] = {{"critic, all products", {{95, 256}, {256, 256}, {256, 1}}},
                              {"policy, all products", {{87, 64}, {64, 64}, {64, 8}}}};
  print_header("layers: flop per cycle (x86: at AVX2)", "Eigen", "ours");
  for (const Network& network : networks) {
    for (const Layer& layer : network.layers) {
      const std::string size = std::to_string(layer.inputs) + " x " + std::to_string(layer.outputs) + ", ";
      for (const char* product : kProducts) {
        print_layer(size + product, layer_rate(rates, layer, product, "Eigen"),
                    layer_rate(rates, layer, product, "ours"));
      }
    }
    print_layer(network.name, network_rate(rates, network, "Eigen"), network_rate(rates, network, "ours"));
  }
}

void print_cycles(const RateCollector& rates) {
  if (rates.cycles().empty()) return;
  std::printf("\n| %-44s | %10s |\n|%s|%s|\n", "cycles per step, best of many short runs", "cycles", "---", "---");
  for (const auto& [name, cycles] : rates.cycles()) std::printf("| %-44s | %10.0f |\n", name.c_str(), cycles);
  for (const std::string robot : {"ant", "walker"}) {
    const auto plain = rates.cycles().find(robot + " rollouts/plain");
    const auto simd = rates.cycles().find(robot + " rollouts/own policies/1/real_time");
    if (plain == rates.cycles().end() || simd == rates.cycles().end()) continue;
    std::printf("%s rollouts, own policies: plain ones take %.1f times the cycles\n", robot.c_str(),
                plain->second / simd->second);
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const aria::SimdTarget target = aria::simd_target();
  std::printf("SIMD target %s, fused multiply-add %s, %zu threads in all\n", target.name.c_str(),
              target.fused_multiply_add ? "yes" : "no", aria::threads());
  RateCollector rates;
  benchmark::RunSpecifiedBenchmarks(&rates);
  benchmark::Shutdown();
  print_ratios(rates);
  print_shares(rates);
  print_layers(rates);
  print_cycles(rates);
  return 0;
}
