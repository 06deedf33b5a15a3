// The same command again and again, each time with another fault, without loading the program anew:
// with PEGNN_TORTURE_SERVER=IN,OUT (two descriptors) the process stays before main(), reads a plan
// per line, lets a child run main() with it and answers with the child's status.

#include "fork_server.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_plan.h"

namespace pegnn::torture {
namespace {

// Up to a line's end; false when there is none.
bool read_line(int from, char* line, std::size_t room) {
  for (std::size_t filled = 0; filled + 1 < room; ++filled) {
    if (::read(from, line + filled, 1) != 1) return false;
    if (line[filled] != '\n') continue;
    line[filled] = '\0';
    return true;
  }
  return false;
}

void redirect(const char* file, int descriptor) {
  if (file == nullptr) return;
  const int opened = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (opened < 0) ::_exit(125);
  ::dup2(opened, descriptor);
  ::close(opened);
}

}  // namespace

void serve_forks() {
  const char* descriptors = std::getenv("PEGNN_TORTURE_SERVER");
  int from = -1, to = -1;
  if (descriptors == nullptr || std::sscanf(descriptors, "%d,%d", &from, &to) != 2) return;
  const char* limit = std::getenv("PEGNN_TORTURE_SECONDS");
  char plan[128];
  while (read_line(from, plan, sizeof plan)) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(from);
      ::close(to);
      redirect(std::getenv("PEGNN_TORTURE_STDOUT"), STDOUT_FILENO);
      redirect(std::getenv("PEGNN_TORTURE_STDERR"), STDERR_FILENO);
      // One that hangs is ended by this signal, which nobody handles.
      ::alarm(static_cast<unsigned>(limit == nullptr ? 60 : std::atoi(limit)));
      pegnn_torture_plan(plan);
      return;
    }
    int status = -1;
    if (child > 0) ::waitpid(child, &status, 0);
    char answer[32];
    const int length = std::snprintf(answer, sizeof answer, "%d\n", status);
    if (::write(to, answer, static_cast<std::size_t>(length)) != length) break;
  }
  ::_exit(0);
}

}  // namespace pegnn::torture
