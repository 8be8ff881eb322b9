// SPDX-License-Identifier: Apache-2.0
//
// weave-specialise-results: variants of @main that compute some of its results.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace scanweave {
#define GEN_PASS_DEF_SPECIALISERESULTS
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Numbers and tensors of them can be given on a command line.
bool hasCommandLineForm(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (type != element && !isa<RankedTensorType>(type))
    return false;
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.isSignless() &&
           llvm::is_contained({1, 8, 16, 32, 64}, (int)integer.getWidth());
  return element.isIndex() || element.isF16() || element.isBF16() ||
         element.isF32() || element.isF64();
}

class SpecialiseResults final
    : public scanweave::impl::SpecialiseResultsBase<SpecialiseResults> {
  using Base::Base;

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal()) {
      getOperation().emitError("the program has no function @main");
      return signalPassFailure();
    }
    if (failed(checkInterface(main)))
      return signalPassFailure();
    SmallVector<SmallVector<int64_t>> variants = chooseVariants(main);
    for (auto [number, results] : llvm::enumerate(variants))
      makeVariant(main, number, results);
    main.erase();
  }

  LogicalResult checkInterface(func::FuncOp main) {
    llvm::StringSet<> names;
    auto check = [&](unsigned number, StringRef what, Type type,
                     StringAttr name) -> LogicalResult {
      if (!name || name.getValue().empty())
        return main.emitError() << what << " " << number
                                << " of @main has no name: give it a "
                                   "'weave.name'";
      if (!hasCommandLineForm(type))
        return main.emitError()
               << what << " '" << name.getValue() << "' of @main has type "
               << type << "; a number or a ranked tensor of f16, bf16, f32, "
               << "f64, i1, i8, i16, i32, i64 or index expected";
      if (!names.insert(name.getValue()).second)
        return main.emitError()
               << what << " " << number << " of @main has the name '"
               << name.getValue() << "', which is taken";
      return success();
    };
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (failed(check(i, "argument", main.getArgumentTypes()[i],
                       main.getArgAttrOfType<StringAttr>(i, "weave.name"))))
        return failure();
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (failed(check(i, "result", main.getResultTypes()[i],
                       main.getResultAttrOfType<StringAttr>(i, "weave.name"))))
        return failure();
    return success();
  }

  static SmallVector<SmallVector<int64_t>> chooseVariants(func::FuncOp main) {
    SmallVector<int64_t> always, optional;
    for (auto [i, type] : llvm::enumerate(main.getResultTypes())) {
      auto shaped = dyn_cast<ShapedType>(type);
      (shaped && !shaped.hasStaticShape() ? optional : always).push_back(i);
    }
    SmallVector<SmallVector<int64_t>> chosen = {{}};
    if (optional.size() <= 2) {
      for (unsigned mask = 1; mask < (1u << optional.size()); ++mask) {
        SmallVector<int64_t> &subset = chosen.emplace_back();
        for (unsigned i = 0; i < optional.size(); ++i)
          if (mask & (1u << i))
            subset.push_back(optional[i]);
      }
    } else {
      for (int64_t result : optional)
        chosen.push_back({result});
      chosen.push_back(optional);
    }
    for (SmallVector<int64_t> &subset : chosen) {
      subset.append(always);
      llvm::sort(subset);
    }
    return chosen;
  }

  void makeVariant(func::FuncOp main, size_t number,
                   ArrayRef<int64_t> results) {
    OpBuilder builder(main);
    func::FuncOp variant = main.clone();
    builder.insert(variant);
    variant.setName("main_variant_" + std::to_string(number));
    variant->setAttr("weave.results", builder.getDenseI64ArrayAttr(results));
    SmallVector<Type> types;
    SmallVector<Attribute> attributes;
    for (int64_t result : results) {
      types.push_back(main.getResultTypes()[result]);
      attributes.push_back(
          builder.getDictionaryAttr(main.getResultAttrs(result)));
    }
    variant.walk([&](func::ReturnOp op) {
      SmallVector<Value> kept;
      for (int64_t result : results)
        kept.push_back(op.getOperand(result));
      op.getOperandsMutable().assign(kept);
    });
    variant.setType(builder.getFunctionType(main.getArgumentTypes(), types));
    variant.setAllResultAttrs(attributes);
    // A caller's buffers are only read.
    for (unsigned i = 0; i < variant.getNumArguments(); ++i)
      if (isa<RankedTensorType>(variant.getArgument(i).getType()))
        variant.setArgAttr(i, "bufferization.writable",
                           builder.getBoolAttr(false));
  }
};

} // namespace
