#include "aria/persistence/atomic_file.hpp"

#include <sys/stat.h>

#include "aria/persistence/npz.hpp"
#include "file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::FileSizeLimit;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(AtomicFile, WritesANewFileAndNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", std::string_view("x\0y", 3));
  EXPECT_EQ(read_bytes(folder / "a"), std::string("x\0y", 3));
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(AtomicFile, ReplacesAnOldFile) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "a longer old text");
  write_file_atomically(folder / "a", "new");
  EXPECT_EQ(read_bytes(folder / "a"), "new");
}

TEST(AtomicFile, GivesTheFileTheUsualPermissions) {
  const TemporaryFolder folder;
  write_bytes(folder / "usual", "");
  write_file_atomically(folder / "a", "new");
  EXPECT_EQ(std::filesystem::status(folder / "a").permissions(),
            std::filesystem::status(folder / "usual").permissions());
}

TEST(AtomicFile, WritesANameAsLongAsTheSystemAllows) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  write_file_atomically(folder / name, "new");
  EXPECT_THAT(folder.names(), ElementsAre(name));
}

TEST(AtomicFile, ReplacesTheFileBehindASymbolicLink) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "old");
  std::filesystem::create_symlink("file", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(folder / "file"), "new");
}

TEST(AtomicFile, NamesThePathAndTheReasonWhereTheFolderIsMissing) {
  const TemporaryFolder folder;
  const auto path = folder / "missing/a";
  EXPECT_THAT(error_of([&] { write_file_atomically(path, "new"); }),
              AllOf(StartsWith(path.string() + ": "), HasSubstr("No such file or directory")));
}

TEST(AtomicFile, RefusesAPathBelowAFile) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "old");
  EXPECT_THAT(error_of([&] { write_file_atomically(folder / "file/a", "new"); }), HasSubstr("Not a directory"));
  EXPECT_EQ(read_bytes(folder / "file"), "old");
}

TEST(AtomicFile, RefusesToReplaceAFolderOrAPipe) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inner");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { write_file_atomically(folder / "inner", "new"); }), HasSubstr("must be a regular file"));
  EXPECT_THAT(error_of([&] { write_file_atomically(folder / "inner/", "new"); }), HasSubstr("name of a file"));
  EXPECT_THAT(error_of([&] { write_file_atomically(folder / "pipe", "new"); }), HasSubstr("must be a regular file"));
  EXPECT_THAT(folder.names(), ElementsAre("inner", "pipe"));
}

TEST(AtomicFile, KeepsTheOldFileWhereWritingFails) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "old");
  const std::string large(100000, 'x');
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = error_of([&] { write_file_atomically(folder / "a", large); });
  }
  EXPECT_THAT(message, AllOf(HasSubstr("cannot write it"), HasSubstr("File too large")));
  EXPECT_EQ(read_bytes(folder / "a"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(AtomicFile, KeepsTheOldFileWhereTheCallbackThrows) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "old");
  const auto fill = [&](const std::filesystem::path& temporary) {
    EXPECT_EQ(temporary.parent_path(), folder.path());
    write_bytes(temporary, "half");
    throw std::runtime_error("on purpose");
  };
  EXPECT_THROW(write_file_atomically(folder / "a", fill), std::runtime_error);
  EXPECT_EQ(read_bytes(folder / "a"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

// A full disk may show at any byte of a zip: in an array, in the directory, in the very last bytes.
TEST(AtomicFile, KeepsTheOldArraysWhereverTheDiskIsFull) {
  const TemporaryFolder folder;
  const std::vector<float> small(10, 1.0f);
  const std::vector<float> large(1000, 2.0f);
  NpzWriter writer;
  writer.add("small", small);
  writer.add("large", large);
  writer.save(folder / "whole.npz");
  const auto whole = std::filesystem::file_size(folder / "whole.npz");
  write_bytes(folder / "a.npz", "old");
  for (const std::uintmax_t room :
       {std::uintmax_t{0}, std::uintmax_t{10}, std::uintmax_t{1000}, whole - 30, whole - 1}) {
    std::string message;
    {
      const FileSizeLimit limit(room);
      message = error_of([&] { writer.save(folder / "a.npz"); });
    }
    EXPECT_THAT(message, AllOf(StartsWith((folder / "a.npz").string()), HasSubstr("File too large"))) << room;
    EXPECT_EQ(read_bytes(folder / "a.npz"), "old") << room;
    EXPECT_THAT(folder.names(), ElementsAre("a.npz", "whole.npz")) << room;
  }
}

TEST(UnfinishedFiles, AreNothing) {
  const TemporaryFolder folder;
  EXPECT_TRUE(holds_nothing_finished(folder.path()));
  write_bytes(folder / ".aria-12-0.tmp", "");
  EXPECT_TRUE(holds_nothing_finished(folder.path()));
  write_bytes(folder / "a", "");
  EXPECT_FALSE(holds_nothing_finished(folder.path()));
  EXPECT_FALSE(holds_nothing_finished(folder / "missing"));
}

TEST(UnfinishedFiles, AreRemovedAndNothingElse) {
  const aria::testing::TemporaryFolder folder;
  for (const char* name : {".aria-12-0.tmp", "archive.npz", ".aria-notes", "x.tmp"}) {
    aria::testing::write_bytes(folder / name, "x");
  }
  remove_unfinished_files(folder.path());
  EXPECT_THAT(folder.names(), ::testing::ElementsAre(".aria-notes", "archive.npz", "x.tmp"));
  EXPECT_NO_THROW(remove_unfinished_files(folder / "missing"));
}

}  // namespace
}  // namespace aria
