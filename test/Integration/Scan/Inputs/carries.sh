# SPDX-License-Identifier: Apache-2.0
#
# Compiles, runs and checks every case of carries.py.
#   carries.sh PYTHON CARRIES.PY FOLDER WEAVEC
python=$1 cases=$2 folder=$3 weavec=$4
status=0
for case in $("$python" "$cases" --list); do
  "$python" "$cases" "$case" >"$folder/$case.mlir"
  for level in -O0 -O2; do
    "$weavec" $level "$folder/$case.mlir" -o "$folder/program" &&
      "$folder/program" --quiet --n 5 --a0 "$folder/a0.npy" --b0 "$folder/b0.npy" \
        --a "$folder/a.npy" --b "$folder/b.npy" --as "$folder/as.npy" --bs "$folder/bs.npy" &&
      "$python" "$cases" "$case" --check "$folder" || { echo "failed: $level $case"; status=1; }
  done
done
exit $status
