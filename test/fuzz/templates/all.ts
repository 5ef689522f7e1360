/** Every template by the type of its result, with its weight in a profile. */
import type { ValueType } from "../tree.js";
import type { Profile } from "../world.js";
import { type AggregateTemplate, aggregates } from "./aggregates.js";
import { booleans } from "./booleans.js";
import { casts } from "./casts.js";
import { conditionals } from "./conditionals.js";
import { dates } from "./dates.js";
import { json } from "./json.js";
import { numbers } from "./numbers.js";
import type { Template } from "./template.js";
import { texts } from "./text.js";

type Weighted<T> = (readonly [weight: number, template: T])[];

const templates = [...numbers, ...casts, ...texts, ...booleans, ...conditionals, ...dates, ...json];

function byType<T extends Template>(list: readonly T[], profile: Profile): ReadonlyMap<ValueType, Weighted<T>> {
  const found = new Map<ValueType, Weighted<T>>();
  for (const item of list) {
    if (item[profile] <= 0) continue;
    const entries = found.get(item.returns) ?? [];
    entries.push([item[profile], item]);
    found.set(item.returns, entries);
  }
  return found;
}

export const templatesOf: Readonly<Record<Profile, ReadonlyMap<ValueType, Weighted<Template>>>> = {
  core: byType(templates, "core"),
  full: byType(templates, "full"),
};

export const aggregatesOf: Readonly<Record<Profile, ReadonlyMap<ValueType, Weighted<AggregateTemplate>>>> = {
  core: byType(aggregates, "core"),
  full: byType(aggregates, "full"),
};
