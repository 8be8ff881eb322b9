// SPDX-License-Identifier: Apache-2.0
//
// How much CPU time the control groups of this process allow. Containers
// limit time rather than the affinity mask, and a team with more workers than
// that is stopped as a whole for most of every period.

#include "Platform.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

using namespace scanweave::runtime;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// One line of /proc/self/mountinfo.
struct Mount {
  std::string root;   ///< what of the hierarchy is mounted
  std::string point;  ///< where
  std::string type;   ///< of the file system
  std::string extras; ///< options of the file system, v1: the controllers
};

bool parseMount(const std::string &line, Mount &mount) {
  std::istringstream fields(line);
  std::string skip;
  fields >> skip >> skip >> skip >> mount.root >> mount.point;
  while (fields >> skip && skip != "-") // options, any number of them
    ;
  return static_cast<bool>(fields >> mount.type >> skip >> mount.extras);
}

bool listContains(const std::string &list, const std::string &item) {
  std::istringstream items(list);
  for (std::string each; std::getline(items, each, ',');)
    if (each == item)
      return true;
  return false;
}

/// The limit of one group of v2: "<quota or max> <period>".
double readV2(const std::string &directory) {
  std::ifstream file(directory + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0)
    return unlimited;
  return std::atof(quota.c_str()) / period;
}

/// The limit of one group of v1, -1 being none.
double readV1(const std::string &directory) {
  double quota = -1, period = 0;
  std::ifstream(directory + "/cpu.cfs_quota_us") >> quota;
  std::ifstream(directory + "/cpu.cfs_period_us") >> period;
  return quota > 0 && period > 0 ? quota / period : unlimited;
}

/// The smallest limit of a group and all that it lies in.
double smallestLimit(const std::string &fileRoot, const Mount &mount,
                     std::string group, double (*read)(const std::string &)) {
  // In a container the mount often shows the container's group as its root,
  // while the group's path is the one that the host sees.
  if (mount.root != "/" && group.starts_with(mount.root))
    group = group.substr(mount.root.size());
  double limit = unlimited;
  std::string base = fileRoot + mount.point;
  while (true) {
    while (!group.empty() && group.back() == '/')
      group.pop_back();
    limit = std::min(limit, read(base + group));
    if (group.empty())
      return limit;
    size_t slash = group.rfind('/');
    group.resize(slash == std::string::npos ? 0 : slash);
  }
}

} // namespace

int scanweave::runtime::quotaCpus(const std::string &root) {
  // Lines are "<id>:<controllers>:<path>"; v2 has id 0 and no controllers.
  std::string v1Group, v2Group;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':');
    size_t second =
        first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (line.starts_with("0:") && controllers.empty())
      v2Group = line.substr(second + 1);
    else if (listContains(controllers, "cpu"))
      v1Group = line.substr(second + 1);
  }

  double limit = unlimited;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // Only few of the lines are of interest, and there can be thousands.
    if (line.find(" - cgroup") == std::string::npos)
      continue;
    Mount mount;
    if (!parseMount(line, mount))
      continue;
    if (mount.type == "cgroup2" && !v2Group.empty())
      limit = std::min(limit, smallestLimit(root, mount, v2Group, readV2));
    else if (mount.type == "cgroup" && !v1Group.empty() &&
             listContains(mount.extras, "cpu"))
      limit = std::min(limit, smallestLimit(root, mount, v1Group, readV1));
  }
  if (limit == unlimited)
    return 0;
  return static_cast<int>(std::clamp(std::floor(limit), 1.0, 1e6));
}
