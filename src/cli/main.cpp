// The command `pegnn`: the only place that prints errors and sets the exit code.

#include <csignal>
#include <new>

#include "cli/memory_reserve.h"
#include "cli/output.h"
#include "cli/parser.h"
#include "cli/session.h"
#include "cli/talk.h"
#include "pegnn/error.h"

int main(int count, char** words) {
  using namespace pegnn;
  const auto fail = [](ErrorKind kind, const char* message) {
    talk(message, "pegnn: ");
    return static_cast<int>(kind);
  };
  try {
    keep_memory_reserve();
    watch_for_interrupts();
    Session session;
    const ParsedCommand parsed = parse_command_line(count, words, session);
    if (parsed.command) {
      parsed.command->run(session);
    } else {
      print(parsed.message);
    }
    return 0;
  } catch (const ClosedPipe&) {
    // End as every filter does whose reader has gone.
    std::signal(SIGPIPE, SIG_DFL);
    return std::raise(SIGPIPE);
  } catch (const Error& e) {
    return fail(e.kind(), e.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::memory, kNotEnoughMemory);
  } catch (const std::exception& e) {
    return fail(ErrorKind::failure, e.what());
  }
}
