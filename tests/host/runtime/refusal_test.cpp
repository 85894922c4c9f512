// Files that are no plugins, and plugins that are wrong: each is refused with a sentence, and the host lives
// on.
#include "runtime/registry.hpp"
#include "scratch.hpp"

#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
namespace fs = std::filesystem;

namespace {

RegistryOptions quick_options() {
    RegistryOptions options;
    options.probe_deadline = std::chrono::milliseconds(10'000);
    return options;
}

/// The Error that inspecting the file gives; the test fails when it gives none.
Error refusal_of(const fs::path& file, const RegistryOptions& options = quick_options()) {
    try {
        inspect_file(file, options);
    } catch (const Error& error) {
        return error;
    }
    FAIL("not refused: ", file.string());
    return Error(ErrorKind::failed, "");
}

void check_says(const Error& error, const std::vector<std::string>& parts) {
    const std::string sentence = error.what();
    INFO(sentence);
    for (const std::string& part : parts) {
        INFO("expected in it: ", part);
        CHECK(sentence.find(part) != std::string::npos);
    }
    CHECK((sentence.back() == '.' || sentence.ends_with(')'))); // the system's own words end with "(errno 2)"
}

} // namespace

TEST_CASE("a sound plugin is described") {
    const Scratch scratch;
    const PluginInfo info = inspect_file(scratch.plugin("sound"), quick_options());
    CHECK(info.name == "test plugin");
    CHECK(info.path == scratch.path("sound.so"));
    CHECK(info.sha256.size() == 64);
    CHECK(info.abi_major == 1);
    REQUIRE(info.kernels.size() == 2);
    CHECK(info.kernels[0].id == "test.sound");
    CHECK(info.kernels[0].unusable.empty());
    CHECK(info.kernels[0].loop_identity == info.sha256 + ":0");
    CHECK(info.kernels[1].loop_identity == info.sha256 + ":0"); // two names of one loop
    REQUIRE(info.kernels[0].tiles.size() == 1);
    CHECK(info.kernels[0].tiles[0].mr == 4);
    CHECK(info.kernels[0].kernel == nullptr);
}

TEST_CASE("wrong plugins are refused with a sentence that says what is wrong") {
    struct Wrong {
        std::string plugin;
        std::vector<std::string> says;
    };
    const Wrong all[] = {
        {"abort_constructor", {"crashed with SIGABRT", "constructors"}},
        {"exit_constructor", {"exited with status 0 before it answered"}},
        {"next_major", {"major version 2", "loads version 1"}},
        {"wrong_major", {"abi_major is 2", "major version 1"}},
        {"wrong_magic", {"magic number", "0x12345678"}},
        {"short_struct", {"struct_size is 32", "at least"}},
        {"no_symbol", {"no plugin", "tune_gemm_plugin_v1", "extern \"C\"", "visibility"}},
        {"mangled", {"C++ name _ZN4mine19tune_gemm_plugin_v1E", "extern \"C\""}},
        {"init_refuses", {"init refuses", "TG_UNSUPPORTED", "the license server does not answer"}},
        {"undefined_symbol", {"loader", "tune_gemm_test_nobody_has_this"}},
        {"executable_stack", {"executable stack", "-z noexecstack"}},
        {"text_relocation", {"TEXTREL", "-fPIC"}},
        {"missing_library", {"loader", "libleft_behind.so"}}, // it lies beside the plugin as it was built
        {"twice", {"test.twice", "two of its kernels"}},
        {"bad_id", {"kernels[0]", "microkernel_id", "Test Kernel"}},
    };
    const ScopedVariable no_folders("LD_LIBRARY_PATH", ""); // which whoever runs the tests may have set
    const Scratch scratch;
    for (const Wrong& wrong : all) {
        CAPTURE(wrong.plugin);
        const fs::path file = scratch.plugin(wrong.plugin);
        const Error error = refusal_of(file);
        CHECK(error.kind() == ErrorKind::failed);
        check_says(error, wrong.says);
        check_says(error, {file.string() + ": "});
    }
    CHECK(fs::exists(scratch.path("cache")) == false); // failures are asked again
    CHECK_NOTHROW(inspect_file(scratch.plugin("sound"), quick_options()));
}

TEST_CASE("a constructor that never returns ends at the deadline") {
    const Scratch scratch;
    RegistryOptions options;
    options.probe_deadline = std::chrono::milliseconds(300);
    check_says(refusal_of(scratch.plugin("hang_constructor"), options), {"gave no answer within 300 ms"});
}

TEST_CASE("a plugin that prints without end, and one without the newest fields, are taken") {
    const Scratch scratch;
    CHECK(inspect_file(scratch.plugin("init_prints"), quick_options()).kernels.size() == 1);
    CHECK(inspect_file(scratch.plugin("shorter_struct"), quick_options()).kernels.size() == 1);
}

TEST_CASE("a truncated plugin is refused before anything loads it, whatever its length") {
    const Scratch scratch;
    const std::string whole = Scratch::read(scratch.plugin("sound"));
    const ScopedVariable no_worker("TUNE_GEMM_WORKER", "/no/such/worker");
    std::vector<std::size_t> lengths{0,
                                     1,
                                     4,
                                     40,
                                     63,
                                     64,
                                     65,
                                     200,
                                     1000,
                                     whole.size() / 4,
                                     whole.size() / 2,
                                     whole.size() - 100,
                                     whole.size() - 1};
    for (std::size_t page = 4096; page < whole.size(); page += 4096)
        lengths.push_back(page);
    for (const std::size_t length : lengths) {
        CAPTURE(length);
        const Error error = refusal_of(scratch.file("cut.so", whole.substr(0, length)));
        CHECK(error.kind() == ErrorKind::failed);
        check_says(error, {length == 0  ? "is empty"
                           : length < 4 ? "does not begin as an ELF file does"
                                        : "truncated"});
    }
}

TEST_CASE("what is no shared library is refused, saying what it is") {
    const Scratch scratch;
    check_says(refusal_of(scratch.file("text.so", "#!/bin/sh\n")), {"no shared library"});
    check_says(refusal_of(scratch.file("archive.so", "!<arch>\nmore")), {"static library"});

    std::string other = Scratch::read(scratch.plugin("sound"));
    other[18] = static_cast<char>(other[18] ^ 0x55); // e_machine
    check_says(refusal_of(scratch.file("other.so", other)), {"another architecture"});
    std::string object = Scratch::read(scratch.plugin("sound"));
    object[16] = 1; // e_type: ET_REL
    check_says(refusal_of(scratch.file("object.so", object)), {"not yet linked"});
}

TEST_CASE("what is no regular file is bad input, saying what it is") {
    const Scratch scratch;
    scratch.plugin("sound"); // makes the folder safe
    REQUIRE(::mkfifo(scratch.path("fifo.so").c_str(), 0600) == 0);
    fs::create_directory(scratch.path("folder.so"));
    fs::create_symlink("nowhere", scratch.path("dangling.so"));
    fs::create_symlink("loop.so", scratch.path("loop.so"));
    const std::pair<std::string, std::vector<std::string>> all[] = {
        {"fifo.so", {"a FIFO", "regular file"}},
        {"folder.so", {"a folder"}},
        {"dangling.so", {"link to \"nowhere\"", "nothing is there"}},
        {"loop.so", {"link to \"loop.so\""}},
        {"absent.so", {"No such file"}},
    };
    for (const auto& [plugin, says] : all) {
        const auto& name = plugin; // clang 14 captures no structured bindings
        CAPTURE(name);
        const Error error = refusal_of(scratch.path(name));
        CHECK(error.kind() == ErrorKind::bad_input);
        check_says(error, says);
        check_says(error, {scratch.path(name).string()});
    }
    check_says(refusal_of("/dev/null"), {"a device"});
    if (::geteuid() != 0) {
        ::chmod(scratch.path("sound.so").c_str(), 0);
        check_says(refusal_of(scratch.path("sound.so")), {"Permission denied"});
    }
}

TEST_CASE("files and folders that others can write are refused, unless that is allowed") {
    const Scratch scratch;
    const fs::path file = scratch.plugin("sound", "in/sound.so");
    RegistryOptions unsafe = quick_options();
    unsafe.allow_unsafe_path = true;
    const auto refused_with = [&](const fs::path& changed, mode_t mode,
                                  const std::vector<std::string>& says) {
        const mode_t before = static_cast<mode_t>(fs::status(changed).permissions());
        REQUIRE(::chmod(changed.c_str(), mode) == 0);
        const Error error = refusal_of(file);
        CHECK(error.kind() == ErrorKind::bad_input);
        check_says(error, says);
        check_says(error, {changed.string(), "--allow-unsafe-path"});
        CHECK_NOTHROW(inspect_file(file, unsafe));
        REQUIRE(::chmod(changed.c_str(), before) == 0);
        CHECK_NOTHROW(inspect_file(file, quick_options()));
    };
    refused_with(file, 0666, {"everybody", "0666", "chmod go-w"});
    refused_with(file, 0664, {"its group", "0664"});
    refused_with(file.parent_path(), 0777, {"everybody", "0777"});
    refused_with(file.parent_path(), 0775, {"its group", "0775"});
    refused_with(file.parent_path().parent_path(), 0777, {"everybody", "0777"}); // a folder further up

    // In a folder like /tmp nobody can replace the files of others.
    REQUIRE(::chmod(file.parent_path().c_str(), 01777) == 0);
    CHECK_NOTHROW(inspect_file(file, quick_options()));

    // A link is as good as the folder that it lies in, and a file as good as where it really is.
    fs::create_directory(scratch.path("open"));
    REQUIRE(::chmod(scratch.path("open").c_str(), 0777) == 0);
    fs::create_symlink(file, scratch.path("open/link.so"));
    check_says(refusal_of(scratch.path("open/link.so")), {scratch.path("open").string(), "everybody"});
    scratch.plugin("sound", "open/sound.so");
    REQUIRE(::chmod(scratch.path("open").c_str(), 0777) == 0);
    fs::create_symlink("../open/sound.so", scratch.path("in/link.so"));
    check_says(refusal_of(scratch.path("in/link.so")), {scratch.path("open").string(), "everybody"});
}

TEST_CASE("files of other users are refused") {
    if (::geteuid() != 0) {
        MESSAGE("not run: only root can give a file to somebody else");
        return;
    }
    const Scratch scratch;
    const fs::path file = scratch.plugin("sound");
    REQUIRE(::chown(file.c_str(), 12345, 12345) == 0);
    const Error error = refusal_of(file);
    CHECK(error.kind() == ErrorKind::bad_input);
    check_says(error, {"belongs to user 12345", "--allow-unsafe-path"});
}
