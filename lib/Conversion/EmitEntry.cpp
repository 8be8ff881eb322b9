// SPDX-License-Identifier: Apache-2.0
//
// weave-emit-entry: what a binary needs around the program's functions.

#include "scanweave/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace scanweave {
#define GEN_PASS_DEF_EMITENTRY
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;

namespace {

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(type);
  return text;
}

llvm::json::Value shapeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return nullptr;
  llvm::json::Array shape;
  for (int64_t extent : shaped.getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? int64_t(-1) : extent);
  return shape;
}

llvm::json::Object describe(Type type, DictionaryAttr attributes) {
  llvm::json::Object object;
  auto text = [&](StringRef key) {
    auto attribute = attributes.getAs<StringAttr>(key);
    return attribute ? attribute.str() : std::string();
  };
  object["name"] = text("weave.name");
  object["type"] = typeName(type);
  object["shape"] = shapeOf(type);
  object["unsigned"] = bool(attributes.get("weave.unsigned"));
  if (attributes.get("weave.help"))
    object["help"] = text("weave.help");
  Attribute value = attributes.get("weave.default");
  if (auto number = dyn_cast_or_null<FloatAttr>(value)) {
    object["default"] = number.getValueAsDouble();
  } else if (auto number = dyn_cast_or_null<IntegerAttr>(value)) {
    bool isBool = number.getType().isInteger(1);
    bool isUnsigned = isBool || attributes.get("weave.unsigned");
    object["default"] =
        isUnsigned ? llvm::json::Value(number.getValue().getZExtValue())
                   : llvm::json::Value(number.getValue().getSExtValue());
  }
  return object;
}

/// The variants in the order of their numbers; the last has all results.
SmallVector<func::FuncOp> findVariants(ModuleOp module) {
  SmallVector<func::FuncOp> variants;
  for (unsigned number = 0;; ++number) {
    auto variant = module.lookupSymbol<func::FuncOp>("main_variant_" +
                                                     std::to_string(number));
    if (!variant)
      return variants;
    variants.push_back(variant);
  }
}

std::string makeDescriptor(ModuleOp module, ArrayRef<func::FuncOp> variants) {
  llvm::json::Array arguments, results, sets;
  func::FuncOp full = variants.back();
  for (unsigned i = 0; i < full.getNumArguments(); ++i)
    arguments.push_back(
        describe(full.getArgumentTypes()[i],
                 function_interface_impl::getArgAttrDict(full, i)));
  for (unsigned i = 0; i < full.getNumResults(); ++i)
    results.push_back(
        describe(full.getResultTypes()[i],
                 function_interface_impl::getResultAttrDict(full, i)));
  for (func::FuncOp variant : variants) {
    auto numbers = variant->getAttrOfType<DenseI64ArrayAttr>("weave.results");
    llvm::json::Array set;
    for (int64_t number : numbers.asArrayRef())
      set.push_back(number);
    sets.push_back(std::move(set));
  }
  // A program is called what it says it is called, or as its file.
  StringRef name = module.getSymName().value_or("");
  if (auto file = module.getLoc()->findInstanceOf<FileLineColLoc>();
      file && name.empty())
    name = llvm::sys::path::stem(file.getFilename().getValue());
  llvm::json::Value descriptor =
      llvm::json::Object{{"name", name},
                         {"arguments", std::move(arguments)},
                         {"results", std::move(results)},
                         {"variants", std::move(sets)}};
  std::string text;
  llvm::raw_string_ostream(text) << descriptor;
  return text;
}

//===----------------------------------------------------------------------===//
// The entries
//===----------------------------------------------------------------------===//

