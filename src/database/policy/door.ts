/** The entry `glove-scratchpad/policy`: policies from files, and their format. */
export type { ApprovalInfo, Flow, Policy, TableRule } from "../types.js";
export { type ReadPolicyOptions, readPolicy } from "./read-policy.js";
export { policySchema } from "./schema.js";
