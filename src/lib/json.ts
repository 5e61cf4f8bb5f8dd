declare const about: unique symbol

/** The JSON text of a T. Renderings are kept and joined as text, because writing JSON costs more than finding it. */
export type Json<T> = string & { readonly [about]: T }

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>
}

export function jsonArray<T>(items: readonly Json<T>[]): Json<T[]> {
  return `[${items.join(',')}]` as Json<T[]>
}

/** Joins parts that are JSON already into an object: `jsonObject({ status: '{…}' })`. */
export function jsonObject<T>(parts: { [Name in keyof T]: Json<T[Name]> }): Json<T> {
  const pairs = Object.entries<string>(parts as Record<string, string>)
  return `{${pairs.map(([name, part]) => `${JSON.stringify(name)}:${part}`).join(',')}}` as Json<T>
}
