// tune-gemm: the command line.
#include "cli/command.hpp"
#include "report/visible.hpp"
#include "runtime/environment_record.hpp"

#include <tune_gemm/abi.h>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace tune_gemm::host {
namespace {

int complain(std::string_view sentence, int exit_code) {
    std::fflush(stdout); // what was printed before comes first
    const std::string line = fmt::format("tune-gemm: {}\n", visible(sentence));
    std::fwrite(line.data(), 1, line.size(),
                stderr); // there is nobody to tell that this failed; the exit code does
    return exit_code;
}

/// An option that there is none of, in the words of a sentence; empty when what is left over is no option.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& left) {
    const auto found = std::find_if(left.begin(), left.end(), [](const std::string& argument) {
        return argument.size() > 1 && argument.front() == '-';
    });
    if (found == left.end())
        return {};
    const std::string name = found->substr(0, found->find('='));
    std::vector<std::string> known;
    const auto add_options = [&known](const CLI::App& app) {
        for (const CLI::Option* option : app.get_options())
            known.push_back("--" + option->get_single_name());
    };
    add_options(command);
    for (const CLI::App* part : command.get_subcommands([](const CLI::App*) { return true; }))
        add_options(*part); // a group of options
    const std::string near = nearest_text(name, known);
    return fmt::format("There is no option {}{}", name,
                       near.empty() ? "." : fmt::format("; did you mean {}?", near));
}

/// What CLI11 says of a command's arguments, as a sentence.
std::string argument_sentence(const CLI::App& command, const CLI::ParseError& error) {
    const std::vector<std::string> left = command.remaining();
    if (const std::string sentence = unknown_option(command, left); !sentence.empty())
        return sentence;
    const std::string what = error.what(), name = what.substr(0, what.find(':'));
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
        return fmt::format("\"{}\" was not expected.", what.substr(what.find(": ") + 2));
    if (error.get_name() == "ArgumentMismatch" && what.ends_with(" missing")) {
        constexpr std::string_view mark = " required ";
        const std::size_t at = what.find(mark) + mark.size();
        return fmt::format("{} needs a value: {}.", name, what.substr(at, what.rfind(' ') - at));
    }
    if (error.get_name() == "ArgumentMismatch" && what.find("At Most 1") != std::string::npos)
        return fmt::format("{} was given more than once; give it once.", name);
    if (constexpr std::string_view one_of = "Exactly 1 option from ["; what.starts_with(one_of)) {
        std::string names;
        for (const char c : what.substr(one_of.size(), what.find(']') - one_of.size()))
            names += c == ',' ? std::string(", ") : std::string(1, c);
        return what.ends_with("given") ? fmt::format("Of {} only one may be given.", names)
                                       : fmt::format("One of {} is needed.", names);
    }
    if (error.get_name() == "ConversionError" && what.find(" = ") != std::string::npos) {
        const std::string option = what.substr(what.find("--"), what.find(" = ") - what.find("--"));
        return fmt::format("{} takes no value.", option);
    }
    return what.ends_with('.') ? what : what + '.';
}

/// What CLI11 says, as a sentence, with the place where help is.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    std::string sentence = unknown_option(app, app.remaining());
    const std::vector<CLI::App*> used = app.get_subcommands();
    if (sentence.empty() && !used.empty())
        return fmt::format("{} See tune-gemm {} --help.", argument_sentence(*used.front(), error),
                           used.front()->get_name());
    if (sentence.empty() && argc > 1) {
        std::vector<std::string> names;
        for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
            names.push_back(command->get_name());
        const std::string near = nearest_text(argv[1], names);
        sentence = fmt::format("There is no command \"{}\"{}", argv[1],
                               near.empty() ? "." : fmt::format("; did you mean {}?", near));
    }
    return sentence + " See tune-gemm --help.";
}

std::string version_text() {
    return fmt::format("tune-gemm {} (plugin interface {}.{})", library_version(), TG_ABI_MAJOR,
                       TG_ABI_MINOR);
}

