#include "train/choose.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/core.h>

#include "backbone/backbone.h"
#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

// A target is tried transformed when it leans to one side as an exponential variable does, or more.
constexpr double kSkewed = 2;

// With fewer rows held back a choice by their error is a throw of dice.
constexpr std::int64_t kFewestToChoose = 50;

// The encoder gains or loses a few per cent, which fewer rows do not tell from chance: it was never
// switched on by fewer, on nine tables of 1,000 to 5,000 rows, two of them on eight splits.
constexpr std::int64_t kFewestForEncoder = 500;

// Settings are tried in this part of the steps, but not in fewer than these: docs/decisions/0040.
constexpr std::int64_t kShorter = 4, kFewestSteps = 130;

// A switch is kept when it gains this many standard errors. A few large errors make those of few
// rows too small.
double standard_errors_wanted(std::int64_t rows) { return rows < 1'000 ? 2 : 1; }

double skewness(Span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0, cube = 0;
  for (const double v : values) {
    square += (v - mean) * (v - mean) / n;
    cube += (v - mean) * (v - mean) * (v - mean) / n;
  }
  return square > 0 ? cube / (square * std::sqrt(square)) : 0.0;
}

// Whether the backbone has declared that option for itself.
bool has_option(const Options& options, std::string_view name) {
  const PartInfo& info = find_part(backbones(), "backbone", options.backbone).info;
  return std::ranges::any_of(info.options, [&](const PartOption& o) { return o.name == name; });
}

// A setting that has two ways to be.
struct Switch {
  const char* name;
  std::string (*value)(const Options& options);
  void (*flip)(Options& options);
  bool refits;  // scaler and labels depend on it
  // Whether the other way makes sense on this table.
  bool (*applies)(const Options& options, const Dataset& data, const Scaler* given);
  std::int64_t fewest = kFewestToChoose;  // rows held back that it takes to see the difference
};

const Switch kSwitches[] = {
    {"encoder", [](const Options& o) { return o.encoder; },
     [](Options& o) { o.encoder = o.encoder == "none" ? "grid" : "none"; }, false,
     [](const Options&, const Dataset&, const Scaler*) { return true; }, kFewestForEncoder},
    {"ranks", [](const Options& o) { return std::string(o.ranks ? "on" : "off"); },
     [](Options& o) { o.ranks = !o.ranks; }, true,
     [](const Options&, const Dataset& data, const Scaler* given) {
       return given == nullptr && data.features() > 0;
     }},
    {"target-transform", [](const Options& o) { return o.target_transform; },
     [](Options& o) { o.target_transform = o.target_transform == "none" ? "asinh" : "none"; }, true,
     [](const Options&, const Dataset& data, const Scaler* given) {
       return given == nullptr && std::abs(skewness(data.y)) > kSkewed;
     }},
    {"k", [](const Options& o) { return std::to_string(o.k); }, [](Options& o) { o.k *= 2; }, true,
     [](const Options& o, const Dataset& data, const Scaler*) {
       return 2 * o.k < data.rows() && 2 * o.k <= kMostNeighbours;
     }},
    {"width", [](const Options& o) { return std::to_string(o.width); },
     [](Options& o) { o.width *= 2; }, false,
     [](const Options& o, const Dataset&, const Scaler*) { return 2 * o.width <= kMostWidth; }},
    {"dropout", [](const Options& o) { return format_short(o.dropout); },
     [](Options& o) { o.dropout = o.dropout > 0.2 ? 0.1 : 0.3; }, false,
     [](const Options&, const Dataset&, const Scaler*) { return true; }},
    {"among", [](const Options& o) { return std::to_string(o.part.whole("among")); },
     [](Options& o) { o.part.set("among", o.part.whole("among") == 0 ? 1 : 0); }, false,
     [](const Options& o, const Dataset&, const Scaler*) { return has_option(o, "among"); }},
};

// Squared errors of the rows held back in the target's units, by the weights of the rows.
Array<double> errors_of(const Dataset& data, const HeldAnswers& held, const Scaler& scaler) {
  const Array<std::int64_t>& rows = held.rows;
  const Array<double> weights = weights_of(data, rows);
  Array<double> errors(rows.size());
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    const double value = scaler.target.invert(static_cast<double>(held.predicted[i]));
    const double left = data.y[rows[i]] - value;
    errors[i] = (weights.empty() ? 1.0 : weights[i]) * (left * left);
  }
  return errors;
}

