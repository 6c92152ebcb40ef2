// Files go to NumPy and come from it.
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/npz.hpp"
#include "file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::full_table;
using aria::testing::has_python;
using aria::testing::run_python;
using aria::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NumPy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  }
  TemporaryFolder folder_;
};

TEST_F(NumPy, OpensAnArchiveWithoutPickle) {
  write_archive(folder_ / "a.npz", full_table());
  const std::string output = run_python(R"(
import json, sys
import numpy as np
with np.load(sys.argv[1], allow_pickle=False) as f:
    expected = dict(solution=('float32', (3, 2)), objective=('float32', (3,)), measures=('float32', (3, 2)),
        index=('int32', (3,)), objective_mean=('float32', (3,)), objective_std=('float32', (3,)),
        measures_mean=('float32', (3, 2)), measures_std=('float32', (3, 2)), cell_probability=('float32', (3,)),
        cell_probability_lower=('float32', (3,)), cell_probability_upper=('float32', (3,)), n_evals=('int64', (3,)),
        target_index=('int32', (3,)), centroids=('float32', (6, 2)))
    assert set(f.files) == set(expected) | {'header.json'}, f.files
    for name, (dtype, shape) in expected.items():
        assert f[name].dtype == dtype and f[name].shape == shape, name
    tiny = np.finfo(np.float32).smallest_subnormal
    huge = np.finfo(np.float32).max
    solution = np.array([[0.1, -0.0], [tiny, -tiny], [huge, -huge]], np.float32)
    assert f['solution'].tobytes() == solution.tobytes(), f['solution']
    assert f['objective'].tobytes() == np.array([-1.5, 0.0, -0.0], np.float32).tobytes()
    assert f['index'].tolist() == [0, 3, 5]
    assert f['n_evals'].tolist() == [1, 1 << 40, 1024]
    header = json.loads(f['header.json'])
    assert header['format'] == 'aria-archive' and header['version'] == 1
    assert header['grid'] == dict(cells=[2, 3], lower=[-0.0, -1 / 3], upper=[1.0, 0.1 + 0.2]), header['grid']
    assert header['task'] == 'arm' and header['provenance']['seed'] == '1'
print('as expected')
)",
                                        folder_ / "a.npz");
  EXPECT_THAT(output, HasSubstr("as expected"));
}

TEST_F(NumPy, WritesArchivesThatAreRead) {
  run_python(R"(
import sys
import numpy as np
solution = np.array([[0.1, -2.0, 1e-40], [3.0, 4.0, 5.0]])
columns = dict(objective=np.array([1, 2]), measures=np.asfortranarray([[0.1, 0.2], [0.3, 0.4]]).astype('>f4'),
    index=np.array([7, 8], '>i8'), threshold=np.zeros(2), who=np.array(['a', 'b']))
np.savez(sys.argv[1] + '-plain', solution=solution, **columns)
np.savez_compressed(sys.argv[1] + '-compressed', solution=solution, **columns)
np.savez(sys.argv[1] + '-single', solution=solution.astype(np.float32), **columns)
np.savez(sys.argv[1] + '-big', solution=solution.astype('>f8'), **columns)
np.savez(sys.argv[1] + '-fortran', solution=np.asfortranarray(solution), **columns)
)",
             folder_ / "a");
  for (const char* kind : {"plain", "compressed", "single", "big", "fortran"}) {
    const ArchiveTable table = read_archive(folder_ / (std::string("a-") + kind + ".npz"));
    EXPECT_EQ(table.solution, Matrix(2, 3, {0.1f, -2.0f, 1e-40f, 3, 4, 5})) << kind;
    EXPECT_THAT(table.objective, ElementsAre(1, 2)) << kind;
    EXPECT_EQ(table.measures, Matrix(2, 2, {0.1f, 0.2f, 0.3f, 0.4f})) << kind;
    EXPECT_THAT(table.index, ElementsAre(7, 8)) << kind;
  }
}

TEST_F(NumPy, WritesMatricesThatAreRead) {
  run_python(R"(
import sys
import numpy as np
for kind in ('<f2', '<f4', '>f4', '<f8', '>f8', 'i1', '<i2', '>i2', '<i4', '>i4', '<i8', '>i8', 'u1', '<u2', '>u8'):
    values = np.array([[1, 2, 3], [4, 5, 6]], kind)
    np.save(f'{sys.argv[1]}-{kind}-C.npy', values)
    np.save(f'{sys.argv[1]}-{kind}-F.npy', np.asfortranarray(values))
with open(sys.argv[1] + '-v3.npy', 'wb') as f:
    np.lib.format.write_array(f, np.array([[1, 2, 3], [4, 5, 6]], np.float32), version=(3, 0))
with open(sys.argv[1] + '-v2.npy', 'wb') as f:
    np.lib.format.write_array(f, np.array([[1, 2, 3], [4, 5, 6]], np.float32), version=(2, 0))
)",
             folder_ / "a");
  const std::vector<std::string> names = folder_.names();
  EXPECT_EQ(names.size(), 32u);
  for (const std::string& name : names) {
    EXPECT_EQ(read_archive(folder_ / name).solution, Matrix(2, 3, {1, 2, 3, 4, 5, 6})) << name;
  }
}

TEST_F(NumPy, WritesArraysOfObjectsThatAreRefused) {
  run_python(R"(
import sys
import numpy as np
np.savez(sys.argv[1], solution=np.array([[1, None]], object))
)",
             folder_ / "a.npz");
  EXPECT_THAT(aria::testing::error_of([&] { read_archive(folder_ / "a.npz"); }), HasSubstr("pickle"));
}

TEST_F(NumPy, CompressesWellAndIsStillRead) {
  run_python(R"(
import sys
import numpy as np
np.savez_compressed(sys.argv[1], solution=np.zeros((1000, 1000), np.float32))
)",
             folder_ / "a.npz");
  EXPECT_EQ(read_archive(folder_ / "a.npz").solution, Matrix(1000, 1000));
}

}  // namespace
}  // namespace aria
