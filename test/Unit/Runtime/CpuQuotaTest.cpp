// SPDX-License-Identifier: Apache-2.0
//
// Quotas of control groups, from files as Linux shows them.

#include "Platform.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace scanweave::runtime;
namespace fs = std::filesystem;

namespace {

class CpuQuota : public testing::Test {
protected:
  void SetUp() override {
    root = testing::TempDir() + "quota-" +
           testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root);
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const std::string &path, const std::string &text) {
    fs::create_directories(fs::path(root + path).parent_path());
    std::ofstream(root + path) << text;
  }
  void mountV2(const std::string &mountRoot) {
    write("/proc/self/mountinfo",
          "22 1 0:21 / /proc rw - proc proc rw\n"
          "30 23 0:26 " +
              mountRoot +
              " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
  }
  void mountV1(const std::string &mountRoot) {
    write("/proc/self/mountinfo",
          "32 31 0:29 " + mountRoot +
              " /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
              "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup "
              "rw,cpuset\n");
  }
  std::string root;
};

TEST_F(CpuQuota, NothingThere) { EXPECT_EQ(quotaCpus(root), 0); }

TEST_F(CpuQuota, V2WithoutLimit) {
  write("/proc/self/cgroup", "0::/user.slice\n");
  mountV2("/");
  write("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  EXPECT_EQ(quotaCpus(root), 0);
}

TEST_F(CpuQuota, V2SmallestOnTheWayUp) {
  write("/proc/self/cgroup", "0::/outer/inner\n");
  mountV2("/");
  write("/sys/fs/cgroup/outer/inner/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/outer/cpu.max", "250000 100000\n");
  EXPECT_EQ(quotaCpus(root), 2); // 2.5 CPUs: a third worker would be stopped
}

TEST_F(CpuQuota, V2LessThanOneCpu) {
  write("/proc/self/cgroup", "0::/\n");
  mountV2("/");
  write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(quotaCpus(root), 1);
}

TEST_F(CpuQuota, V2InsideAContainer) {
  write("/proc/self/cgroup", "0::/docker/abc\n");
  mountV2("/docker/abc");
  write("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(quotaCpus(root), 4);
}

TEST_F(CpuQuota, V1) {
  write("/proc/self/cgroup", "9:name=systemd:/x\n2:cpuset:/y\n"
                             "1:cpu,cpuacct:/job\n0::/\n");
  mountV1("/");
  write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n");
  write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quotaCpus(root), 3);
}

TEST_F(CpuQuota, V1WithoutLimit) {
  write("/proc/self/cgroup", "1:cpu,cpuacct:/job\n");
  mountV1("/");
  write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quotaCpus(root), 0);
}

TEST_F(CpuQuota, BrokenFiles) {
  write("/proc/self/cgroup", "0\n0::\n:::\n0::/a\n");
  mountV2("/");
  write("/sys/fs/cgroup/a/cpu.max", "many of them\n");
  EXPECT_EQ(quotaCpus(root), 0);
}

TEST(UsableCpus, AtLeastOne) { EXPECT_GE(usableCpus(), 1); }

} // namespace