double mean_of(Span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Whether the errors of one setting are lower than those of another on the same rows by more than
// chance explains: on average by one or two standard errors of that average.
bool lower(const Array<double>& these, const Array<double>& others) {
  Array<double> gains(these.size());
  std::transform(others.begin(), others.end(), these.begin(), gains.begin(), std::minus<>());
  const double gain = mean_of(gains);
  double square = 0;
  for (const double g : gains) square += (g - gain) * (g - gain);
  const auto n = static_cast<double>(gains.size());
  return gain >
         standard_errors_wanted(gains.size()) * std::sqrt(square / (n * std::max(n - 1, 1.0)));
}

// Where few rows are held back: ranks by the likelihood of kriging with them or without, which all
// rows have a say in. Slopes that fit by chance do not raise it.
Setting choose_ranks(const Dataset& data, Span<const std::int64_t> rows, Setting first,
                     const Scaler* given, const Context& context) {
  const Switch& ranks = *std::ranges::find(kSwitches, std::string_view("ranks"), &Switch::name);
  if (first.labels.kriging.mean.empty() || !ranks.applies(first.options, data, given)) {
    return first;
  }
  Options flipped = first.options;
  ranks.flip(flipped);
  Setting other = make_setting(data, rows, flipped, given, context);
  if (other.labels.kriging.log_likelihood > first.labels.kriging.log_likelihood) {
    std::swap(first, other);
  }
  context.log.note(fmt::format(
      "chosen by the likelihood of kriging: ranks {} (log {}, {} {})", ranks.value(first.options),
      format_short(first.labels.kriging.log_likelihood, 5), ranks.value(other.options),
      format_short(other.labels.kriging.log_likelihood, 5)));
  return first;
}

// The task with a setting the other way.
TrainTask flipped(const Switch& s, TrainTask task, const Dataset& data,
                  Span<const std::int64_t> rows, const Scaler* given, const Context& context) {
  s.flip(task.setting.options);
  if (s.refits) {
    task.setting = make_setting(data, rows, task.setting.options, given, context);
    task.shared = LazyRows::of(task.setting, data.rows());
  } else {
    task.setting.options = resolved_for(data, rows, task.setting.options, context);
  }
  return task;
}

// The same, as it is tried: in few steps.
TrainTask trial(TrainTask task, const std::string& what) {
  std::int64_t& steps = task.setting.options.steps;
  steps = std::max(std::min(steps, kFewestSteps), steps / kShorter);
  task.key = task.part = "trying " + what;
  return task;
}

}  // namespace

std::vector<std::string> settings_to_choose(const Options& options) {
  std::vector<std::string> names;
  if (options.choose == "none") return names;
  for (const std::string& word : split_words(options.choose)) {
    const auto known = std::ranges::find(kSwitches, word, &Switch::name);
    if (known == std::end(kSwitches)) {
      std::vector<std::string> all;
      for (const Switch& s : kSwitches) all.emplace_back(s.name);
      throw Error(ErrorKind::usage, "<option:choose>: " + unknown_word("setting", word, all));
    }
    if (std::ranges::find(names, word) != names.end()) {
      throw Error(ErrorKind::usage, fmt::format("<option:choose>: '{}' is named twice", word));
    }
    names.push_back(word);
  }
  return names;
}

TrainTask choose_setting(const Dataset& data, Span<const std::int64_t> rows, std::int64_t held,
                         Setting first, const Scaler* given, const Context& context,
                         TaskRunner& runner) {
  const std::vector<std::string> names = settings_to_choose(first.options);
  const std::int64_t members = first.options.members;
  const bool few = held < kFewestToChoose;
  if (few && std::ranges::find(names, "ranks") != names.end()) {
    first = choose_ranks(data, rows, std::move(first), given, context);
  }
  TrainTask best{.key = "member 1", .setting = std::move(first)};
  best.shared = LazyRows::of(best.setting, data.rows());
  if (members > 1) best.part = fmt::format("member 1 of {}", members);
  if (few) return best;
  Array<const Switch*> switches;
  Array<TrainTask> trials{trial(best, "the settings given")};
  for (const std::string& name : names) {
    const Switch& s = *std::ranges::find(kSwitches, name, &Switch::name);
    if (held < s.fewest || !s.applies(best.setting.options, data, given)) continue;
    const TrainTask other = flipped(s, best, data, rows, given, context);
    trials.push_back(trial(other, fmt::format("{} {}", s.name, s.value(other.setting.options))));
    switches.push_back(&s);
  }
  if (switches.empty()) return best;
  const Array<TrainedNetwork> networks = runner.run(trials);
  const auto errors = [&](std::int64_t i) {
    return errors_of(data, networks[i].held, trials[i].setting.scaler);
  };
  const Array<double> as_given = errors(0);
  std::vector<std::string> words;
  for (std::int64_t i = 1; i < std::ssize(trials); ++i) {
    const Switch& s = *switches[i - 1];
    const std::string given_value = s.value(trials[0].setting.options);
    const std::string other_value = s.value(trials[i].setting.options);
    const Array<double> other = errors(i);
    const double mse = mean_of(as_given), other_mse = mean_of(other);
    if (lower(other, as_given)) {
      best = flipped(s, std::move(best), data, rows, given, context);
      words.push_back(fmt::format("{} {} (MSE {}, {} {})", s.name, other_value,
                                  format_short(other_mse, 4), given_value, format_short(mse, 4)));
    } else {
      words.push_back(fmt::format("{} {} (MSE {}, {} {})", s.name, given_value,
                                  format_short(mse, 4), other_value, format_short(other_mse, 4)));
    }
  }
  context.log.note(
      fmt::format("chosen on {} rows held back: {}", format_count(held), join(words, "; ")));
  return best;
}

}  // namespace pegnn