/// The LLVM form of a memref descriptor.
Type descriptorType(MemRefType type) {
  MLIRContext *context = type.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = IntegerType::get(context, 64);
  SmallVector<Type> fields = {pointer, pointer, i64};
  if (type.getRank() > 0)
    fields.append(2, LLVM::LLVMArrayType::get(i64, type.getRank()));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

class EntryBuilder {
public:
  EntryBuilder(ModuleOp module)
      : module(module), builder(module.getContext()), loc(module.getLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {
    builder.setInsertionPointToEnd(module.getBody());
  }

  /// void entry(void **arguments, void **results)
  func::FuncOp makeEntry(func::FuncOp variant, unsigned number) {
    auto entry = func::FuncOp::create(
        builder, loc, "scanweave_entry_" + std::to_string(number),
        builder.getFunctionType({pointer, pointer}, {}));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry.addEntryBlock());
    SmallVector<Value> arguments;
    for (auto [i, type] : llvm::enumerate(variant.getArgumentTypes()))
      arguments.push_back(load(slot(entry.getArgument(0), i), type));
    auto call = func::CallOp::create(builder, loc, variant, arguments);
    for (auto [i, result] : llvm::enumerate(call.getResults()))
      store(result, slot(entry.getArgument(1), i));
    func::ReturnOp::create(builder, loc);
    return entry;
  }

  LLVM::GlobalOp makeText(StringRef name, std::string text) {
    text.push_back('\0');
    return LLVM::GlobalOp::create(
        builder, loc,
        LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        builder.getStringAttr(text));
  }

  /// main and scanweave_run_default, which call scanweave_main.
  void makeMains(LLVM::GlobalOp descriptor, ArrayRef<func::FuncOp> entries) {
    Type i32 = builder.getI32Type();
    auto type =
        LLVM::LLVMFunctionType::get(i32, {i32, pointer, pointer, pointer});
    auto run = LLVM::LLVMFuncOp::create(builder, loc, "scanweave_main", type);
    auto makeMain = [&](StringRef name, bool hasArguments) {
      SmallVector<Type> inputs;
      if (hasArguments)
        inputs = {i32, pointer};
      auto main = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(inputs, i32));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(main.addEntryBlock());
      Value argc, argv;
      if (hasArguments) {
        argc = main.getArgument(0);
        argv = main.getArgument(1);
      } else {
        argc = LLVM::ConstantOp::create(builder, loc, i32,
                                        builder.getI32IntegerAttr(0));
        argv = LLVM::ZeroOp::create(builder, loc, pointer);
      }
      Value text = LLVM::AddressOfOp::create(builder, loc, descriptor);
      auto call = LLVM::CallOp::create(
          builder, loc, run, ValueRange{argc, argv, text, makeTable(entries)});
      func::ReturnOp::create(builder, loc, call.getResult());
    };
    makeMain("main", true);
    makeMain("scanweave_run_default", false);
  }

private:
  /// The entries' addresses, on the stack.
  Value makeTable(ArrayRef<func::FuncOp> entries) {
    Value size =
        LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                 builder.getI64IntegerAttr(entries.size()));
    Value table = LLVM::AllocaOp::create(builder, loc, pointer, pointer, size);
    for (unsigned i = 0; i < entries.size(); ++i) {
      func::FuncOp entry = entries[i];
      Value function =
          func::ConstantOp::create(builder, loc, entry.getFunctionType(),
                                   FlatSymbolRefAttr::get(entry.getNameAttr()));
      Value address =
          UnrealizedConversionCastOp::create(builder, loc, pointer, function)
              .getResult(0);
      LLVM::StoreOp::create(builder, loc, address, element(table, i));
    }
    return table;
  }

  Value element(Value array, int64_t i) {
    return LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                               ArrayRef<LLVM::GEPArg>{(int32_t)i});
  }
  Value slot(Value array, int64_t i) {
    return LLVM::LoadOp::create(builder, loc, pointer, element(array, i));
  }

  Value load(Value from, Type type) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      Value value =
          LLVM::LoadOp::create(builder, loc, descriptorType(memref), from);
      return UnrealizedConversionCastOp::create(builder, loc, type, value)
          .getResult(0);
    }
    if (type.isIndex()) {
      Value value =
          LLVM::LoadOp::create(builder, loc, builder.getI64Type(), from);
      return arith::IndexCastOp::create(builder, loc, type, value);
    }
    if (type.isInteger(1)) {
      Value byte =
          LLVM::LoadOp::create(builder, loc, builder.getI8Type(), from);
      Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, byte,
                                   zero);
    }
    return LLVM::LoadOp::create(builder, loc, type, from);
  }

  void store(Value value, Value to) {
    Type type = value.getType();
    if (auto memref = dyn_cast<MemRefType>(type))
      value = UnrealizedConversionCastOp::create(builder, loc,
                                                 descriptorType(memref), value)
                  .getResult(0);
    else if (type.isIndex())
      value =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    else if (type.isInteger(1))
      value = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    LLVM::StoreOp::create(builder, loc, value, to);
  }

  ModuleOp module;
  OpBuilder builder;
  Location loc;
  Type pointer;
};

class EmitEntry final : public scanweave::impl::EmitEntryBase<EmitEntry> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> variants = findVariants(module);
    if (variants.empty()) {
      module.emitError("the program has no variants: run "
                       "weave-specialise-results before weave-emit-entry");
      return signalPassFailure();
    }
    for (func::FuncOp variant : variants)
      for (Type type : llvm::concat<const Type>(variant.getArgumentTypes(),
                                                variant.getResultTypes()))
        if (isa<TensorType>(type)) {
          variant.emitError("the program is on tensors: run "
                            "one-shot-bufferize before weave-emit-entry");
          return signalPassFailure();
        }
    EntryBuilder builder(module);
    LLVM::GlobalOp descriptor = builder.makeText(
        "scanweave_descriptor", makeDescriptor(module, variants));
    SmallVector<func::FuncOp> entries;
    for (auto [number, variant] : llvm::enumerate(variants))
      entries.push_back(builder.makeEntry(variant, number));
    builder.makeMains(descriptor, entries);
    for (func::FuncOp variant : variants)
      variant.setPrivate();
  }
};

} // namespace
