#include "aria/persistence/folder_lock.hpp"

#include <chrono>
#include <optional>
#include <thread>

#include "file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(FolderLock, IsHeldByOneAtATime) {
  const TemporaryFolder folder;
  std::optional<FolderLock> first(folder.path());
  EXPECT_THAT(error_of([&] { FolderLock second(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("is being written by another process")));
  first.reset();
  const FolderLock second(folder.path());
  EXPECT_THAT(folder.names(), IsEmpty()) << "a lock leaves no file";
}

TEST(FolderLock, WaitsForAProcessThatIsAboutToEnd) {
  const TemporaryFolder folder;
  std::optional<FolderLock> first(folder.path());
  std::thread ends_soon([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    first.reset();
  });
  EXPECT_NO_THROW(FolderLock second(folder.path()));
  ends_soon.join();
}

TEST(FolderLock, IsOfOneFolderOnly) {
  const TemporaryFolder one;
  const TemporaryFolder other;
  const FolderLock first(one.path());
  EXPECT_NO_THROW(FolderLock second(other.path()));
}

}  // namespace
}  // namespace aria
