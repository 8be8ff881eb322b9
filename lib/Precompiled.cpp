// SPDX-License-Identifier: Apache-2.0
//
// A target needs a source file to have a precompiled header.
