/**
 * Polymorphic arguments (anyelement, anyarray, anycompatible, …): whether the types of a call go together, and which
 * concrete types they stand for. Source: PostgreSQL 15, 38.2.5 "Polymorphic Types".
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { canCoerce } from "./casts.js";
import { findCommonType, sameType } from "./common-type.js";
import { arrayOf, type SqlType, types } from "./type.js";

const simpleFamily: ReadonlySet<SqlType> = new Set<SqlType>([
  types.anyelement,
  types.anyarray,
  types.anynonarray,
  types.anyenum,
]);
const compatibleFamily: ReadonlySet<SqlType> = new Set<SqlType>([
  types.anycompatible,
  types.anycompatiblearray,
  types.anycompatiblenonarray,
]);

export function isPolymorphic(type: SqlType): boolean {
  return simpleFamily.has(type) || compatibleFamily.has(type);
}

/** What the polymorphic types of one call stand for; `undefined` while nothing but unknown literals was seen. */
interface Binding {
  readonly element: SqlType | undefined;
  readonly compatible: SqlType | undefined;
}

/** The binding, or `undefined` when the types do not go together. */
function bindTypes(actual: readonly SqlType[], declared: readonly SqlType[]): Binding | undefined {
  let element: SqlType | undefined;
  let array: SqlType | undefined;
  const compatible: SqlType[] = [];
  for (let i = 0; i < declared.length; i++) {
    const type = actual[i];
    if (type === types.unknown) continue;
    switch (declared[i]) {
      case types.anyelement:
      case types.anynonarray:
      case types.anyenum:
        if (element !== undefined && !sameType(element, type)) return undefined;
        element ??= type;
        break;
      case types.anyarray:
        if (type.kind !== "array" || (array !== undefined && !sameType(array, type))) return undefined;
        array ??= type;
        break;
      case types.anycompatible:
      case types.anycompatiblenonarray:
        compatible.push(type);
        break;
      case types.anycompatiblearray:
        if (type.kind !== "array") return undefined;
        compatible.push(type.element as SqlType);
        break;
    }
  }
  if (array !== undefined) {
    if (element !== undefined && !sameType(element, array.element as SqlType)) return undefined;
    element = array.element;
  }
  if (element !== undefined) {
    if (element.kind === "array" && declared.includes(types.anynonarray)) return undefined;
    if (element.kind !== "enum" && declared.includes(types.anyenum)) return undefined;
  }
  const common = compatible.length === 0 ? undefined : commonOf(compatible);
  if (common === null) return undefined;
  if (common?.kind === "array" && declared.includes(types.anycompatiblenonarray)) return undefined;
  return { element, compatible: common };
}

function commonOf(found: readonly SqlType[]): SqlType | null {
  const common = findCommonType(found);
  if ("conflict" in common) return null;
  return found.every((type) => canCoerce(type, common.type, "implicit")) ? common.type : null;
}

/** Whether the actual types agree with the polymorphic ones among the declared; unknown literals agree with anything. */
export function isConsistent(actual: readonly SqlType[], declared: readonly SqlType[]): boolean {
  return bindTypes(actual, declared) !== undefined;
}

/** Concrete types of the arguments and the result of a call. */
export interface ConcreteTypes {
  readonly argTypes: readonly SqlType[];
  readonly resultType: SqlType;
}

/**
 * The declared types with what they stand for in this call. `any` becomes the argument's own type, and `record` the row
 * type of the argument, whose fields an operator may want to know.
 * @throws SqlError 42804 when nothing but unknown literals is there to tell
 */
export function resolvePolymorphic(
  actual: readonly SqlType[],
  declared: readonly SqlType[],
  returns: SqlType,
): ConcreteTypes {
  const needsElement = declared.some((type) => simpleFamily.has(type)) || simpleFamily.has(returns);
  const needsCompatible = declared.some((type) => compatibleFamily.has(type)) || compatibleFamily.has(returns);
  if (!needsElement && !needsCompatible) {
    return { argTypes: declared.map((type, i) => ownType(type, actual[i])), resultType: returns };
  }
  const binding = bindTypes(actual, declared);
  if (binding === undefined) throw notAlike(actual, declared);
  if (needsElement && binding.element === undefined) {
    throw new SqlError(
      sqlstate.datatypeMismatch,
      "could not determine polymorphic type because input has type unknown",
      { hint: "Cast the literal to the type that is meant, for example 'x'::text." },
    );
  }
  // Only unknown literals: the compatible family is text then.
  const compatible = binding.compatible ?? types.text;
  const concrete = (type: SqlType, own: SqlType | undefined): SqlType => {
    switch (type) {
      case types.anyelement:
      case types.anynonarray:
      case types.anyenum:
        return binding.element as SqlType;
      case types.anyarray:
        return arrayTypeFor(binding.element as SqlType);
      case types.anycompatible:
      case types.anycompatiblenonarray:
        return compatible;
      case types.anycompatiblearray:
        return arrayTypeFor(compatible);
      default:
        return own === undefined ? type : ownType(type, own);
    }
  };
  return { argTypes: declared.map((type, i) => concrete(type, actual[i])), resultType: concrete(returns, undefined) };
}

function ownType(declared: SqlType, own: SqlType): SqlType {
  return declared === types.any || (declared === types.record && own.kind === "record") ? own : declared;
}

/** An array of arrays is no type of its own, so it cannot be what a polymorphic type stands for. */
function arrayTypeFor(element: SqlType): SqlType {
  if (element.kind !== "array") return arrayOf(element);
  throw new SqlError(sqlstate.undefinedObject, `could not find array type for data type ${element.display}`);
}

function notAlike(actual: readonly SqlType[], declared: readonly SqlType[]): SqlError {
  const family = declared.find(isPolymorphic) ?? types.anyelement;
  const involved = actual.filter((_, i) => isPolymorphic(declared[i])).map((type) => type.display);
  return new SqlError(sqlstate.datatypeMismatch, `arguments declared "${family.name}" are not all alike`, {
    detail: [...new Set(involved)].join(" versus "),
  });
}
