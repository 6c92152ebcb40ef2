// Writes what the fuzzers start from: small files as the program itself writes them, and a few of others.
//   make_seeds FOLDER    makes FOLDER/npz, FOLDER/npy and so on
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "aria/archive/archive.hpp"
#include "aria/archive/pareto_archive.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/npz.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/persistence/state_file.hpp"
#include "aria/run/run_loop.hpp"
#include "aria/run/summary.hpp"
#include "tests/persistence/zip_maker.hpp"

namespace {

namespace fs = std::filesystem;
using aria::testing::float_npy;
using aria::testing::npy_bytes;

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

aria::Grid grid() { return aria::Grid(aria::GridShape{{3, 3}, {0, 0}, {1, 1}}); }

aria::Archive archive() {
  aria::Archive result(grid(), 2);
  const aria::Matrix genotypes(2, 2, {1, 2, 3, 4});
  const aria::Matrix descriptors(2, 2, {0.1f, 0.2f, 0.8f, 0.9f});
  result.insert(genotypes, std::vector<float>{-1, -2}, descriptors);
  return result;
}

aria::ParetoArchive fronts() {
  aria::ParetoArchive result(grid(), 2, 4);
  const aria::Matrix genotypes(2, 2, {1, 2, 3, 4});
  const aria::Matrix descriptors(2, 2, {0.1f, 0.2f, 0.2f, 0.1f});
  result.insert(genotypes, std::vector<float>{-1, -2}, std::vector<float>{-2, -1}, descriptors);
  return result;
}

aria::RunProgress progress() {
  aria::RunProgress result;
  result.evaluations = 10;
  result.log.add(10, {"MAP-Elites", 100, 3, -1});
  return result;
}

aria::Reevaluation reevaluation() {
  aria::Reevaluation table;
  table.samples = 4;
  table.grid = grid();
  table.objective_mean = {1, 2};
  table.objective_std = {0, 0.5f};
  table.measures_mean = aria::Matrix(2, 2, {0.1f, 0.2f, 0.3f, 0.4f});
  table.measures_std = aria::Matrix(2, 2, {0, 0, 0.1f, 0.1f});
  table.descriptor_variance = {0, 0.02};
  table.cell_probability = table.cell_probability_lower = table.cell_probability_upper = {0.5f, 1};
  table.index = {0, 4};
  table.non_finite = {0, 1};
  return table;
}

// The members of a file, as the harness `state` takes them.
std::string parts_of(const fs::path& path, const aria::State& state) {
  aria::write_state(path, state, {});
  const aria::NpzReader reader(path);
  std::string result;
  for (const std::string& member : reader.members())
    result += member + "\n\n" + reader.read_text(member, 1 << 20) + "\n\n";
  fs::remove(path);
  return result;
}

void make_npz(const fs::path& folder) {
  fs::create_directories(folder);
  const aria::Matrix solutions(2, 1, {1, 2});
  aria::write_archive(folder / "archive", archive().table());
  aria::write_state(folder / "state", archive().save(), {{"note", "text"}});
  aria::write_reevaluation(folder / "reevaluations", reevaluation(), solutions);
  const std::string rows = float_npy({1, 2}, "(2, 1)");
  write(folder / "bare", aria::testing::make_zip({{"solution.npy", rows}}));
  const std::string deflated = aria::testing::deflate_without_compression(rows);
  const auto size = static_cast<std::uint32_t>(rows.size());
  write(folder / "deflated",
        aria::testing::make_zip({{"solution.npy", deflated, 8, size, {}, aria::testing::zip_crc(rows)}}));
  write(folder / "zip64", aria::testing::make_zip({{"solution.npy", rows}}, 1));
}

void make_npy(const fs::path& folder) {
  write(folder / "floats", float_npy({1, 2, 3, 4, 5, 6}, "(3, 2)"));
  write(folder / "fortran",
        npy_bytes("{'descr': '>f8', 'fortran_order': True, 'shape': (2, 2), }", std::string(32, '\x3f')));
  write(folder / "halves",
        npy_bytes("{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", "\x01\x3c\x02\x7c", 2));
  for (const char* type : {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
    const std::string dict = std::string("{'descr': '") + (type[1] == '1' ? "|" : "<") + type +
                             "', 'fortran_order': False, 'shape': (2,), }";
    write(folder / type, npy_bytes(dict, std::string(2 * static_cast<std::size_t>(type[1] - '0'), '\x7f')));
  }
}

void make_texts(const fs::path& folder) {
  write(folder / "csv/plain",
        ",solution_0,solution_1,objective,measures_0,index\n0,1.5,2e-3,-1,0.5,0\n1,-4,5,6,0.25,1\n");
  write(folder / "csv/quoted", "\xef\xbb\xbf\"solution_0\",\"a \"\"b\"\"\"\r\n\" 1 \",x\r\n\r\n2,y\r\n");
  write(folder / "toml/run",
        "task = \"arm\"\nalgorithm = \"aria-me\"\nseed = 1\npreset = \"paper\"\nreevaluations = 1024\n"
        "input_checksum = \"00\"\n\n[settings]\ngrid = [32, 32]\nsigma = 0.02\nname = 'x'\n");
  write(folder / "toml/study",
        "task = \"arm\"\nalgorithms = [\"aria-me\", \"map-elites\"]\nreplications = 2\nseed = 1\n\n[settings]\nbatch = "
        "3\n"
        "\n[settings.aria-me]\npairs = 32\n");
}

void make_json(const fs::path& folder) {
  aria::RunSummary summary;
  summary.task = "arm";
  summary.algorithm = "map-elites";
  summary.result.illusory = aria::ArchiveScores{};
  write(folder / "summary", summary.to_json());
  const fs::path file = folder / "file";
  const aria::Matrix solutions(2, 1, {1, 2});
  aria::write_archive(file, archive().table());
  const auto header = [&] { return aria::NpzReader(file).read_text("header.json", 1 << 20); };
  write(folder / "archive", header());
  aria::write_reevaluation(file, reevaluation(), solutions);
  write(folder / "reevaluations", header());
  aria::write_state(file, archive().save(), {{"note", "text"}});
  write(folder / "state", header());
  fs::remove(file);
}

void make_state(const fs::path& folder) {
  fs::create_directories(folder);
  write(folder / "archive", parts_of(folder / "file", archive().save()));
  write(folder / "fronts", parts_of(folder / "file", fronts().save()));
  write(folder / "progress", parts_of(folder / "file", progress().save()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_seeds FOLDER\n", stderr);
    return 2;
  }
  const fs::path folder = argv[1];
  make_npz(folder / "npz");
  make_npy(folder / "npy");
  make_texts(folder);
  make_json(folder / "json");
  make_state(folder / "state");
  return 0;
}
