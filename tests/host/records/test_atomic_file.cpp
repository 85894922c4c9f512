#include "records/child.hpp"
#include "records/temp_folder.hpp"
#include "records/traced_child.hpp"
#include "store/atomic_file.hpp"
#include "store/open_file.hpp"
#include "store/text_file.hpp"
#include "test_core/errors.hpp"

#include <doctest/doctest.h>

#include <array>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::test;
namespace fs = std::filesystem;

TEST_CASE("a file is written whole, over an old one too, and nothing else is left") {
    const TempFolder folder;
    write_atomically(folder / "a", "first");
    CHECK(read_file(folder / "a") == "first");
    write_atomically(folder / "a", std::string("second\0\n", 8));
    CHECK(read_file(folder / "a") == std::string("second\0\n", 8));
    write_atomically(folder / "a", "");
    CHECK(read_file(folder / "a").empty());
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("permissions are kept, and a symbolic link leads to the file that is written") {
    const TempFolder folder;
    write_atomically(folder / "a", "old");
    fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("a", folder / "link");
    write_atomically(folder / "link", "new");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(read_file(folder / "a") == "new");
    CHECK(fs::status(folder / "a").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    fs::create_symlink("not_there_yet", folder / "dangling");
    write_atomically(folder / "dangling", "new");
    CHECK(fs::is_symlink(folder / "dangling"));
    CHECK(read_file(folder / "not_there_yet") == "new");
}

TEST_CASE("a disk that fills up keeps the old file and leaves nothing beside it") {
    const TempFolder folder;
    write_atomically(folder / "a", "old");
    CHECK(in_child([&] {
              limit_file_size(1000);
              const std::string sentence = error_of(
                  [&] { write_atomically(folder / "a", std::string(2000, 'x')); }, ErrorKind::failed);
              return has_words(sentence, {(folder / "a").string(), "unchanged", "errno 27"}) ? 0 : 1;
          }) == 0);
    CHECK(read_file(folder / "a") == "old");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("a full device is an error with its reason") {
    check_words(error_of([] { write_atomically("/dev/full", "x"); }, ErrorKind::failed),
                {"/dev/full", "No space left on device", "errno 28"});
}

TEST_CASE("a pipe is written to and not replaced") {
    const TempFolder folder;
    const fs::path path = folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const OpenFile reader(path, O_RDWR); // so that neither end waits for the other
    write_atomically(path, "through");
    std::array<char, 16> bytes{};
    CHECK(read(reader.get(), bytes.data(), bytes.size()) == 7);
    CHECK(fs::is_fifo(path));
}

TEST_CASE("a pipe is refused as an output before anything waits for its reader") {
    const TempFolder folder;
    const fs::path path = folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    check_words(error_of([&] { check_writable(path); }), {path.string(), "is a pipe"});
    fs::create_symlink("pipe", folder / "link");
    check_words(error_of([&] { check_writable(folder / "link"); }), {"link", "is a pipe"});
    CHECK(folder.names() == std::set<std::string>{"link", "pipe"});
}

TEST_CASE("a pipe is read as it is filled") {
    const TempFolder folder;
    const fs::path path = folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::thread writer([&] {
        OpenFile end(path, O_WRONLY); // waits for the reader
        end.write_all("first, ");
        end.write_all(std::string(100'000, 'x'));
    });
    const std::string text = read_file(path);
    writer.join();
    CHECK(text == "first, " + std::string(100'000, 'x'));
}

TEST_CASE("writing where nothing can be written is an error that names the path") {
    const TempFolder folder;
    check_words(error_of([&] { write_atomically(folder / "gone" / "a", "x"); }, ErrorKind::failed),
                {"gone/a"});
    check_words(error_of([&] { write_atomically(folder.path(), "x"); }, ErrorKind::failed),
                {folder.path().string()});
    check_words(error_of([&] { write_atomically("/proc/version", "x"); }, ErrorKind::failed),
                {"/proc/version"});
}

TEST_CASE("whether a file can be written is found out without leaving a trace") {
    const TempFolder folder;
    write_atomically(folder / "a", "old");
    const auto time = fs::last_write_time(folder / "a");
    CHECK_NOTHROW(check_writable(folder / "a"));
    CHECK_NOTHROW(check_writable(folder / "b"));
    CHECK_NOTHROW(check_writable("/dev/null"));
    CHECK(folder.names() == std::set<std::string>{"a"});
    CHECK(read_file(folder / "a") == "old");
    CHECK(fs::last_write_time(folder / "a") == time);

    check_words(error_of([] { check_writable(""); }), {"empty"});
    check_words(error_of([&] { check_writable(folder.path()); }), {"is a folder"});
    check_words(error_of([&] { check_writable(folder / "gone" / "b"); }), {"gone/b", "there is no folder"});
    check_words(error_of([&] { check_writable(folder / "a" / "b"); }), {"a/b", "folder"});
    check_words(error_of([] { check_writable("/proc/tune_gemm_test"); }), {"/proc/tune_gemm_test", "errno"});
    check_words(error_of([] { check_writable("relative_folder_that_is_not_there/b"); }),
                {"there is no folder"});
    CHECK(in_child([&] { // a disk that is full, or a quota that is used up
              limit_file_size(0);
              return has_words(error_of([&] { check_writable(folder / "a"); }), {"errno 27"}) ? 0 : 1;
          }) == 0);
    CHECK(folder.names() == std::set<std::string>{"a"});
    if (geteuid() != 0) { // root may write everything
        fs::permissions(folder / "a", fs::perms::owner_read);
        check_words(error_of([&] { check_writable(folder / "a"); }), {"Permission denied"});
    }
}

TEST_CASE("a kill at any system call leaves the old file or the new one") {
    const TempFolder folder;
    int old_files = 0, new_files = 0;
    bool ended = false;
    for (int stop = 0; !ended; ++stop) {
        REQUIRE(stop < 1000);
        write_atomically(folder / "a", "old");
        {
            TracedChild child([&] {
                write_atomically(folder / "a", "new");
                return 0;
            });
            for (int i = 0; i < stop && !child.has_ended(); ++i)
                child.go_on();
            ended = child.has_ended();
            CHECK((!ended || child.has_succeeded()));
        } // killed here
        const std::string text = read_file(folder / "a");
        CAPTURE(stop);
        CHECK((text == "old" || text == "new"));
        (text == "old" ? old_files : new_files) += 1;
    }
    CHECK(read_file(folder / "a") == "new");
    CHECK(old_files > 10); // both sides of the rename were seen
    CHECK(new_files > 2);
}

TEST_CASE("a file is synced before it takes the place of the old one, and the folder after that") {
    const TempFolder folder;
    CHECK(durable_calls([&] {
              write_atomically(folder / "a", "new");
              return 0;
          }) == "wsrs");
}

TEST_CASE("files that cannot be read are named with the reason") {
    const TempFolder folder;
    check_words(error_of([&] { read_file(folder / "a"); }),
                {"/a: cannot be read", "No such file", "errno 2"});
    check_words(error_of([&] { read_file(folder.path()); }), {"cannot be read", "errno 21"});
    write_atomically(folder / "a", "12345");
    check_words(error_of([&] { read_file(folder / "a", 4); }), {"larger than the 4 bytes"});
    CHECK(read_file(folder / "a", 5) == "12345");
    CHECK(read_text_or_empty(folder / "b").empty());
}
