// SPDX-License-Identifier: Apache-2.0
//
// Reads and checks descriptors.

#include "Program.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace scanweave::runtime;
using nlohmann::json;

[[noreturn]] static void refuse(const std::string &message) {
  throw std::runtime_error("broken program descriptor: " + message);
}

/// Names become options, so they have to look like some and be unique.
static void checkName(const std::string &name, std::set<std::string> &taken) {
  static const std::string letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (name.empty() || letters.find(name[0]) == std::string::npos ||
      name.find_first_not_of(letters + "0123456789_-") != std::string::npos)
    refuse("'" + name + "' cannot be the name of an option");
  static const std::set<std::string> reserved = {"threads", "force-threads",
                                                 "quiet", "help"};
  if (reserved.count(name))
    refuse("'--" + name +
           "' is an option of every program; the argument or "
           "result needs another name");
  if (!taken.insert(name).second)
    refuse("two arguments or results are called '" + name +
           "'; each is an option and needs a name of its own");
}

/// The text of a default, which the command line could hold as well.
static std::string defaultText(const json &value, const std::string &name) {
  if (value.is_string()) // inf and nan, which JSON has no numbers for
    return value.get<std::string>();
  if (!value.is_number() && !value.is_boolean())
    refuse("the default of '" + name + "' is not a number");
  return value.dump();
}

static Value parseValue(const json &from, bool isArgument) {
  Value value;
  value.name = from.at("name");
  value.help = from.value("help", "");
  std::string type = from.at("type");
  auto element = findElement(type, from.value("unsigned", false));
  if (!element)
    refuse("'" + value.name + "' has the unknown type " + type);
  value.element = *element;
  if (const json &shape = from.at("shape"); !shape.is_null())
    value.shape = shape.get<Shape>();
  if (!isArgument || !from.contains("default") || from["default"].is_null())
    return value;
  value.byDefault = defaultText(from["default"], value.name);
  char parsed[8];
  if (!value.hasStaticShape() ||
      !parseElement(value.element, *value.byDefault, parsed))
    refuse("the default of '" + value.name + "' does not fit its type");
  return value;
}

static Program parse(const json &from) {
  Program program;
  program.name = from.value("name", "program");
  program.help = from.value("help", "");
  std::set<std::string> taken;
  for (const json &argument : from.at("arguments"))
    program.arguments.push_back(parseValue(argument, /*isArgument=*/true));
  for (const json &result : from.at("results"))
    program.results.push_back(parseValue(result, /*isArgument=*/false));
  for (const auto *values : {&program.arguments, &program.results})
    for (const Value &value : *values)
      checkName(value.name, taken);
  program.variants = from.at("variants").get<decltype(program.variants)>();
  for (const auto &variant : program.variants)
    for (size_t result : variant)
      if (result >= program.results.size())
        refuse("a variant computes a result that does not exist");
  std::vector<size_t> all(program.results.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  if (std::find(program.variants.begin(), program.variants.end(), all) ==
      program.variants.end())
    refuse("no variant computes all results");
  return program;
}

Program scanweave::runtime::parseProgram(const std::string &descriptor) {
  try {
    return parse(json::parse(descriptor));
  } catch (const json::exception &error) {
    refuse(error.what());
  }
}

size_t Program::smallestVariantWith(const std::vector<size_t> &wanted) const {
  std::optional<size_t> best;
  for (size_t v = 0; v < variants.size(); ++v)
    if (std::includes(variants[v].begin(), variants[v].end(), wanted.begin(),
                      wanted.end()) &&
        (!best || variants[v].size() < variants[*best].size()))
      best = v;
  return best.value(); // the one with all results fits
}
