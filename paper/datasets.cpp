// What is known of the four data sets. Where their files were found, how they were prepared and
// what their columns hold is told in docs/datasets.md.

#include "paper/datasets.h"

#include <array>
#include <cstdlib>
#include <vector>

#include "base/text.h"
#include "paper/dataset_sources.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

using Names = std::string_view;

constexpr Names kHousingFeatures[] = {"MedInc",    "HouseAge",   "AveRooms",
                                      "AveBedrms", "Population", "AveOccup"};
constexpr SourceFile kHousingFiles[] = {
    {"cal_housing.data",
     "https://raw.githubusercontent.com/lapets/course-data-science/"
     "8b7f62812de4e3bd86bbc7879f65691e1775d1c9/cal_housing.data",
     "d3d8a1a722ae78f91134862727d27a70b1415e7d512a89140406248687f4b902"}};
constexpr KnownColumn kHousingColumns[] = {{"MedInc", 0.4999, 3.870671, 15.0001},
                                           {"HouseAge", 1, 28.639486, 52},
                                           {"AveRooms", 0.8461538462, 5.4289997, 141.9090909},
                                           {"AveBedrms", 0.3333333333, 1.0966751, 34.06666667},
                                           {"Population", 3, 1425.4767, 35682},
                                           {"AveOccup", 0.6923076923, 3.0706552, 1243.333333},
                                           {"Latitude", 32.54, 35.631861, 41.95},
                                           {"Longitude", -124.35, -119.5697, -114.31},
                                           {"MedHouseVal", 0.14999, 2.0685582, 5.00001}};
constexpr DatasetEntry kHousing{
    .name = "california-housing",
    .title = "California Housing",
    .source =
        "R. K. Pace and R. Barry, Sparse spatial autoregressions, Statistics & Probability "
        "Letters 33 (1997) 291-297; block groups of the 1990 US census, StatLib",
    .licence = "none stated; public US census data, given away freely by StatLib",
    .rules =
        "totals become ratios per household and the value is divided by 100,000, as "
        "scikit-learn's fetch_california_housing does; all rows are used",
    .remark = "",
    .rows = 20640,
    .x = "Longitude",
    .y = "Latitude",
    .target = "MedHouseVal",
    .features = kHousingFeatures,
    .prepared = "california_housing",
    .part = "",
    .sources = kHousingFiles,
    .read_sources = &read_california_housing_sources,
    .whole = {20640, "429c70f091166a1fd90a419cb724041083ce9aa6b285ab7b66dbddcd18bab3d9",
              kHousingColumns},
    .known_part = {}};

constexpr Names kElectionFeatures[] = {"dem_2016",         "median_income", "net_migration",
                                       "birth_rate",       "death_rate",    "bachelor_rate",
                                       "unemployment_rate"};
constexpr SourceFile kElectionFiles[] = {
    {"education.csv",
     "https://raw.githubusercontent.com/000Justin000/gnn-residual-correlation/"
     "03608b39b0da2c64293ba685213585de4ff8291f/datasets/election/education.csv",
     ""},
    {"election.csv",
     "https://raw.githubusercontent.com/000Justin000/gnn-residual-correlation/"
     "03608b39b0da2c64293ba685213585de4ff8291f/datasets/election/election.csv",
     ""},
    {"income.csv",
     "https://raw.githubusercontent.com/000Justin000/gnn-residual-correlation/"
     "03608b39b0da2c64293ba685213585de4ff8291f/datasets/election/income.csv",
     ""},
    {"unemployment.csv",
     "https://raw.githubusercontent.com/000Justin000/gnn-residual-correlation/"
     "03608b39b0da2c64293ba685213585de4ff8291f/datasets/election/unemployment.csv",
     ""},
    {"population.csv",
     "https://raw.githubusercontent.com/000Justin000/gnn-residual-correlation/"
     "03608b39b0da2c64293ba685213585de4ff8291f/datasets/election/population.csv",
     ""},
    {"2019_Gaz_counties_national.txt",
     "https://raw.githubusercontent.com/FatemehAsgarinejad/Maps/"
     "c0ef93ea9dae3bc55d64e88aa317946105f9942c/2019_Gaz_counties_national.txt",
     "", 0, "2020_Gaz_counties_national.txt"}};
constexpr KnownColumn kElectionColumns[] = {{"longitude", -124.210929, -91.660624, -67.609354},
                                            {"latitude", 24.768883, 38.278576, 48.842653},
                                            {"dem_2016", 4, 19505.83, 1654626},
                                            {"gop_2016", 57, 19333.354, 590465},
                                            {"median_income", 22045, 49388.115, 134609},
                                            {"net_migration", -108.2, -0.046700998, 209.7},
                                            {"birth_rate", 0.2, 11.623946, 29.1},
                                            {"death_rate", 1.5, 10.82298, 34.4},
                                            {"bachelor_rate", 0, 21.550724, 78.5},
                                            {"unemployment_rate", 1.7, 5.204345, 24.1}};
