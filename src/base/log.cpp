#include "pegnn/log.h"

#include "pegnn/run.h"

namespace pegnn {

Log& silent_log() {
  class Silent final : public Log {
    void note(std::string_view) override {}
    void warn(std::string_view) override {}
    void detail(std::string_view) override {}
    bool wants_detail() const override { return false; }
  };
  static Silent log;
  return log;
}

Log& RunSettings::logger() const { return log != nullptr ? *log : silent_log(); }

}  // namespace pegnn
