// Source files as they were first published, made small by hand, under the paper's rules.

#include "paper/dataset_sources.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "paper/dataset_files.h"
#include "paper/datasets.h"
#include "paper/download.h"
#include "paper/source_text.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

namespace fs = std::filesystem;

class Words final : public Log {
 public:
  void note(std::string_view text) override { notes += std::string(text) + "\n"; }
  void warn(std::string_view text) override { warnings += std::string(text) + "\n"; }
  void detail(std::string_view) override {}
  std::string notes, warnings;
};

// A fresh folder for every test.
class DatasetSources : public testing::Test {
 protected:
  DatasetSources()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~DatasetSources() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    write_file(folder_ / name, text);
  }
  PaperData load(const char* name) { return load_dataset(find_dataset(name), folder_, log_); }
  std::string failure(const char* name, ErrorKind kind = ErrorKind::data) {
    try {
      load(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "no error";
  }
  // Two counties inside, one in Alaska, one without an income, a state, the country.
  void put_election(const std::string& place) {
    put(place + "education.csv",
        "FIPS,BachelorRate2012,BachelorRate2016\n1000,22.0,23.5\n1001,20,27.7\n1003,27.7,31.3\n"
        "2016,10,12.5\n5001,11,14.0\n");
    put(place + "election.csv",
        "fips_code,county,dem_2016,gop_2016\n5001,\"X, AR\",900,1800\n1003,Baldwin,18409,72780\n"
        "1001,Autauga,5908,18110\n2016,Aleutians,10,20\n");
    put(place + "income.csv",
        "FIPS,MedianIncome2015,MedianIncome2016\n0,\"55,775\",\"57,617\"\n1001,1,\"54,487\"\n"
        "1003,\"1,000\",\"56,460\"\n2016,1,\"78,151\"\n5001,\"30,877\",\n");
    put(place + "unemployment.csv",
        "FIPS,Area_name, Employed_2016 ,Unemployment_rate_2016\n"
        "1001,\"Autauga County, AL\",\" 24,645 \",5.1\n1003,\"Baldwin County, AL\", 806 ,5.3\n"
        "2016,A,1,3.5\n5001,B,2,4.5\n");
    put(place + "population.csv",
        "FIPS,POP_ESTIMATE_2016,R_birth_2016,R_death_2016,R_NET_MIG_2016\n"
        "01000,\"4,864,745\",12.2,10.6,1.1\n01001,\"55,242\",12.2,10.0,5.3\n"
        "01003,1,11.2,9.8,21.5\n02016,1,1,1,1\n05001,1,2,3,4\n");
    put(place + "2019_Gaz_counties_national.txt",
        "USPS\tGEOID\tANSICODE\tNAME\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG  "
        "   \nAL\t01003\t1\tBaldwin County\t1\t1\t1\t1\t30.659218\t-87.746067     \n"
        "AL\t01001\t1\tAutauga County\t1\t1\t1\t1\t32.532237\t-86.64644     \n"
        "AK\t02016\t1\tAleutians West\t1\t1\t1\t1\t51.948964\t+179.621188   \n"
        "AR\t05001\t1\tArkansas County\t1\t1\t1\t1\t34.28957\t-91.376547   \n");
  }

  fs::path folder_;
  Words log_;
};

TEST_F(DatasetSources, HousingTotalsBecomeRatiosAsInScikitLearn) {
  put("cal_housing.data",
      "-122.230000,37.880000,41.000000,880.000000,129.000000,322.000000,126.000000,8.325200,"
      "452600.000000\n"
      "-122.22,37.86,21,7099,1106,2401,1138,8.3014,358500\n");
  const PaperData data = load("california-housing");
  ASSERT_EQ(data.table.rows(), 2);
  const auto first = [&](const char* name) { return data.table.find(name)->values[0]; };
  // The first row of fetch_california_housing.
  EXPECT_EQ(first("MedInc"), 8.3252);
  EXPECT_EQ(first("HouseAge"), 41);
  EXPECT_EQ(first("AveRooms"), 6.984126984126984);
  EXPECT_EQ(first("AveBedrms"), 1.0238095238095237);
  EXPECT_EQ(first("Population"), 322);
  EXPECT_EQ(first("AveOccup"), 2.5555555555555554);
  EXPECT_EQ(first("Latitude"), 37.88);
  EXPECT_EQ(first("Longitude"), -122.23);
  EXPECT_EQ(first("MedHouseVal"), 4.526);
  EXPECT_EQ(data.table.line_of(1), 2);
  EXPECT_FALSE(data.whole);
  EXPECT_FALSE(data.verified);
  EXPECT_NE(log_.warnings.find("rows is 2 instead of 20,640"), std::string::npos) << log_.warnings;
}

TEST_F(DatasetSources, AFileOfWrongShapeIsRefusedWithItsLine) {
  put("cal_housing.data", "1,2,3,4,5,6,7,8,9\n1,2,3,4,5,6,7,8\n");
  EXPECT_NE(failure("california-housing").find("line 2: 8 fields where there must be 9"),
            std::string::npos);
  put("cal_housing.data", "1,2,3,4,5,6,7,8,9\n1,2,3,4,5,6,x,8,9\n");
  EXPECT_NE(failure("california-housing").find("line 2, column 'households': 'x'"),
            std::string::npos);
  put("cal_housing.data", "1,2,3,4,5,6,0,8,9\n");
  EXPECT_NE(failure("california-housing").find("line 1, column 'AveRooms': a division by zero"),
            std::string::npos);
  put("cal_housing.data", "");
  EXPECT_NE(failure("california-housing").find("is empty"), std::string::npos);
}

TEST_F(DatasetSources, ElectionIsJoinedByFipsAndFiltered) {
  put_election("election/");
  const PaperData data = load("election");
  ASSERT_EQ(data.table.rows(), 2);  // no state, no Alaska, no county without an income
  const auto column = [&](const char* name) { return data.table.find(name)->values; };
  using Values = std::vector<double>;
  EXPECT_EQ(column("fips"), (Values{1001, 1003}));
  EXPECT_EQ(column("longitude"), (Values{-86.64644, -87.746067}));
  EXPECT_EQ(column("latitude"), (Values{32.532237, 30.659218}));
  EXPECT_EQ(column("dem_2016"), (Values{5908, 18409}));
  EXPECT_EQ(column("gop_2016"), (Values{18110, 72780}));
  EXPECT_EQ(column("median_income"), (Values{54487, 56460}));
  EXPECT_EQ(column("net_migration"), (Values{5.3, 21.5}));
  EXPECT_EQ(column("birth_rate"), (Values{12.2, 11.2}));
  EXPECT_EQ(column("death_rate"), (Values{10.0, 9.8}));
  EXPECT_EQ(column("bachelor_rate"), (Values{27.7, 31.3}));
  EXPECT_EQ(column("unemployment_rate"), (Values{5.1, 5.3}));
  EXPECT_EQ(data.roles.features.size(), 7u);
}

TEST_F(DatasetSources, TheGazetteerMayComeWithCommasAndNoHeader) {
  put_election("");
  put("2019_Gaz_counties_national.txt",
      "AL,01001,00161526,Autauga County,1,2,3,4,32.532237,-86.64644\n"
      "AK,02016,01419965,Aleutians West,1,2,3,4,51.948964,+179.621188\n");
  const PaperData data = load("election");
  ASSERT_EQ(data.table.rows(), 1);
  EXPECT_EQ(data.table.find("latitude")->values[0], 32.532237);
}

TEST_F(DatasetSources, AnElectionTableThatCannotBeJoinedIsRefused) {
  put_election("");
  put("education.csv", "FIPS,BachelorRate2012\n1001,20\n");
  EXPECT_NE(failure("election").find("has no column 'BachelorRate2016'"), std::string::npos);
  put("education.csv", "FIPS,BachelorRate2016\n1001,20\n1001,30\n");
  EXPECT_NE(failure("election").find("line 3: FIPS 1001 stands there a second time"),
            std::string::npos);
  put("education.csv", "FIPS,BachelorRate2016\n1001,20\n1003,many\n");
  EXPECT_NE(failure("election").find("line 3, column 'BachelorRate2016': 'many'"),
            std::string::npos);
  put("education.csv", "FIPS,BachelorRate2016\n1e300,20\n");
  EXPECT_NE(failure("election").find("is no FIPS code"), std::string::npos);
  // The same twice is one; a doubled code that is left out does no harm.
  put("education.csv", "FIPS,BachelorRate2016\n1001,20\n1001,20\n9,1\n9,2\n");
  EXPECT_EQ(load("election").table.rows(), 1);
  // No county in common.
  put("education.csv", "FIPS,BachelorRate2016\n9,1\n");
  EXPECT_NE(failure("election").find("has no rows"), std::string::npos);
}

TEST_F(DatasetSources, AMissingTableOfElectionIsNamedWithItsAddress) {
  put_election("election/");
  fs::remove(folder_ / "election" / "income.csv");
  const std::string said = failure("election");
  EXPECT_NE(said.find("income.csv"), std::string::npos) << said;
  EXPECT_NE(said.find("https://"), std::string::npos) << said;
  EXPECT_EQ(said.find("--fetch") != std::string::npos, can_download()) << said;
  EXPECT_NE(said.find("--data-dir"), std::string::npos) << said;
  EXPECT_EQ(said.find("education.csv"), std::string::npos) << said;
}

TEST_F(DatasetSources, APreparedTableIsTakenBeforeTheSources) {
  put_election("election/");
  put("election.csv",
      "fips,longitude,latitude,dem_2016,gop_2016,median_income,net_migration,birth_rate,death_rate,"
      "bachelor_rate,unemployment_rate\n1,-80,40,1,2,3,4,5,6,7,8\n");
  const PaperData data = load("election");
  EXPECT_EQ(data.table.rows(), 1);
  EXPECT_EQ(data.file, (folder_ / "election.csv").string());
  EXPECT_TRUE(missing_sources(*data.entry, folder_).empty());
}

TEST_F(DatasetSources, AirTakesItsColumnsByName) {
  put("stationDataAll.csv",
      "Lon,Lat,nObs,SG_rmsep,meanT,meanP,G_rmsep,C_rmsep,PerMod_RMSEP\n"
      "7.82,36.83,120,1.9,18.025000000000002,694,NA,2,3\n");
  const PaperData data = load("air-temperature");
  EXPECT_EQ(data.table.find("longitude")->values[0], 7.82);
  EXPECT_EQ(data.table.find("latitude")->values[0], 36.83);
  EXPECT_EQ(data.table.find("meanT")->values[0], 18.025000000000002);
  EXPECT_EQ(data.table.find("meanP")->values[0], 694);
  put("stationDataAll.csv", "Lon,Lat,meanT\n1,2,3\n");
  EXPECT_NE(failure("air-temperature").find("has no column 'meanP'; its columns are Lon, Lat"),
            std::string::npos);
  put("stationDataAll.csv", "Lon,Lat,meanT,meanP\n1,2,3,4\n1,2,,4\n");
  EXPECT_NE(failure("air-temperature").find("line 3, column 'meanT': nothing"), std::string::npos);
}

TEST_F(DatasetSources, RoadsComeWithAndWithoutWaysAndHeader) {
  const std::string files[] = {"144552912,9.3498486,56.7408757,17.05\n144552912,9.35,56.75,18.5\n",
                               "9.3498486,56.7408757,17.05\n9.35,56.75,18.5\n",
                               "id,x,y,z\n1,9.3498486,56.7408757,17.05\n1,9.35,56.75,18.5\n"};
  for (const std::string& text : files) {
    SCOPED_TRACE(text);
    put("3D_spatial_network.txt", text);
    const PaperData data = load("3d-road");
    ASSERT_EQ(data.table.rows(), 2);
    EXPECT_EQ(data.table.find("longitude")->values[0], 9.3498486);
    EXPECT_EQ(data.table.find("latitude")->values[0], 56.7408757);
    EXPECT_EQ(data.table.find("altitude")->values[1], 18.5);
    EXPECT_TRUE(data.roles.features.empty());
    EXPECT_FALSE(data.whole);
  }
  EXPECT_NE(log_.notes.find("3D Road: 2 of 434,874 rows"), std::string::npos) << log_.notes;
  put("3D_spatial_network.txt", "1,2\n3,4\n");
  EXPECT_NE(failure("3d-road").find("line 1: 2 fields"), std::string::npos);
}

TEST_F(DatasetSources, TheWholeOfTheRoadsIsTakenBeforeThePart) {
  put("3d_road_sample5000.csv", "longitude,latitude,altitude\n9,57,1\n");
  EXPECT_EQ(load("3d-road").table.rows(), 1);
  EXPECT_EQ(missing_sources(find_dataset("3d-road"), folder_).size(), 1u);
  put("3D_spatial_network.csv", "9,57,1\n9,57,2\n");
  EXPECT_EQ(load("3d-road").table.rows(), 2);
  put("3d_road.csv", "longitude,latitude,altitude\n9,57,1\n9,57,2\n9,57,3\n");
  EXPECT_EQ(load("3d-road").table.rows(), 3);
}

// 434,874 rows whose altitude has the known extremes and mean, but for one row.
TEST_F(DatasetSources, TheWholeOfTheRoadsIsKnownByItsAltitude) {
  const Edition& known = find_dataset("3d-road").whole;
  const KnownColumn& altitude = known.columns[0];
  const auto with_middle = [&](double middle) {
    std::string text =
        "9,57," + std::to_string(altitude.min) + "\n9,57," + std::to_string(altitude.max) + "\n";
    for (std::int64_t i = 2; i < known.rows; ++i) text += "9,57," + std::to_string(middle) + "\n";
    put("3D_spatial_network.txt", text);
    log_ = Words();
    return load("3d-road");
  };
  // Two extremes above the mean by 81.5 metres in all, spread over the rest.
  const PaperData right = with_middle(22.185218);
  EXPECT_TRUE(right.whole);
  EXPECT_TRUE(right.verified) << log_.warnings;
  EXPECT_EQ(log_.warnings, "");
  const PaperData wrong = with_middle(22.2);
  EXPECT_TRUE(wrong.whole);
  EXPECT_FALSE(wrong.verified);
  EXPECT_NE(log_.warnings.find("the mean of altitude is"), std::string::npos) << log_.warnings;
}

TEST_F(DatasetSources, NothingThereIsAnErrorOfTheDataWithWhatToFetch) {
  const std::string said = failure("california-housing");
  EXPECT_NE(said.find("cal_housing.data  from  https://raw.githubusercontent.com/"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find(folder_.string()), std::string::npos) << said;
}

TEST(SourceText, CommasGoOnlyInsideQuotes) {
  EXPECT_EQ(without_quoted_commas("1,\"2,345\",\"a\"\"b,c\",d\n"), "1,\"2345\",\"a\"\"bc\",d\n");
  EXPECT_EQ(without_quoted_commas(""), "");
}

}  // namespace
}  // namespace pegnn