constexpr DatasetEntry kElection{
    .name = "election",
    .title = "Election",
    .source =
        "J. Jia and A. R. Benson, Residual correlation in graph neural network regression, "
        "KDD 2020: counties of the 2016 US election, with figures of USDA ERS, BLS and the "
        "US Census; county points from the Census Gazetteer of 2019",
    .licence =
        "none stated by the repository; US federal statistics and the Gazetteer are in the "
        "public domain",
    .rules =
        "six tables are joined by FIPS code; rows with a missing value, a longitude outside "
        "(-130, -50) or a latitude outside (22, 50) are left out",
    .remark =
        "the paper's loader takes the county points of the 2020 Gazetteer; the target is the "
        "number of votes, not a share",
    .rows = 3107,
    .x = "longitude",
    .y = "latitude",
    .target = "gop_2016",
    .features = kElectionFeatures,
    .prepared = "election",
    .part = "",
    .sources = kElectionFiles,
    .read_sources = &read_election_sources,
    .whole = {3107, "b7f370272d1e1690ebb42601e84273897b567f390a134caa5a560b9a37d5b124",
              kElectionColumns},
    .known_part = {}};

constexpr Names kAirFeatures[] = {"meanP"};
constexpr SourceFile kAirFiles[] = {
    {"stationDataAll.csv",
     "https://raw.githubusercontent.com/microsoft/satclip/"
     "1ead1067e9a00d44b132403b6bb2ce061e48d48e/figures/ssl4eo/stationDataAll.csv",
     "", 383938}};
constexpr KnownColumn kAirColumns[] = {{"longitude", -179.98, -27.852393, 179.22},
                                       {"latitude", -54.8, 30.087534, 81.6},
                                       {"meanT", -19.55, 13.51528, 30.45833333},
                                       {"meanP", 0, 892.84493, 5662}};
constexpr DatasetEntry kAir{
    .name = "air-temperature",
    .title = "Air Temperature",
    .source =
        "J. Hooker, G. Duveiller and A. Cescatti, A global dataset of air temperature "
        "derived from satellite remote sensing and weather stations, Scientific Data 5 "
        "(2018) 180246; its table of weather stations",
    .licence =
        "that of the article's deposit was not checked; the repository it is fetched from "
        "is MIT",
    .rules =
        "mean temperature is the target, mean precipitation the one feature; all rows are "
        "used",
    .remark = "the paper's loader gives precipitation as a feature in its interpolation task too",
    .rows = 3076,
    .x = "longitude",
    .y = "latitude",
    .target = "meanT",
    .features = kAirFeatures,
    .prepared = "air_temperature",
    .part = "",
    .sources = kAirFiles,
    .read_sources = &read_air_temperature_sources,
    .whole = {3076, "2fdd810689006dd2bfe4803e3ad1c09fd1eb1349731c221edf8ae3a491cdc0d2",
              kAirColumns},
    .known_part = {}};

constexpr SourceFile kRoadFiles[] = {
    {"3D_spatial_network.txt",
     "https://archive.ics.uci.edu/ml/machine-learning-databases/00246/3D_spatial_network.txt", "",
     0, "3D_spatial_network.csv"}};
// Only the altitude of the whole is known, from a standardised copy of it.
constexpr KnownColumn kRoadColumns[] = {{"altitude", -8.608184, 22.185405, 134.441947}};
constexpr KnownColumn kRoadPartColumns[] = {{"longitude", 8.354119, 9.6473447, 10.932543},
                                            {"latitude", 56.5839788, 57.056827, 57.7395458},
                                            {"altitude", -1.006020627, 24.387816, 84.97449857}};
constexpr DatasetEntry kRoad{
    .name = "3d-road",
    .title = "3D Road",
    .source =
        "M. Kaul, B. Yang and C. S. Jensen, Building accurate 3D spatial networks to enable "
        "next generation intelligent transportation systems, MDM 2013; North Jutland, "
        "Denmark, UCI Machine Learning Repository",
    .licence = "believed to be CC BY 4.0 at UCI; not checked",
    .rules = "the way's number is dropped; altitude is the target, there are no features",
    .remark = "the paper's loader takes the first row for a header and so loses it",
    .rows = 434874,
    .x = "longitude",
    .y = "latitude",
    .target = "altitude",
    .features = {},
    .prepared = "3d_road",
    .part = "3d_road_sample5000",
    .sources = kRoadFiles,
    .read_sources = &read_road_sources,
    .whole = {434874, "", kRoadColumns},
    .known_part = {5000, "9f540d413c70ed56a3632c24664fdfc0a8928415426a062807c635475e0ba532",
                   kRoadPartColumns}};

constexpr std::array<const DatasetEntry*, 4> kDatasets{&kHousing, &kElection, &kAir, &kRoad};

const char* set_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::span<const DatasetEntry* const> datasets() { return kDatasets; }

const DatasetEntry& find_dataset(const std::string& name) {
  std::vector<std::string> known;
  for (const DatasetEntry* entry : kDatasets) {
    if (entry->name == name) return *entry;
    known.emplace_back(entry->name);
  }
  throw Error(ErrorKind::usage, unknown_word("data set", name, known));
}

std::filesystem::path default_data_folder() {
  if (const char* given = set_variable("PEGNN_DATA")) return given;
  if (const char* cache = set_variable("XDG_CACHE_HOME")) {
    return std::filesystem::path(cache) / "pegnn";
  }
  const char* home = set_variable("HOME");
  return std::filesystem::path(home != nullptr ? home : ".") / ".cache" / "pegnn";
}

}  // namespace pegnn
