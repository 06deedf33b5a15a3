#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backbone/backbone.h"
#include "base/options.h"
#include "baseline/baseline.h"
#include "model/preset.h"
#include "pegnn/train.h"
#include "support/refused.h"

namespace pegnn {
namespace {

using Given = std::vector<GivenOption>;

// Every way to say which model it shall be, and to say nothing of it.
std::vector<Given> model_choices() {
  std::vector<Given> choices{{}, {{"model", "network"}}};
  for (const std::string& name : part_names(baselines())) choices.push_back({{"model", name}});
  for (const std::string& name : part_names(backbones())) {
    choices.push_back({{"model", name}});
    choices.push_back({{"model", "pe-" + name}});
    choices.push_back({{"backbone", name}});
    choices.push_back({{"model", "network"}, {"backbone", name}});
  }
  return choices;
}

std::string words_of(const std::string& preset, const Given& given) {
  std::string words = preset;
  for (const GivenOption& option : given) words += " " + option.name + " " + option.value;
  return words;
}

// Calls f(preset, given) for every preset and every choice of a model.
template <class F>
void for_every_model(F&& f) {
  for (const std::string& preset : part_names(presets())) {
    for (const Given& given : model_choices()) {
      SCOPED_TRACE(words_of(preset, given));
      f(preset, given);
    }
  }
}

Given joined(const Given& a, const Given& b) {
  Given all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// "steps: 1500, 3000" for each option in which the two differ.
std::string differences(const Options& a, const Options& b) {
  std::string found;
  const std::vector<OptionText> first = option_texts(a), second = option_texts(b);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i].value == second[i].value) continue;
    found += first[i].name + ": " + first[i].value + ", " + second[i].value + "\n";
  }
  return found;
}

TEST(OptionRequest, ASeedInAFileIsASeedOnTheCommandLine) {
  const Given seed{{"seed", "3"}};
  for_every_model([&](const std::string& preset, const Given& given) {
    const Options flags = options_for({preset, {}, joined(given, seed)});
    EXPECT_EQ("", differences(flags, options_for({preset, seed, given})));
    EXPECT_EQ(3, flags.seed);
  });
}

TEST(OptionRequest, OneOptionMoreChangesThatOptionAlone) {
  for_every_model([&](const std::string& preset, const Given& given) {
    Options changed = options_for({preset, {}, given});
    changed.seed = 3;
    EXPECT_EQ("", differences(changed, options_for({preset, {{"seed", "3"}}, given})));
    EXPECT_EQ("", differences(changed, options_for({preset, {}, joined({{"seed", "3"}}, given)})));
  });
}

TEST(OptionRequest, AModelNamedInAFileIsTheModelNamedOnTheCommandLine) {
  for_every_model([&](const std::string& preset, const Given& given) {
    const Given steps{{"steps", "7"}};
    EXPECT_EQ("", differences(options_for({preset, {}, joined(given, steps)}),
                              options_for({preset, joined(given, steps), {}})));
  });
}

TEST(OptionRequest, TheOrderOfWhatIsGivenDoesNotMatter) {
  for_every_model([&](const std::string& preset, const Given& given) {
    const Given back(given.rbegin(), given.rend());
    EXPECT_EQ("", differences(options_for({preset, {}, given}), options_for({preset, {}, back})));
    EXPECT_EQ("", differences(options_for({preset, given, {}}), options_for({preset, back, {}})));
  });
}

TEST(OptionRequest, NamedModelIsWhatTheNameGivesUnderThePreset) {
  for (const std::string& name : part_names(presets())) {
    for (const char* model : {"network", "gcn", "pe-gat", "label_attention", "kriging"}) {
      SCOPED_TRACE(name + " " + model);
      EXPECT_EQ("",
                differences(options_for({name, {}, {{"model", model}}}), named_model(model, name)));
    }
    EXPECT_EQ("", differences(preset(name), named_model("network", name)));
  }
  EXPECT_EQ(named_model("pe-gcn", "default"), named_model("pe-gcn"));
}

TEST(OptionRequest, WhatARunWroteDownComesBackWhateverThePresetIs) {
  for_every_model([&](const std::string& name, const Given& given) {
    const Options options = options_for({name, {}, given});
    Given written;
    for (const OptionText& text : option_texts(options)) written.push_back({text.name, text.value});
    for (const std::string& preset : part_names(presets())) {
      Options back = options_for({preset, written, {}});
      back.choose = options.choose;  // what is named is not chosen, and here all is named
      EXPECT_EQ("", differences(options, back));
    }
  });
}

TEST(OptionRequest, UnderTheDefaultPresetOtherModelsAreTrainedInTheirUsualWay) {
  Options usual;
  usual.taper = true;
  for (const Given& given : {Given{{"model", "pe-gcn"}}, Given{{"backbone", "gcn"}}}) {
    EXPECT_EQ("", differences(usual, options_for({"default", {}, given})));
  }
  Options kriging = usual;
  kriging.model = "kriging";
  EXPECT_EQ("", differences(kriging, named_model("kriging")));
}

TEST(OptionRequest, TheLastNameOfAModelCounts) {
  const Given file{{"model", "pe-gcn"}};
  EXPECT_EQ("",
            differences(preset("default"), options_for({"default", file, {{"model", "network"}}})));
  EXPECT_EQ("", differences(named_model("kriging"),
                            options_for({"default", file, {{"model", "kriging"}}})));
  // What stands for itself in the file goes on holding where the name says nothing of it.
  const Options sage = options_for({"default", {{"backbone", "sage"}}, {{"model", "network"}}});
  EXPECT_EQ("sage", sage.backbone);
  EXPECT_EQ("", differences(named_model("pe-sage"), sage));
}

TEST(OptionRequest, ANameGivenLaterWinsOverThePartsInAFile) {
  const Given file{{"backbone", "sage"}, {"encoder", "grid"}};
  EXPECT_EQ("",
            differences(named_model("gcn"), options_for({"default", file, {{"model", "gcn"}}})));
  const Given none{{"encoder", "none"}};
  EXPECT_EQ("grid", options_for({"paper", none, {{"model", "pe-gcn"}}}).encoder);
}

TEST(OptionRequest, ANamedNetworkIsNotUpForTheChoiceOfAnEncoder) {
  EXPECT_EQ("ranks,target-transform", named_model("pe-label_attention").choose);
  const Given file{{"choose", "encoder,k"}};
  EXPECT_EQ("k", options_for({"default", file, {{"model", "label_attention"}}}).choose);
  EXPECT_EQ("none", options_for({"default", {{"choose", "encoder"}}, {{"model", "gcn"}}}).choose);
}

std::string refusal(const OptionRequest& request) {
  return test::refusal([&] { options_for(request); });
}

TEST(OptionRequest, AnUnknownModelIsRefusedWhereItStandsEvenIfAnotherIsNamedLater) {
  const std::string message =
      refusal({"default", {{"model", "pe-gnc", "run.toml, line 2"}}, {{"model", "gcn"}}});
  EXPECT_TRUE(message.starts_with("run.toml, line 2: unknown model 'pe-gnc'")) << message;
  EXPECT_TRUE(refusal({"default", {}, {{"seed", "x"}}}).starts_with("seed: 'x' is not allowed"));
  EXPECT_TRUE(refusal({.preset = "papr"}).starts_with("unknown preset 'papr'"));
}

}  // namespace
}  // namespace pegnn