constexpr const char* description =
    "Finds out whether a GEMM kernel is right, and what makes it fast on this machine.\n";

constexpr const char* examples = R"(Examples:
  tune-gemm list                                  kernels that are there
  tune-gemm new mine                              begin a kernel of your own
  tune-gemm inspect ./mine.so                     what a plugin file says of itself
  tune-gemm check ./mine.so                       does it keep the contract?
  tune-gemm profile ./mine.so                     where its time goes, and what bounds it next
  tune-gemm run --shape 100x200x300 --kernel ID   one product, verified and timed
  tune-gemm tune --shape 512x512x512              the best blocking, validated and confirmed

Exit codes: 0 done, 1 found wrong, 2 bad input, 77 nothing could run here, 130 interrupted.
tune-gemm COMMAND --help explains a command.)";

/// An empty argument is a shell variable that was not set. Taken for an option that was not given, it would
/// silently ask for something else.
std::string empty_argument(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.empty())
            return i > 1 ? fmt::format("The argument after \"{}\" is empty; give a value, or leave both out.",
                                       argv[i - 1])
                         : std::string("The first argument is empty; a command was expected.");
        if (argument.starts_with("--") && argument.ends_with('='))
            return fmt::format("\"{}\" has no value; give one, or leave it out.", argument);
    }
    return {};
}

/// Help with one blank line between the groups of options, where CLI11 has two or none, and all groups alike.
class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        std::string help = Formatter::make_help(app, std::move(name), mode);
        for (std::size_t at; (at = help.find("\n\n\n")) != std::string::npos;)
            help.erase(at, 1);
        return help;
    }
    std::string make_expanded(const CLI::App* part) const override {
        if (!part->get_name().empty())
            return Formatter::make_expanded(part);
        // A group of options that belong together.
        return make_group(
            part->get_description(), false,
            part->get_options([part](const CLI::Option* option) { return option != part->get_help_ptr(); }));
    }
};

int run(int argc, char** argv) {
    CLI::App app(description, "tune-gemm");
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text(), "Print the versions of program and plugin interface");
    app.set_help_flag("-h,--help", "Print this");
    app.formatter(std::make_shared<HelpFormatter>()); // before the commands, which inherit it
    app.get_formatter()->column_width(32);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");

    int exit_code = 0;
    add_list_command(app, exit_code);
    add_inspect_command(app, exit_code);
    add_run_command(app, exit_code);
    add_check_command(app, exit_code);
    add_tune_command(app, exit_code);
    add_env_command(app, exit_code);
    add_new_command(app, exit_code);
    add_profile_command(app, exit_code);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        command->group("Commands");
    app.footer(examples); // after the commands, which would take it over

    if (argc < 2) {
        std::fputs(app.help().c_str(), stderr);
        return 2;
    }
    if (const std::string sentence = empty_argument(argc, argv); !sentence.empty())
        return complain(sentence + " See tune-gemm --help.", 2);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return app.exit(error); // help or version, on standard output
        return complain(usage_sentence(app, error, argc, argv), 2);
    }
    return exit_code;
}

} // namespace
} // namespace tune_gemm::host

int main(int argc, char** argv) {
    using namespace tune_gemm;
    using host::complain;
    // Inherited, "ignore" would lose the exit statuses of workers.
    std::signal(SIGCHLD, SIG_DFL);
    // A limit on the size of files is then an error with a sentence, as a full disk is, and not a silent
    // death.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        const int exit_code = host::run(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return complain(host::output_lost, 1);
        return exit_code;
    } catch (const Error& error) {
        return complain(error.what(), host::exit_code_of(error.kind()));
    } catch (const std::bad_alloc&) {
        return complain("Memory does not suffice.", 1);
    } catch (const std::exception& exception) {
        if (std::ferror(stdout) != 0) // thrown where a long text was printed
            return complain(host::output_lost, 1);
        return complain(fmt::format("Something went wrong that was not foreseen: {}.", exception.what()), 1);
    }
}
