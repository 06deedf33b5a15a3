#include "base/held_signals.h"

#include <csignal>
#include <initializer_list>

#include <pthread.h>

namespace pegnn {
namespace {

thread_local int depth = 0;
thread_local sigset_t mask_before;

}  // namespace

HeldSignals::HeldSignals() noexcept {
  if (depth++ > 0) return;
  sigset_t held;
  sigfillset(&held);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
    sigdelset(&held, fault);
  }
  pthread_sigmask(SIG_BLOCK, &held, &mask_before);
}

HeldSignals::~HeldSignals() {
  if (--depth == 0) pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
}

}  // namespace pegnn
